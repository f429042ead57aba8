#include "tests/policy_unit.h"

/* Written anew by: build/test_policy_snapshot print > fixtures/policy/snapshot.txt */
static const char path[] = "fixtures/policy/snapshot.txt";

static void what_decides_is_what_the_snapshot_shows(void **state)
{
    static const char again[] = "; if it is meant: build/test_policy_snapshot print > ";
    struct sov_buf now;
    char wanted[400], *text;
    size_t line = 0;
    FILE *file;

    (void)state;
    sov_buf_init(&now, 1 << 20);
    sov_policy_snapshot(&now);
    sov_buf_add_byte(&now, 0);
    text = (char *)now.data;
    file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    for (; *text; line++) {
        size_t size = strcspn(text, "\n") + 1;
        static char read[8192];

        snprintf(wanted, sizeof wanted, "%.*s", (int)size - 1, text);
        if (!fgets(read, sizeof read, file) || strlen(read) != size ||
            memcmp(read, text, size) != 0)
            fail_msg("line %zu is now: %s%s%s", line + 1, wanted, again, path);
        text += size;
    }
    if (fgetc(file) != EOF) fail_msg("%s goes on after line %zu%s%s", path, line, again, path);
    fclose(file);
    sov_buf_release(&now);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_decides_is_what_the_snapshot_shows),
    };

    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        struct sov_buf now;

        sov_buf_init(&now, 1 << 20);
        sov_policy_snapshot(&now);
        fwrite(now.data, 1, now.size, stdout);
        sov_buf_release(&now);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
