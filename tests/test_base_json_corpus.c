#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "tests/unit.h"

/*
 * fixtures/corpus/json: y_ is accepted, n_ is refused under the rules for own texts. Of the
 * refused, n_foreign_ are JSON all the same and pass as deliveries; the others pass nowhere.
 */
static const char folder[] = "fixtures/corpus/json";

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static struct sov_bytes load(const char *name, uint8_t *octets, size_t room)
{
    char path[512];
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(octets, 1, room, file);
    assert_true(feof(file) && !ferror(file));
    fclose(file);
    return sov_bytes(octets, size);
}

/* Each file that begins so, in an octet buffer; at least `least` of them. */
static void each(const char *with, size_t least,
                 void (*check)(const char *name, struct sov_bytes text))
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        uint8_t octets[4096];

        if (!begins(entry->d_name, with)) continue;
        check(entry->d_name, load(entry->d_name, octets, sizeof octets));
        count++;
    }
    closedir(dir);
    assert_true(count >= least);
}

static void check_accepted(const char *name, struct sov_bytes text)
{
    struct sov_buf once, twice;
    struct sov_json *json = NULL;
    struct sov_error err;

    sov_buf_init(&once, 4096);
    sov_buf_init(&twice, 4096);
    if (!sov_scan(text, &sov_scan_own, &err) || !sov_scan(text, &sov_scan_foreign, &err) ||
        !sov_json_canonical(text, &sov_scan_own, &once, &err) ||
        !sov_scan_canonical(sov_buf_bytes(&once), &sov_scan_own, &err) ||
        !sov_json_canonical(sov_buf_bytes(&once), &sov_scan_own, &twice, &err) ||
        !sov_json_parse(text, &sov_scan_foreign, &json, &err))
        fail_msg("%s: %s", name, err.what);
    if (!sov_bytes_equal(sov_buf_bytes(&once), sov_buf_bytes(&twice)))
        fail_msg("%s is no fixed point", name);
    sov_json_close(json);
    sov_buf_release(&once);
    sov_buf_release(&twice);
}

static void check_refused(const char *name, struct sov_bytes text)
{
    struct sov_error err, again;
    struct sov_buf out;

    sov_buf_init(&out, 4096);
    if (sov_scan(text, &sov_scan_own, &err)) fail_msg("%s passed", name);
    assert_string_equal(err.code, "bad_json");
    if (sov_scan_canonical(text, &sov_scan_own, &again)) fail_msg("%s passed as canonical", name);
    assert_string_equal(again.code, "bad_json");
    assert_false(sov_json_canonical(text, &sov_scan_own, &out, &again));
    assert_string_equal(again.what, err.what);
    assert_int_equal(out.size, 0);
    sov_buf_release(&out);
    if (sov_scan(text, &sov_scan_foreign, &err) != begins(name, "n_foreign_"))
        fail_msg("%s as a delivery", name);
}

static void check_foreign(const char *name, struct sov_bytes text)
{
    struct sov_json *json = NULL;
    struct sov_error err;

    if (!sov_json_parse(text, &sov_scan_foreign, &json, &err)) fail_msg("%s: %s", name, err.what);
    sov_json_close(json);
}

static void every_y_file_is_accepted_and_has_one_stable_form(void **state)
{
    (void)state;
    each("y_", 70, check_accepted);
}

static void every_n_file_is_refused(void **state)
{
    (void)state;
    each("n_", 200, check_refused);
}

static void every_n_foreign_file_can_be_delivered(void **state)
{
    (void)state;
    each("n_foreign_", 25, check_foreign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_y_file_is_accepted_and_has_one_stable_form),
        cmocka_unit_test(every_n_file_is_refused),
        cmocka_unit_test(every_n_foreign_file_can_be_delivered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
