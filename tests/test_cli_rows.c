/*
 * Whatever stands in the file, no verb ends otherwise than with a status and a sentence: each
 * column of each table is given what no event leaves there, verbs are run on it, and verify.
 * ROWS=all in the environment takes all of it, else a slice that comes to each column and each
 * value.
 */
#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/chain_fixture.h"
#include "verify/verify.h"

static const char *const logs[] = { "good-store", "good-red",      "good-lost", "good-law",
                                    "good-mail",  "good-approval", "good-wire" };
enum {
    LOGS = sizeof logs / sizeof *logs,
    TABLES = 64,
    NAME = 64,
    SQL = 1200,
    HANG_S = 20,
    SLICE = 7
};
#define LARGE "9223372036854775807"

static const struct {
    const char *type, *value;
} values[] = {
    { "INTEGER", "-1" },
    { "INTEGER", "0" },
    { "INTEGER", "9007199254740991" },
    { "INTEGER", LARGE },
    { "INTEGER", "-9223372036854775808" },
    { "INTEGER", "'one'" },
    { "INTEGER", "NULL" },
    { "TEXT", "''" },
    { "TEXT", "'x'" },
    { "TEXT", "'{\"a\":'" },
    { "TEXT", "'[' || '\"OUT-1\"' || ']'" },
    { "TEXT", "'{}'" },
    { "TEXT", "'OUT-0'" },
    { "TEXT", "CAST(x'61ff0062' AS TEXT)" },
    { "TEXT", "printf('%070000d', 1)" },
    { "TEXT", "x'00'" },
    { "TEXT", "NULL" },
    { "BLOB", "x''" },
    { "BLOB", "x'00'" },
    { "BLOB", "zeroblob(31)" },
    { "BLOB", "zeroblob(32)" },
    { "BLOB", "zeroblob(70000)" },
    { "BLOB", "'text'" },
    { "BLOB", "NULL" },
};
enum { VALUES = sizeof values / sizeof *values };

/* `table`: only where a table whose name begins so was changed; NULL: always. */
static const struct {
    const char *table, *words;
} verbs[] = {
    { NULL, "status" },
    { NULL, "pulse --actor operator" },
    { "event", "log" },
    { "event", "show OUT-1" },
    { "event", "show 00000000" },
    { "event", "show SIG-1" },
    { "event", "why OUT-1 --effects" },
    { "event", "project -n --actor operator" },
    { "event", "signal low --actor operator --source till --subject SKU-TEA" },
    { "blob", "show RCP-1" },
    { "blob", "show MSG-1" },
    { "blob", "show APR-1" },
    { "blob", "project -n --actor operator" },
    { "checkpoint", "project -n --actor operator" },
    { "checkpoint", "prove OUT-1" },
    { "checkpoint", "signal low --actor operator --source till --subject SKU-TEA" },
    { "state_history", "log OUT-1" },
    { "state_history", "show outcomes" },
    { "state_history", "show actors" },
    { "state_history", "signal low --actor operator --source till --subject SKU-TEA" },
    { "state_history", "show OUT-1" },
    { "state_idempotency", "heartbeat till --actor operator --idempotency-key k" },
    { "state_range", "signal low --actor operator --source till --subject SKU-TEA" },
    { "state_erasure", "show OUT-1" },
    { "state_claim", "show claims" },
    { "state_claim", "show ASG-1" },
    { "state_claim", "supervise --actor operator" },
    { "state_claim", "mail claim MSG-1 --actor w" },
    { "state_policy", "policy show" },
    { "state_policy", "signal low --actor operator --source till --subject SKU-TEA" },
    { "state_actor", "actor list" },
    { "state_actor", "show actors" },
    { "state_actor", "actor suspend operator --reason r --actor principal" },
    { "state_key", "key list" },
    { "state_key", "key rotate sparring --reason r --actor principal" },
    { "state_provider", "provider list" },
    { "state_provider", "provider retire p --reason r --actor principal" },
    { "state_heartbeat", "heartbeat show" },
    { "state_heartbeat", "heartbeat till --actor operator" },
    { "state_subject", "show subjects" },
    { "state_subject",
      "change record sale --subject SKU-TEA --quantity 1 --source till --actor operator" },
    { "state_account", "account list" },
    { "state_account",
      "change record sale --subject SKU-TEA --quantity 1 --source till --actor operator" },
    { "state_posting", "why OUT-1 --effects" },
    { "state_change", "show changes" },
    { "state_change", "show CHG-1" },
    { "state_signal", "show signals" },
    { "state_signal", "show SIG-1" },
    { "state_wake", "why SIG-1" },
    { "state_wake", "show SIG-1" },
    { "state_outcome", "show OUT-1" },
    { "state_outcome", "outcome cancel OUT-1 --reason r --actor principal" },
    { "state_sow", "show SOW-1" },
    { "state_sow", "why SOW-1 --gates --actor principal" },
    { "state_sow", "sow withdraw SOW-1 --reason r --actor principal" },
    { "state_assignment", "show ASG-1" },
    { "state_assignment", "claim ASG-1 --actor worker" },
    { "state_assignment", "why ASG-1" },
    { "state_effect", "show EFF-1" },
    { "state_effect", "why OUT-1 --effects" },
    { "state_receipt", "show RCP-1" },
    { "state_receipt", "why SOW-1 --gates --actor principal" },
    { "state_receipt", "check SOW-1 --actor operator" },
    { "state_run", "show ASG-1" },
    { "state_run", "supervise --actor operator" },
    { "state_stale", "show ASG-1" },
    { "state_verification", "show VER-1" },
    { "state_verification", "why OUT-1 --gates --actor principal" },
    { "state_evidence", "show EVD-1" },
    { "state_evidence", "why OUT-1" },
    { "state_review", "show REV-1" },
    { "state_acceptance", "show ACC-1" },
    { "state_ruling", "show RUL-1" },
    { "state_approval", "show APR-1" },
    { "state_approval", "show approvals" },
    { "state_approval", "supervise --actor operator" },
    { "state_approval", "approval revoke APR-1 --reason r --actor master" },
    { "state_message", "mail list" },
    { "state_message", "show MSG-1" },
    { "state_message", "mail requeue MSG-1 --reason r --actor principal" },
    { "state_instance", "show instances" },
    { "state_instance", "instance claim INS-1 --actor operator" },
    { "state_session", "session list" },
    { "state_session", "show SES-1" },
    { "state_delivery", "delivery list" },
    { "state_delivery", "delivery claim DLV-1 --actor operator" },
    { "state_", "ready --role operator" },
    { "state_", "ready --actor principal" },
    { "state_", "why OUT-1" },
    { "state_", "log" },
    { "state_", "project -n --actor operator" },
};

struct table {
    const char *name;
    char schema[4096];
    char column[32][NAME], type[32][NAME];
    int count;
};

/* What a child tells whoever waits for it. */
struct told {
    char verb[160], why[2048];
};

struct trial {
    struct chain c;
    struct sov_bytes whole, loose; /* the file; the same with one table that takes any value */
    struct told *told;
    bool all;
    size_t fired;
};

static const char *path_of(struct trial *t, const char *name)
{
    return sov_arena_printf(&t->c.f.arena, "%s/%s", t->c.f.home, name);
}

static struct sov_bytes octets_of(struct trial *t, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    uint8_t *octets;

    if (!file || fstat(fileno(file), &facts) != 0) fail_msg("%s cannot be read", path);
    octets = sov_arena_take(&t->c.f.arena, (size_t)facts.st_size + 1);
    assert_int_equal(fread(octets, 1, (size_t)facts.st_size, file), facts.st_size);
    fclose(file);
    return sov_bytes(octets, (size_t)facts.st_size);
}

static void put_octets(const char *path, struct sov_bytes octets)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(octets.data, 1, octets.size, file) != octets.size || fclose(file) != 0)
        fail_msg("%s cannot be written", path);
}

/* ---- the damage ---- */

static void describe(sqlite3 *db, struct table *table)
{
    sqlite3_stmt *stmt;
    char sql[SQL];

    snprintf(sql, sizeof sql,
             "SELECT i.name, i.type, s.sql FROM sqlite_schema s, pragma_table_info(s.name) i"
             " WHERE s.name = '%s' AND s.type = 'table' ORDER BY i.cid",
             table->name);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    for (table->count = 0; sqlite3_step(stmt) == SQLITE_ROW; table->count++) {
        snprintf(table->column[table->count], NAME, "%s", (char *)sqlite3_column_text(stmt, 0));
        snprintf(table->type[table->count], NAME, "%s", (char *)sqlite3_column_text(stmt, 1));
        snprintf(table->schema, sizeof table->schema, "%s", (char *)sqlite3_column_text(stmt, 2));
    }
    sqlite3_finalize(stmt);
}

static void schema_put(sqlite3 *db, const struct table *table, const char *expression)
{
    char *sql = sqlite3_mprintf("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = %s "
                                "WHERE name = %Q AND type = 'table'; PRAGMA writable_schema = OFF",
                                expression, table->name);

    chain_sql(db, sql);
    sqlite3_free(sql);
}

/* Whoever edits the file can make the table take anything, and then put its schema back. */
static void loosen(struct trial *t, struct table *table)
{
    sqlite3 *db;

    put_octets(path_of(t, "organization.db"), t->whole);
    db = chain_raw(&t->c);
    describe(db, table);
    schema_put(db, table,
               "replace(replace(replace(sql, ' NOT NULL', ''), ') STRICT, WITHOUT', ') WITHOUT'),"
               " ') STRICT', ')')");
    sqlite3_close(db);
    t->loose = octets_of(t, path_of(t, "organization.db"));
}

/* False if no row can hold the value, or each does already. */
static bool damage(struct trial *t, const struct table *table, int column, const char *value)
{
    /* Without its first event a file is no ledger. */
    char *sql = sqlite3_mprintf("UPDATE OR IGNORE %s SET %s = %s WHERE %s IS NOT %s%s", table->name,
                                table->column[column], value, table->column[column], value,
                                strcmp(table->name, "event") == 0 ? " AND seq > 1" : "");
    char *schema = sqlite3_mprintf("%Q", table->schema);
    sqlite3 *db;
    bool done;

    put_octets(path_of(t, "organization.db"), t->loose);
    db = chain_raw(&t->c);
    done = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
    schema_put(db, table, schema);
    sqlite3_close(db);
    sqlite3_free(schema);
    sqlite3_free(sql);
    return done;
}

/* ---- the child: what ends it, ends the trial ---- */

static void blame(struct trial *t, const char *why, const char *said)
{
    snprintf(t->told->why, sizeof t->told->why, "%s: %.1900s", why, said);
    _exit(1);
}

static const char *said(int fd)
{
    static char text[4096];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);

    text[size < 0 ? 0 : size] = 0;
    return text;
}

/* Counted is what the child itself has used of a processor. */
static void begin(struct trial *t, const char *words)
{
    const struct itimerval span = { .it_value = { .tv_sec = HANG_S } };

    snprintf(t->told->verb, sizeof t->told->verb, "%s", words);
    setitimer(ITIMER_PROF, &span, NULL);
}

static int sov(struct trial *t, const char *words, int err)
{
    char text[400], *argv[24], *save = NULL;
    int argc = 0, status;

    begin(t, words);
    snprintf(text, sizeof text, "sov -C %s %s", t->c.f.repo, words);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    argv[argc] = NULL;
    if (ftruncate(err, 0) != 0) _exit(1);
    lseek(err, 0, SEEK_SET);
    status = sov_cli(argc, argv, &t->c.f.seams);
    fflush(NULL);
    return status;
}

static void run_verb(struct trial *t, const char *words, int err)
{
    struct sov_arena_mark mark = sov_arena_mark(&t->c.f.arena);
    const char *file = path_of(t, "organization.db");
    struct sov_bytes before = octets_of(t, file);
    int status = sov(t, words, err);

    /* An act may be wrong in the world that the row tells of, as any other; a look is never. */
    if (status == 2 && strstr(words, " --actor ")) status = 5;
    if (status < 0 || status == 2 || status > 6)
        blame(t, "another status than 0, 1, 3 to 6", said(err));
    if (status == 6 && (!strstr(said(err), "\n  why ") || !strstr(said(err), "\n  inspect ") ||
                        !strstr(said(err), "\n  next ")))
        blame(t, "no error in four parts", said(err));
    if (status != 0 && !sov_bytes_equal(before, octets_of(t, file)))
        blame(t, "refused, and yet the file was changed", said(err));
    if (status == 0) put_octets(file, before);
    sov_arena_rewind(&t->c.f.arena, mark);
}

static bool is_derived(const char *table)
{
    return strncmp(table, "state_", strlen("state_")) == 0;
}

static void judge(struct trial *t, const char *table)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_verify_options options = {
        .places = &t->c.f.places, .seams = &t->c.f.seams, .wait_ms = 1000, .no_anchor = true
    };
    struct sov_report report;
    struct sov_error err = { 0 };

    begin(t, "verify");
    sov_arena_init(&arena, 64 << 20);
    if (!sov_verify(&options, &arena, &report, &err)) blame(t, err.code, err.what);
    if (report.exit != SOV_INTEGRITY) blame(t, "not 6", "");
    if (!is_derived(table)) return;
    for (size_t i = 0; i < report.count; i++)
        if ((report.findings[i].class == SOV_CLASS_STATE ||
             report.findings[i].class == SOV_CLASS_CORRUPT) && /* against the file's own schema */
            (strcmp(report.findings[i].kind, table) == 0 ||
             strstr(report.findings[i].message, table)))
            return;
    for (size_t i = 0; i < report.count; i++)
        snprintf(t->told->why + strlen(t->told->why), 200, "%s %s; ", report.findings[i].kind,
                 report.findings[i].message);
    blame(t, "no finding STATE names the table", t->told->why);
}

static void child(struct trial *t, const char *table, size_t turn)
{
    int out = open(path_of(t, "../out"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    int err = open(path_of(t, "../err"), O_RDWR | O_CREAT | O_TRUNC, 0600);

    size_t seen = 0;

    if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(1);
    judge(t, table);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const char *of = verbs[i].table ? verbs[i].table : "";

        if (strncmp(table, of, strlen(of)) != 0) continue;
        seen++;
        if (!t->all && (seen + turn) % SLICE != 0) continue;
        run_verb(t, verbs[i].words, err);
    }
    if (is_derived(table) && (t->all || turn % 32 == 0) &&
        sov(t, "rebuild --actor operator", err) != 0)
        blame(t, "it does not heal", said(err));
    _exit(0);
}

static bool survived(struct trial *t, const char *table, size_t turn)
{
    int status;
    pid_t pid;

    memset(t->told, 0, sizeof *t->told);
    fflush(NULL);
    pid = fork();
    if (pid == 0) child(t, table, turn);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFSIGNALED(status))
        snprintf(t->told->why, sizeof t->told->why, "signal %d%s", WTERMSIG(status),
                 WTERMSIG(status) == SIGPROF ? ": it goes on and on" : "");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the trial ---- */

static size_t try_column(struct trial *t, const struct table *table, int column, size_t *turn)
{
    size_t bad = 0;
    bool fired = false;

    /* From where the column before has left off, so that each value has its turn. */
    for (size_t k = 0; k < VALUES && (t->all || !fired); k++) {
        struct sov_arena_mark mark = sov_arena_mark(&t->c.f.arena);
        size_t i = (*turn + k) % VALUES;

        if (strcmp(values[i].type, table->type[column]) != 0) continue;
        if (damage(t, table, column, values[i].value)) {
            fired = true;
            t->fired++;
            if (!survived(t, table->name, *turn)) {
                bad++;
                print_error("%s.%s = %s: %s: %s\n", table->name, table->column[column],
                            values[i].value, t->told->verb, t->told->why);
            }
            ++*turn;
        }
        sov_arena_rewind(&t->c.f.arena, mark);
    }
    if (!fired) fail_msg("%s.%s takes no value", table->name, table->column[column]);
    return bad;
}

static bool has_rows(struct trial *t, const char *table)
{
    char sql[SQL];
    sqlite3 *db = chain_raw(&t->c);
    bool some;

    snprintf(sql, sizeof sql, "DELETE FROM %s", table);
    some = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
    sqlite3_close(db);
    put_octets(path_of(t, "organization.db"), t->whole);
    return some;
}

/* Where the program looks for the key of the ledger. */
static void put_key(struct trial *t, const char *name)
{
    struct sov_arena *arena = &t->c.f.arena;
    const char *folder = sov_arena_printf(arena, "%s/data", t->c.f.root), *file;
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&t->c.id), hex);
    setenv("HOME", t->c.f.root, 1);
    setenv("XDG_DATA_HOME", folder, 1);
    assert_int_equal(mkdir(folder, 0700), 0);
    folder = sov_arena_printf(arena, "%s/sov", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    folder = sov_arena_printf(arena, "%s/keys", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    folder = sov_arena_printf(arena, "%s/%s", folder, hex);
    assert_int_equal(mkdir(folder, 0700), 0);
    file = sov_arena_printf(arena, "%s/ledger.key", folder);
    put_octets(file, octets_of(t, sov_arena_printf(arena, "fixtures/chains/%s.test-key", name)));
    assert_int_equal(chmod(file, 0600), 0);
}

/* Of what none of the logs has; verify finds these rows too much, whatever stands in them. */
static const char *const more[] = {
    "INSERT INTO state_idempotency VALUES ('operator', 'k', 20)",
    "INSERT INTO state_erasure VALUES (zeroblob(32), 20)",
    "INSERT INTO state_filesystem VALUES ('nfs', 'r', 1)",
    "INSERT INTO state_provider VALUES ('p', 'active', '{\"adapter\":\"exec\",\"argv\":[\"a\"],"
    "\"credentials\":[],\"egress\":\"public\",\"env\":[],\"folders\":[],\"network\":false,"
    "\"roots\":[],\"tools\":[]}', 20, '{\"adapter\":\"exec\",\"adapter_version\":1,\"help\":[],"
    "\"proofs\":{},\"version_line\":\"1\"}', 20)",
    "INSERT INTO state_stale VALUES (20, 1, 20, NULL, NULL, 'no_claim')",
};

static void prepare(struct trial *t, const char *name)
{
    struct sov_error err = { 0 };
    sqlite3 *db;

    chain_open(&t->c, name, name);
    chain_write(&t->c, t->c.count);
    if (!chain_rebuilt(&t->c, &err)) fail_msg("%s: %s", name, err.what);
    db = chain_raw(&t->c);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) chain_sql(db, more[i]);
    sqlite3_close(db);
    t->whole = octets_of(t, path_of(t, "organization.db"));
    put_key(t, name);
}

static void no_value_of_a_column_ends_a_verb(void **state)
{
    const struct sov_state_table *tables;
    static const char *const canonical[] = { "event", "blob", "checkpoint" };
    size_t derived, count, bad = 0, turn = 0;
    bool filled[TABLES] = { false };
    struct trial t = { .all = getenv("ROWS") && strcmp(getenv("ROWS"), "all") == 0 };

    (void)state;
    tables = sov_state_tables(&derived);
    count = derived + sizeof canonical / sizeof *canonical;
    assert_true(count <= TABLES);
    t.told = mmap(NULL, sizeof *t.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(t.told != MAP_FAILED);
    for (size_t i = 0; i < LOGS; i++) {
        prepare(&t, logs[i]);
        for (size_t n = 0; n < count; n++) {
            struct table table = { .name = n < derived ? tables[n].name : canonical[n - derived] };

            if (filled[n] || !has_rows(&t, table.name)) continue;
            filled[n] = true;
            loosen(&t, &table);
            for (int column = 0; column < table.count; column++)
                bad += try_column(&t, &table, column, &turn);
        }
        fixture_close(&t.c.f);
    }
    for (size_t n = 0; n < count; n++)
        if (!filled[n]) fail_msg("no log has rows of the table %zu", n);
    print_message("# %zu values\n", t.fired);
    munmap(t.told, sizeof *t.told);
    assert_int_equal(bad, 0);
}

/* In a child: ends it. */
static void refused(struct trial *t, const char *words, const char *code)
{
    int err = open(path_of(t, "../err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    const char *file = path_of(t, "organization.db");
    struct sov_bytes before = octets_of(t, file);

    if (err < 0 || dup2(err, 2) < 0) _exit(1);
    if (sov(t, words, err) != 6 || !strstr(said(err), code)) blame(t, "not refused so", said(err));
    if (!sov_bytes_equal(before, octets_of(t, file))) blame(t, "changed", said(err));
    _exit(0);
}

/* The sentence, and that the file stays as it is: of a text, a number, a list, a hash, a policy. */
static void a_damaged_row_is_called_so(void **state)
{
    static const struct {
        const char *name, *column, *value, *words;
    } rows[] = {
        { "state_receipt", "usage", "'{\"a\":'", "show SOW-1 --format md" },
        { "state_policy", "digest", "zeroblob(31)", "ready --actor principal" },
        { "state_outcome", "state", "'GREEN'", "show OUT-1" },
        { "state_history", "n", "9007199254740991",
          "change record sale --subject SKU-TEA --quantity 1 --source till --actor operator" },
        { "state_history", "sv", "sv + 1000", "log OUT-1" },
        { "state_policy", "document", "'{}'", "ready --actor principal" },
        { "state_actor", "kind", "'x'", "show actors" },
        { "state_actor", "status", "'x'", "actor list" },
    };
    struct trial t = { .all = true };

    (void)state;
    t.told = mmap(NULL, sizeof *t.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(t.told != MAP_FAILED);
    prepare(&t, "good-store");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table table = { .name = rows[i].name };
        int column = 0, status;
        pid_t pid;

        loosen(&t, &table);
        while (strcmp(table.column[column], rows[i].column) != 0) column++;
        assert_true(damage(&t, &table, column, rows[i].value));
        memset(t.told, 0, sizeof *t.told);
        fflush(NULL);
        pid = fork();
        if (pid == 0) refused(&t, rows[i].words, "state_damaged");
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (status) fail_msg("%s.%s: %s", rows[i].name, rows[i].column, t.told->why);
    }
    munmap(t.told, sizeof *t.told);
    fixture_close(&t.c.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_row_is_called_so),
        cmocka_unit_test(no_value_of_a_column_ends_a_verb),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
