/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a review on its target: one value, one sentence, and its text in a table. */
#include "base/listing.h"
#include "result/wording.h"
#include "review/recall.h"
#include "review/review_verdict.h"
#include "stat/sequential/stopping.h"
#include "trec/text.h"
#include <math.h>

#include <inttypes.h>
#include <string.h>

iv_verdict iv_recall_verdict(iv_limits x, double target)
{
    const iv_claim c = { .kind = IV_CLAIM_AT_LEAST, .bound = target, .lower = x.lower,
                         .upper = x.upper, .p = NAN, .p_contrary = NAN };

    return iv_claim_decide(&c);
}

void iv_review_verdict_decide(iv_review_verdict *v)
{
    v->verdict = v->undecided > 0 || v->order < IV_CHECK_P ? IV_VERDICT_OPEN
        : iv_recall_verdict((iv_limits){ v->lower, v->upper }, v->target);
}

iv_claim iv_recall_claim_of(const char *measure, double estimate, iv_limits x, double target,
                            double confidence)
{
    iv_claim c = { .kind = IV_CLAIM_AT_LEAST, .measure = measure, .bound = target,
                   .estimate = estimate, .lower = x.lower, .upper = x.upper, .p = NAN,
                   .p_contrary = NAN, .level = 1.0 - confidence };

    iv_claim_outlook(&c);
    return c;
}

iv_claim iv_review_verdict_claim(const iv_review_verdict *v)
{
    iv_claim c = iv_recall_claim_of("recall", NAN, (iv_limits){ v->lower, v->upper }, v->target,
                                    v->confidence);

    c.withheld = v->undecided > 0 ? "grades may still change" : v->order < IV_CHECK_P
        ? "relevant documents are not in random order" : NULL;
    c.unknown = c.withheld != NULL;
    c.strength = IV_STRENGTH_GUARANTEED;
    c.method = strcmp(v->rule, "anytime") == 0 ? "confidence-sequence"
        : strcmp(v->rule, "qbcb") == 0 ? "qbcb" : "obrien-fleming";
    return c;
}

/* How the rule makes its limits valid. */
static void say_rule(iv_wording *w, const iv_review_verdict *v)
{
    if (strncmp(v->rule, "plan:", 5) == 0)
        iv_say(w, "; planned interim analyses: %s", v->rule + 5);
    else
        iv_say(w, strcmp(v->rule, "anytime") == 0 ? "; valid whenever you stop judging"
                  : strcmp(v->rule, "qbcb") == 0 ? "; by a control sample"
                                                 : "; sample size fixed in advance");
}

void iv_review_verdict_say(iv_wording *w, const iv_review_verdict *v)
{
    const bool shown = v->verdict == IV_VERDICT_SHOWN;
    char goal[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    (void)iv_percent(goal, v->target, v->target);
    (void)iv_percent_limit(low, v->lower, v->target, false);
    (void)iv_percent_limit(high, v->upper, v->target, true);
    if (v->undecided > 0)
        iv_say(w, "Inconclusive: %" PRId64 " judged document%s not decided, because assessors "
               "disagree or a second judgment is missing (target %s, %.10g %% confidence",
               v->undecided, v->undecided == 1 ? " is" : "s are", goal, 100.0 * v->confidence);
    else if (v->order < IV_CHECK_P)
        iv_say(w, "Inconclusive: relevant documents are not in random order within their strata "
               "(p = %.1g), so labels drifted or the order was not kept, and the rule is not valid "
               "(target %s, %.10g %% confidence", v->order, goal, 100.0 * v->confidence);
    else if (v->verdict != IV_VERDICT_OPEN)
        iv_say(w, "%s: recall is %s %s (%.10g %% confidence, one-sided %s limit %s, rounded "
               "outwards", shown ? "Yes, certified" : "No", shown ? "at least" : "below", goal,
               100.0 * v->confidence, shown ? "lower" : "upper", shown ? low : high);
    else
        iv_say(w, "Inconclusive: a recall of %s is neither demonstrated nor excluded (%.10g %% "
               "confidence, one-sided limits %s and %s, rounded outwards", goal,
               100.0 * v->confidence, low, high);
    say_rule(w, v);
    iv_say(w, ").");
}

/* ------------------------------------------------------------- in a table -- */

void iv_review_verdict_write(char out[IV_REVIEW_VERDICT_SIZE], const iv_review_verdict *v)
{
    char target[IV_REAL_SIZE], confidence[IV_REAL_SIZE], lower[IV_REAL_SIZE], upper[IV_REAL_SIZE];

    (void)iv_format_real(target, v->target);
    (void)iv_format_real(confidence, v->confidence);
    (void)iv_format_real(lower, v->lower);
    (void)iv_format_real(upper, v->upper);
    (void)snprintf(out, IV_REVIEW_VERDICT_SIZE, "rule=%s target=%s confidence=%s lower=%s upper=%s"
                   " judged=%" PRId64 " relevant=%" PRId64 " undecided=%" PRId64 " order=%.3g",
                   v->rule, target, confidence, lower, upper, v->judged, v->relevant,
                   v->undecided, v->order);
}

bool iv_review_verdict_read(iv_review_verdict *out, iv_str text)
{
    static const char *const names[] = { "target=", "confidence=", "lower=", "upper=", "judged=",
                                         "relevant=", "undecided=", "order=" };
    iv_review_verdict v = { .rule = "" };
    double number[8];
    size_t found = 0;
    iv_str word;

    if (!iv_next_word(&word, &text) || word.len <= 5 || word.len - 5 >= sizeof v.rule
        || memcmp(word.ptr, "rule=", 5) != 0)
        return false;
    memcpy(v.rule, word.ptr + 5, word.len - 5);
    for (; found < 8 && iv_next_word(&word, &text); found++) {
        const size_t len = strlen(names[found]);
        if (word.len <= len || memcmp(word.ptr, names[found], len) != 0
            || !iv_scan_real(&number[found], (iv_str){ word.ptr + len, word.len - len })
            || !(number[found] >= 0.0 && number[found] <= (found < 4 ? 1.0 : 1e15)))
            return false;
    }
    v.target = number[0];
    v.confidence = number[1];
    v.lower = number[2];
    v.upper = number[3];
    v.judged = (int64_t)number[4];
    v.relevant = (int64_t)number[5];
    v.undecided = (int64_t)number[6];
    v.order = number[7];
    iv_review_verdict_decide(&v);
    *out = v;
    return found == 8 && v.target > 0.0;
}

int iv_review_verdict_of_table(iv_recall_state *t, const iv_strata_table *table, iv_err *err)
{
    int64_t judged = 0, relevant = 0;
    iv_review_verdict v;
    char quoted[IV_QUOTE_SIZE];

    if (table->verdict.len == 0)
        return IV_OK;
    if (!iv_review_verdict_read(&v, table->verdict))
        return iv_fail_at(err, IV_EPARSE, table->path, 0, "column verdict is %s, expected the text "
                          "of an export", iv_quote(quoted, table->verdict));
    for (size_t i = 0; i < table->row_count; i++) {
        judged += table->rows[i].sampled;
        relevant += table->rows[i].relevant;
    }
    if (judged != v.judged || relevant != v.relevant)
        return iv_fail_at(err, IV_EPARSE, table->path, 0, "column verdict is of %" PRId64 " judged "
                          "and %" PRId64 " relevant documents, the table has %" PRId64 " and %"
                          PRId64 "; expected the table as it was exported, or no such column",
                          v.judged, v.relevant, judged, relevant);
    if (t->q->stopping.anytime || t->q->stopping.looks > 0
        || (t->q->target != 0.0 && t->q->target != v.target)
        || (t->q->confidence != 0.0 && t->q->confidence != v.confidence))
        return IV_OK; /* another question */
    t->session = v;
    return IV_OK;
}
