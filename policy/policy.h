#ifndef SOV_POLICY_H
#define SOV_POLICY_H
/*
 * Policy: the pure decisions. (state, request) -> verdict and code.
 * Owns: refusal codes, authorities and the policy document, separation, the transition tables, the
 * gates of review and acceptance, effect arithmetic, wake decisions, claim and run verdicts,
 * limits. Not here: finding the facts (ledger/), looking at the world (verify/, providers/),
 * printing (cli/). Nothing reads a clock, a file, the environment or a database.
 *
 * The parts of the door, each private to this folder but for this line:
 */
#include "base/buf.h"
#include "base/seams.h"
#include "policy/approval.h"    /* votes, quorum, what an approval allows */
#include "policy/document.h"    /* struct sov_policy, authorities */
#include "policy/effect.h"      /* E1 to E8, conditions */
#include "policy/gates.h"       /* review 1-14, acceptance 1-36 */
#include "policy/lifecycle.h"   /* states and arrows */
#include "policy/limits.h"      /* what is compiled in */
#include "policy/run_verdict.h" /* receipt status and category */
#include "policy/separation.h"  /* who is the same */
#include "policy/wake.h"        /* the pulse */

/* ---- refusals (refusals.def): the contract is code and class, the sentences are not ---- */
struct sov_refusal {
    const char *code;
    enum sov_exit exit;
    const char *why;     /* the rule, one sentence, lower case */
    const char *inspect; /* a command; %1 .. %4 stand for the references of the error */
    const char *next;    /* a command or an advice in words */
};
const struct sov_refusal *sov_refusal_find(const char *code); /* NULL: no such code */
const struct sov_refusal *sov_refusal_at(size_t n);           /* NULL past the end */

/* ---- a live claim, judged (claim.c): the only ground for claim.expired ---- */
struct sov_claim_facts { /* of its newest claim.acquired or claim.renewed */
    int64_t at_ms, ttl_s, boot_ms;
    const char *machine, *boot;
    bool gone; /* seen now, on its own machine and boot: its process is there no more */
    /* of claim.anomalous since then: who judged so; machine NULL: there is none */
    struct {
        const char *machine, *boot;
        int64_t boot_ms;
    } doubt;
};
/* ANOMALOUS: no clock that both share can judge it; that is to be recorded, once. */
enum sov_claim_verdict { SOV_CLAIM_LIVE, SOV_CLAIM_OVERDUE, SOV_CLAIM_ANOMALOUS };
/* *ground_out: boot_clock, process_gone, other_boot, anomalous or wall_clock; also for a live one,
 * what was looked at. */
enum sov_claim_verdict sov_policy_claim(const struct sov_policy *policy,
                                        const struct sov_claim_facts *claim,
                                        const struct sov_now *now, int64_t newest_at_ms,
                                        const char **ground_out);
/* A ttl as asked for: 1 to ttl.max, else bad_value. */
SOV_MUST_USE bool sov_policy_ttl(const struct sov_policy *policy, int64_t ttl_s,
                                 struct sov_error *err);

/* A heartbeat: NO_BEATS (beat_ms 0), ALIVE, STALE. */
const char *sov_policy_heartbeat(const struct sov_policy *policy, int64_t beat_ms, int64_t now_ms);

/* ---- everything above as text: default document, limits, tables, gates (snapshot.c) ---- */
void sov_policy_snapshot(struct sov_buf *out);
#endif
