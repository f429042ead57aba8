#include "base/amount.h"
#include "base/env.h"
#include "cli/record.h"
#include "cli/report.h"

/* ---- a proof made ---- */

static void put(struct sov_call *call, struct sov_bytes text, const struct sov_proven *proven,
                const struct sov_hash *id)
{
    bool between = proven->kind == SOV_PROOF_CONSISTENCY;
    struct sov_node *data = sov_node_object(call->arena);

    sov_add_text(data, "kind", between ? "consistency" : "inclusion");
    if (!between) sov_add_int(data, "seq", proven->event.seq);
    sov_add_int(data, "size", proven->size);
    sov_add_hex(data, "root", sov_hash_bytes(&proven->root));
    if (between) {
        sov_add_int(data, "old_size", proven->old_size);
        sov_add_hex(data, "old_root", sov_hash_bytes(&proven->old_root));
    } else {
        sov_add_bytes(data, "octets", proven->event.octets);
    }
    sov_add_hex(data, "ledger_id", sov_hash_bytes(id));
    sov_add_bytes(data, "proof", text);
    sov_out_octets(call->out, text);
    sov_out_data(call->out, data);
}

/* Given out only after it was judged as any receiver would. */
static bool give(struct sov_call *call, const struct sov_tree_proof *proof, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_proof_options options = { 0 };
    struct sov_identity identity;
    struct sov_report report;
    struct sov_proven proven;

    sov_buf_init(&text, SOV_PROOF_SIZE_MAX);
    sov_proof_write(proof, &text);
    if (!sov_buf_whole(&text, "the proof", err)) return false;
    sov_ledger_identity(call->ledger, &identity);
    options.ledger_id = &identity.id;
    sov_proof_judge(sov_buf_bytes(&text), &options, call->arena, &report, &proven);
    if (report.exit != SOV_OK)
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch", "the proof does not hold: %s",
                        report.count ? report.findings[0].message : "nothing was looked at");
    put(call, sov_buf_bytes(&text), &proven, &identity.id);
    return true;
}

static bool of_event(struct sov_call *call, struct sov_error *err)
{
    struct sov_tree_proof proof;
    struct sov_ref ref;
    const int64_t *seqs;
    size_t count;

    if (!sov_ref_find(call, call->words[0], &ref, err)) return false;
    if (!ref.seq) {
        if (!sov_stream_history(call->ledger, &ref.stream, call->arena, &seqs, &count, err))
            return false;
        ref.seq = seqs[count - 1];
    }
    return sov_prove_event(call->ledger, ref.seq, call->arena, &proof, err) &&
           give(call, &proof, err);
}

static bool between(struct sov_call *call, struct sov_error *err)
{
    struct sov_tree_proof proof;
    int64_t from, to;

    if (!sov_int_of(call, SOV_FLAG_BETWEEN, 1, SOV_INT_MAX, 0, &from, err)) return false;
    if (!sov_integer(call->words[0], &to) || to < 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no size of a log", call->words[0]);
    if (to < from)
        return sov_fail(err, SOV_USAGE, "bad_value", "%lld is larger than %lld: M comes before N",
                        (long long)from, (long long)to);
    return sov_prove_between(call->ledger, from, to, call->arena, &proof, err) &&
           give(call, &proof, err);
}

/* ---- a proof judged ---- */

static void say(struct sov_call *call, const struct sov_proven *proven)
{
    struct sov_out *out = call->out;

    if (proven->kind == SOV_PROOF_CONSISTENCY) {
        sov_out_line(out, "proof    the log of %lld events is a prefix of the log of %lld",
                     (long long)proven->old_size, (long long)proven->size);
        return;
    }
    sov_out_line(out, "proof    event %lld, %s, is in the log of %lld",
                 (long long)proven->event.seq, sov_event_row(proven->event.type)->type,
                 (long long)proven->size);
    sov_out_line(out, "event    %.*s", (int)proven->event.octets.size,
                 (const char *)proven->event.octets.data);
}

static void verdict(struct sov_call *call, const struct sov_report *report,
                    const struct sov_proven *proven)
{
    struct sov_node *data = sov_node_object(call->arena);

    if (report->known) {
        bool is_event = proven->kind == SOV_PROOF_INCLUSION;

        sov_add_text(data, "kind", is_event ? "inclusion" : "consistency");
        if (is_event) {
            sov_add_int(data, "seq", proven->event.seq);
            sov_add_bytes(data, "octets", proven->event.octets);
        } else {
            sov_add_int(data, "old_size", proven->old_size);
            sov_add_hex(data, "old_root", sov_hash_bytes(&proven->old_root));
        }
        sov_add_hex(data, "ledger_id", sov_hash_bytes(&report->ledger_id));
    }
    sov_report_put(report, data);
    sov_out_data(call->out, data);
}

static bool check(struct sov_call *call, struct sov_error *err)
{
    const char *asked = sov_value_of(call, SOV_FLAG_LEDGER_ID);
    const char *const *files;
    struct sov_proof_options options = { .pins = call->found.pins,
                                         .no_anchor = sov_given(call, SOV_FLAG_NO_ANCHOR) };
    struct sov_report report;
    struct sov_proven proven;
    struct sov_bytes file;
    struct sov_hash id;

    if (!asked) asked = sov_env("SOV_LEDGER_ID");
    if (asked && !sov_unhex(sov_bytes_text(asked), id.octets, sizeof id.octets))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no ledger id of 64 hex digits", asked);
    if (asked) options.ledger_id = &id;
    if (sov_values_of(call, SOV_FLAG_CHECK, &files) != 1)
        return sov_fail(err, SOV_USAGE, "usage", "--check takes one FILE");
    if (!sov_file_of(call, files[0], SOV_PROOF_SIZE_MAX, &file, err)) return false;
    sov_proof_judge(file, &options, call->arena, &report, &proven);
    if (report.known && report.exit != SOV_INTEGRITY && !call->out->quiet) say(call, &proven);
    sov_report_print(call, &report);
    verdict(call, &report, &proven);
    call->answer = report.exit;
    return true;
}

static bool prove(struct sov_call *call, struct sov_error *err)
{
    bool is_between = sov_given(call, SOV_FLAG_BETWEEN), is_check = sov_given(call, SOV_FLAG_CHECK);

    if (is_check) {
        if (is_between || call->word_count)
            return sov_fail(err, SOV_USAGE, "usage", "--check FILE stands alone");
        return check(call, err);
    }
    if (sov_given(call, SOV_FLAG_LEDGER_ID) || sov_given(call, SOV_FLAG_NO_ANCHOR))
        return sov_fail(err, SOV_USAGE, "usage", "--ledger-id and --no-anchor go with --check");
    if (!call->word_count)
        return sov_fail(err, SOV_USAGE, "usage", "%s",
                        is_between ? "--between takes two sizes" : "prove what? give a REF");
    if (!sov_call_read(call, err)) return false;
    return is_between ? between(call, err) : of_event(call, err);
}

static const struct sov_form forms[] = {
    { "", prove, SOV_CLONES, 0, 1,
      "[REF] [--between M N] [--check FILE] [--ledger-id HEX] [--no-anchor]",
      "prove that an event stands in the log, or that an older log is its prefix; check a proof",
      "kind:s seq:i octets:s size:i root:s old_size:i old_root:s ledger_id:s proof:s verdict:s "
      "exit:i mode:s published_size:i identity:s? anchors:a unanchored_tail:i steps:a "
      "first_bad_seq:i? findings:a",
      "1 UNANCHORED: neither --ledger-id nor a pin says which ledger it must be\n"
      "6 TAMPER or FORK: the proof does not hold, or is of another ledger",
      "sov prove ACC-1 -o acceptance.tlog-proof\nsov prove --between 12 44 -o growth.proof\n"
      "sov prove --check acceptance.tlog-proof --ledger-id HEX",
      NULL },
};
static const struct sov_verb verb = {
    "prove",
    "a proof that others check without the ledger",
    "A proof is a C2SP tlog-proof: RFC 6962 hashes from the event to the root, and the signed\n"
    "checkpoint of that root. Of an entity its newest event is proven. The extra data holds event "
    "1\n"
    "and the event, one a line, so that --check needs the file and the ledger id alone: the id is\n"
    "the SHA-256 of event 1, event 1 names the root key, that key signs every checkpoint (it is\n"
    "never rotated, so there is no lineage to follow). Without --ledger-id a pin does.\n"
    "M and N of --between are sizes that have a checkpoint.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_prove(void)
{
    return &verb;
}
