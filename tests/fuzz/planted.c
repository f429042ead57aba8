/*
 * The control of the campaign: a reader of length-prefixed frames that believes the length. Three
 * steps deep, so that only a fuzzer that is led by coverage, under a sanitizer that looks, finds
 * it. fuzz.sh fails if this is not found.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *frame;
    unsigned sum = 0;

    if (size < 4 || data[0] != 's' || data[1] != 'o' || data[2] != 'v') return 0;
    frame = malloc(size - 4 + 1);
    if (!frame) return 0;
    memcpy(frame, data + 4, size - 4);
    for (unsigned i = 0; i < data[3]; i++) sum += frame[i];
    free(frame);
    return sum > 1u << 30 ? -1 : 0;
}
