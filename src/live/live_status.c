/* SPDX-License-Identifier: Apache-2.0 */
/* How a session stands, as a result for every format. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "live/live_flow.h"
#include "live/live_tables.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "store/combined.h"
#include "store/overview.h"
#include "store/queue.h"
#include "store/restore.h"
#include "store/upkeep.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------- numbers -- */

/* What a table of numbers has: recall, which people read in percent, or counts. */
enum { SHARES = 1, COUNTS = 2 };

typedef struct number_row {
    const char *kind, *of;
    double value, lower, upper;
    size_t documents;
    const char *valid;
    const char *shown[3]; /* value and limits of a recall, for people */
    double rule;          /* the limit of the stopping rule, by these labels */
    const char *rule_shown;
    double ruled;         /* documents that it is from, where not those of the row; else NaN */
} number_row;

#define NUMBERS(T)                                                                               \
    { "value", IV_AT(T, value), .digits = IV_DIGITS, .shown = COUNTS },                           \
    { "lower", IV_AT(T, lower), .digits = IV_DIGITS, .shown = COUNTS, .audience = IV_IF_ANY,      \
      .about = "lower limit of the interval" },                                                  \
    { "upper", IV_AT(T, upper), .digits = IV_DIGITS, .shown = COUNTS, .audience = IV_IF_ANY,      \
      .about = "upper limit of the interval" },                                                  \
    { "estimate", IV_AT(T, shown[0]), .needs = SHARES, .audience = IV_FOR_PEOPLE },               \
    { "from", IV_AT(T, shown[1]), .needs = SHARES, .audience = IV_FOR_PEOPLE,                     \
      .about = "lower limit" },                                                                  \
    { "to", IV_AT(T, shown[2]), .needs = SHARES, .audience = IV_FOR_PEOPLE,                       \
      .about = "upper limit" }

static const iv_field number_fields[] = {
    { "kind", IV_AT(number_row, kind), .audience = IV_IF_VARIES,
      .about = "now, guaranteed or plan" },
    { "of", IV_AT(number_row, of), .heading = "quantity" },
    NUMBERS(number_row),
    { "documents", IV_AT(number_row, documents), .heading = "judged up to first unjudged",
      .about = "judged documents that the estimate uses" },
    { "valid", IV_AT(number_row, valid), .heading = "note", .about = "when the number is valid" },
    { NULL } };

/* As people read them: limits that decide are rounded outwards, as in the sentence. */
static void show(const char *out[3], iv_arena *a, double value, double lower, double upper,
                 double target, bool one_sided)
{
    char text[IV_FIGURE_SIZE];

    out[0] = isnan(value) ? NULL : iv_arena_copy(a, iv_str_of(iv_percent(text, value, NAN)));
    out[1] = isnan(lower) ? NULL : iv_arena_copy(a, iv_str_of(one_sided
        ? iv_percent_limit(text, lower, target, false) : iv_percent(text, lower, NAN)));
    out[2] = isnan(upper) ? NULL : iv_arena_copy(a, iv_str_of(one_sided
        ? iv_percent_limit(text, upper, target, true) : iv_percent(text, upper, NAN)));
}

#define NOT_VALID "not valid here, as labels are not in random order"

/* The limits of the rule stand first. */
static number_row rule_row(iv_arena *a, const iv_live *l)
{
    const bool plan = l->looks > 0;
    number_row r = { plan ? "plan" : "guaranteed", plan
                     ? l->may_stop ? "recall at the interim analysis that decides"
                                   : "recall at the most recent interim analysis" : "recall",
                     NAN, l->lower, l->upper, plan ? l->judged_at_last : l->whole, l->invalid
                     ? "stopping rule, " NOT_VALID : plan
                     ? "stopping rule: one-sided, 95 % confidence each, the lower one for all "
                       "interim analyses together"
                     : "stopping rule: one-sided, 95 % confidence each, whenever you stop judging",
                     { NULL } };

    show(r.shown, a, NAN, r.lower, r.upper, l->target, true);
    return r;
}

/* Limits that do not decide. */
static size_t add_guaranteed(number_row *rows, size_t n, iv_arena *a, const iv_live *l)
{
    char text[IV_FIGURE_SIZE];

    if (l->looks > 0 || l->target == 0.0) {
        rows[n] = (number_row){ "guaranteed", "recall", NAN, l->guaranteed, NAN, l->whole,
                                l->invalid ? NOT_VALID : "not the stopping rule: one-sided, 95 % "
                                "confidence, whenever you stop judging", { NULL } };
        show(rows[n].shown, a, NAN, l->guaranteed, NAN, l->target, true);
        return n + 1;
    }
    rows[n] = (number_row){ "guaranteed", "e-value for the target (at most 1,000)",
                            fmin(l->evidence, 1000.0), NAN, NAN, l->whole,
                            l->invalid ? NOT_VALID : "demonstrated when it reaches 20", { NULL } };
    (void)snprintf(text, sizeof text, "%.3g", rows[n].value);
    rows[n].shown[0] = iv_arena_copy(a, iv_str_of(text));
    return n + 1;
}

void iv_live_table_numbers(iv_result *out, iv_arena *a, const iv_live *l)
{
    number_row rows[5];
    size_t n = 0;

    if (l->has_guaranteed && l->target > 0.0)
        rows[n++] = rule_row(a, l);
    rows[n] = (number_row){ "now", l->now.of, l->now.value, l->now.lower, l->now.upper, l->prefix,
                            isnan(l->now.lower) ? "" : l->judged < l->items
                            ? "two-sided 95 % interval; interim: do not use it to stop"
                            : l->has_guaranteed && l->target > 0.0
                            ? "not the stopping rule: two-sided 95 % interval"
                            : "two-sided 95 % interval", { NULL } };
    show(rows[n++].shown, a, l->now.value, l->now.lower, l->now.upper, NAN, false);
    if (l->streak > 0)
        rows[n++] = (number_row){ "now", "irrelevant documents in a row", (double)l->streak, NAN,
                                  NAN, l->prefix, "not a stopping rule", { NULL } };
    if (l->has_guaranteed)
        n = add_guaranteed(rows, n, a, l);
    (void)iv_result_rows(out, &(iv_rows){ "numbers", number_fields, rows, n, sizeof *rows,
                                         .with = l->has_guaranteed ? SHARES : COUNTS,
                                         .digits = l->has_guaranteed ? 3 : 0 });
}

/* -------------------------------------------------- topics, assessors -- */

static const iv_field topic_fields[] = {
    { "topic", IV_AT(iv_store_topic, name) },
    { "items", IV_AT(iv_store_topic, items), .about = "documents to judge" },
    { "judged", IV_AT(iv_store_topic, judged), .about = "documents that somebody has judged" },
    { "done", IV_AT(iv_store_topic, done), .audience = IV_FOR_PROGRAMS,
      .about = "judged as often as planned" }, { NULL } };

int iv_live_table_topics(iv_result *out, iv_arena *a, iv_store *s, iv_err *err)
{
    const size_t count = iv_store_about_of(s)->topics;
    iv_store_topic *rows = iv_take(a, count + 1, sizeof *rows);

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t t = 0; t < count; t++)
        rows[t] = iv_store_topic_at(s, t);
    (void)iv_result_rows(out, &(iv_rows){ "topics", topic_fields, rows, count, sizeof *rows,
                                          .showing = count > 12 ? IV_LONG : IV_SHOWN });
    return IV_OK;
}

enum { DATED = 1 };

static const iv_field person_fields[] = {
    { "assessor", IV_AT(iv_assessor_row, name) },
    { "judged", IV_AT(iv_assessor_row, judged) },
    { "imported", IV_AT(iv_assessor_row, imported), .audience = IV_IF_VARIES,
      .about = "of all their judgments, also replaced ones: those made elsewhere" },
    { "relevant", IV_AT(iv_assessor_row, relevant) },
    { "cannot", IV_AT(iv_assessor_row, cannot), .heading = "cannot judge",
      .about = "documents they could not judge" },
    { "later", IV_AT(iv_assessor_row, later), .heading = "postponed",
      .about = "documents they have put off" },
    { "undone", IV_AT(iv_assessor_row, undone), .audience = IV_FOR_PROGRAMS },
    { "decided", IV_AT(iv_assessor_row, decided), .audience = IV_IF_VARIES,
      .heading = "disagreements decided", .about = "disagreements that they decided" },
    { "decided_own", IV_AT(iv_assessor_row, own), .audience = IV_IF_VARIES,
      .heading = "of them own", .about = "of these, disagreements in which a label is their own" },
    { "replaced", IV_AT(iv_assessor_row, replaced), .audience = IV_IF_VARIES,
      .heading = "undisputed labels replaced",
      .about = "documents on whose labels nobody disagreed, and which they decided otherwise" },
    { "seconds", IV_AT(iv_assessor_row, seconds), .digits = 1, .heading = "median seconds",
      .about = "median active time of a judgment, as the page reported it" },
    { "first", IV_AT(iv_assessor_row, first), .shown = DATED, .heading = "first judgment",
      .about = "time of the first judgment that was not imported, UTC" },
    { "last", IV_AT(iv_assessor_row, last), .shown = DATED, .heading = "last judgment",
      .about = "time of the last judgment that was not imported, UTC" },
    { "may", IV_AT(iv_assessor_row, may), .audience = IV_IF_VARIES,
      .about = "rights of the assessor: judge, adjudicate, or revoked" }, { NULL } };

void iv_live_table_people(iv_result *out, const iv_live_facts *f, bool dated)
{
    (void)iv_result_rows(out, &(iv_rows){ "assessors", person_fields, f->people, f->people_count,
                                          sizeof *f->people, .with = dated ? DATED : 0 });
}

/* -------------------------------------------------------------- PRISMA -- */

static const iv_field flow_fields[] = {
    { "step", IV_AT(iv_live_step, name) }, { "records", IV_AT(iv_live_step, records) }, { NULL } };

/* Duplicates of references: those restored are no longer removed. */
static int count_duplicates(size_t *restored, size_t *kept, iv_arena *a, iv_store *s, iv_err *err)
{
    const iv_store_duplicate *rows;
    size_t count = 0;

    IV_TRY(iv_store_duplicates(&rows, &count, a, s, err));
    for (size_t i = 0; i < count; i++) {
        *restored += strcmp(rows[i].state, "restored") == 0;
        *kept += strcmp(rows[i].state, "kept") == 0;
    }
    return IV_OK;
}

static int table_duplicates(iv_result *out, iv_arena *a, iv_store *s, iv_err *err)
{
    static const iv_field fields[] = {
        { "record", IV_AT(iv_store_duplicate, record) },
        { "state", IV_AT(iv_store_duplicate, state),
          .about = "removed, restored, or kept: the record only resembles the other" },
        { "reason", IV_AT(iv_store_duplicate, reason) },
        { "stays", IV_AT(iv_store_duplicate, stays), .about = "the record that stays" },
        { "title", IV_AT(iv_store_duplicate, title) }, { NULL } };
    const iv_store_duplicate *rows;
    size_t count = 0;

    IV_TRY(iv_store_duplicates(&rows, &count, a, s, err));
    if (count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "duplicates", fields, rows, count, sizeof *rows,
                                              .showing = count > 12 ? IV_LONG : IV_SHOWN });
    return IV_OK;
}

static int count_of(size_t *out, iv_arena *a, iv_store *s, const char *key, iv_err *err)
{
    iv_str text;
    int64_t n = 0;

    IV_TRY(iv_store_value(&text, a, s, key, err));
    *out = text.ptr != NULL && iv_scan_int(&n, text, 0, INT64_MAX) ? (size_t)n : SIZE_MAX;
    return IV_OK;
}

int iv_live_flow(const iv_live_step **out, size_t *count, iv_arena *a, iv_store *s,
                 const iv_live *l, iv_err *err)
{
    size_t duplicates, skipped, before, tags = 0, n = 0, restored = 0, kept = 0;
    size_t included = 0, excluded = 0, cannot = 0;
    const int32_t level = iv_store_about_of(s)->level;
    const iv_store_tag *tag;
    iv_combined c;

    IV_TRY(count_of(&duplicates, a, s, "duplicates", err));
    IV_TRY(count_of(&skipped, a, s, "skipped", err));
    IV_TRY(count_of(&before, a, s, "judged_before", err));
    *count = 0;
    if (duplicates == SIZE_MAX || skipped == SIZE_MAX || before == SIZE_MAX)
        return IV_OK;
    IV_TRY(iv_store_combine(&c, a, s, NULL, false, err));
    IV_TRY(iv_store_tags(&tag, &tags, a, s, &c, err));
    IV_TRY(count_duplicates(&restored, &kept, a, s, err));
    duplicates -= restored < duplicates ? restored : duplicates;
    iv_live_step *rows = iv_take(a, tags + 11, sizeof *rows);
    if (rows == NULL)
        return iv_no_memory(err);
    rows[n++] = (iv_live_step){ "records identified", l->items + before + duplicates + skipped };
    rows[n++] = (iv_live_step){ "duplicates removed", duplicates };
    if (kept > 0)
        rows[n++] = (iv_live_step){ "possible duplicates, kept", kept };
    rows[n++] = (iv_live_step){ "removed: neither title nor abstract", skipped };
    for (size_t i = 0; i < c.count; i++) {
        const bool graded = c.grade[i] >= 0;
        cannot += c.grade[i] == IV_COMBINED_CANNOT && c.state[i] == IV_DECIDED;
        included += graded && c.state[i] == IV_DECIDED && c.grade[i] >= level;
        excluded += graded && c.state[i] == IV_DECIDED && c.grade[i] < level;
    }
    rows[n++] = (iv_live_step){ "records screened", l->judged + before };
    rows[n++] = (iv_live_step){ "excluded", excluded + before - l->control };
    for (size_t i = 0; i < tags; i++) {
        char step[96];
        (void)snprintf(step, sizeof step, "excluded: %.80s", tag[i].name);
        if (tag[i].excluded > 0)
            rows[n++] = (iv_live_step){ iv_arena_copy(a, iv_str_of(step)), tag[i].excluded };
    }
    rows[n++] = (iv_live_step){ "included", included + l->control };
    if (c.conflicts > 0)
        rows[n++] = (iv_live_step){ "disagreement, not decided", c.conflicts };
    if (c.one_of_two > 0)
        rows[n++] = (iv_live_step){ "judged by one of two assessors", c.one_of_two };
    if (cannot > 0)
        rows[n++] = (iv_live_step){ "cannot judge", cannot };
    rows[n++] = (iv_live_step){ "not screened", l->items - l->judged };
    *out = rows;
    *count = n;
    return IV_OK;
}

int iv_live_table_flow(iv_result *out, iv_arena *a, iv_store *s, const iv_live *l, iv_err *err)
{
    const iv_live_step *rows;
    size_t count = 0;

    IV_TRY(iv_live_flow(&rows, &count, a, s, l, err));
    if (count == 0)
        return IV_OK;
    IV_TRY(table_duplicates(out, a, s, err));
    (void)iv_result_rows(out, &(iv_rows){ "prisma", flow_fields, rows, count, sizeof *rows });
    return IV_OK;
}

/* ---------------------------------------------------------- agreement -- */

#define LIMIT(of, end)                                                                      \
    { #of "_" #end, IV_AT(iv_live_pair, of##_##end), .digits = 3, .heading = #end,            \
      .about = #end " limit of the " #of ", 95 % confidence" }

static const iv_field pair_fields[] = {
    { "a", IV_AT(iv_live_pair, a) }, { "b", IV_AT(iv_live_pair, b) },
    { "items", IV_AT(iv_live_pair, items), .about = "that both have graded" },
    { "agreement", IV_AT(iv_live_pair, agreement), .digits = 3,
      .about = "proportion with equal labels" }, LIMIT(agreement, lower), LIMIT(agreement, upper),
    { "kappa", IV_AT(iv_live_pair, kappa), .digits = 3, .about = "Cohen's kappa, the agreement "
      "beyond chance, by linear weights of more than two grades" },
    LIMIT(kappa, lower), LIMIT(kappa, upper), { NULL } };

/* Limits that are shown beside the numbers. */
enum { RULED = 4 };

static const iv_field under_fields[] = {
    { "answer", IV_AT(number_row, of), .heading = "whose label counts",
      .about = "the answer if, where several judged a document, this label counted" },
    NUMBERS(number_row),
    { "rule_lower", IV_AT(number_row, rule), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .needs = RULED, .about = "one-sided lower limit of the stopping rule" },
    { "rule_limit", IV_AT(number_row, rule_shown), .audience = IV_FOR_PEOPLE, .needs = RULED,
      .heading = "lower limit of the rule",
      .about = "one-sided lower limit of the stopping rule; it decides on the target" },
    { "documents", IV_AT(number_row, documents), .about = "judged documents that it uses" },
    { "rule_documents", IV_AT(number_row, ruled), .audience = IV_IF_ANY, .needs = RULED,
      .heading = "documents of the limit", .about = "first documents that the limit of the rule "
      "uses, where these are fewer" },
    { NULL } };

static int table_under(iv_result *out, iv_arena *a, const iv_live_agreement *g, unsigned with,
                       double target, iv_err *err)
{
    number_row *rows = iv_take(a, g->under_count + 1, sizeof *rows);
    char text[IV_FIGURE_SIZE];

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < g->under_count; i++) {
        const iv_live_value *v = &g->under[i];
        rows[i] = (number_row){ "", v->of, v->value, v->lower, v->upper, v->documents, "",
                                { NULL }, v->rule_lower, NULL,
                                !isnan(v->rule_lower) && v->ruled < v->documents
                                ? (double)v->ruled : (double)NAN };
        show(rows[i].shown, a, v->value, v->lower, v->upper, NAN, false);
        if ((with & RULED) && !isnan(v->rule_lower))
            rows[i].rule_shown = iv_arena_copy(a, iv_str_of(
                iv_percent_limit(text, v->rule_lower, target, false)));
    }
    (void)iv_result_rows(out, &(iv_rows){ "under", under_fields, rows, g->under_count,
                                          sizeof *rows, .with = with,
                                          .digits = with & SHARES ? 3 : 0 });
    return IV_OK;
}

int iv_live_table_agreement(iv_result *out, iv_arena *a, iv_store *s, const iv_work *work,
                            iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    const unsigned with = about->kind != IV_STORE_REVIEW ? COUNTS : about->target > 0.0
        ? SHARES | RULED : SHARES;
    iv_live_agreement g;

    IV_TRY(iv_live_agree(&g, a, s, work, err));
    if (g.items == 0)
        return IV_OK;
    (void)iv_result_rows(out, &(iv_rows){ "agreement", pair_fields, g.pairs, g.pair_count,
                                          sizeof *g.pairs });
    IV_TRY(table_under(out, a, &g, with, about->target, err));
    iv_result_used(out, iv_store_about_of(s)->grade_count > 2 ? "weighted-kappa" : "kappa");
    iv_result_used_with(out, "jackknife", " with Student's t, for intervals of kappa");
    iv_result_used_with(out, "korn-graubard", ", for intervals of agreement");
    for (size_t i = 0; i < g.pair_count; i++)
        if (g.pairs[i].few) {
            iv_result_note(out, "Few documents are judged by both assessors of a pair, or few of "
                           "these documents are relevant: the interval of kappa may be too "
                           "narrow.");
            break;
        }
    return IV_OK;
}

/* ------------------------------------------------------------ the whole -- */

int iv_live_facts_of(iv_live_facts *out, iv_arena *a, iv_store *s, const iv_work *work,
                     iv_err *err)
{
    iv_live_facts f = { .ends = { { NAN, NAN, NAN }, { NAN, NAN, NAN } } };

    IV_TRY(iv_live_of(&f.live, s, work, err));
    IV_TRY(iv_store_count(&f.counts, s, err));
    IV_TRY(iv_store_combine(&f.combined, a, s, NULL, false, err));
    IV_TRY(iv_store_firsts(&f.firsts, a, s, err));
    IV_TRY(iv_store_assessor_rows(&f.people, &f.people_count, a, s, err));
    IV_TRY(iv_store_log_read(&f.log, a, s, err));
    const iv_combined *c = &f.combined;
    for (size_t i = 0; i < c->count; i++) {
        const bool relevant = c->grade[i] >= iv_store_about_of(s)->level;
        f.relevant[0] += relevant && c->state[i] == IV_DECIDED;
        f.relevant[1] += relevant || c->state[i] != IV_DECIDED;
        const bool ruled = i < f.live.ruled, used = i < f.live.prefix;
        f.once += ruled && f.firsts[c->order[i]].graded == 1;
        f.open_used += used && c->state[c->order[i]] != IV_DECIDED;
    }
    if (iv_store_about_of(s)->kind != IV_STORE_REVIEW) {
        *out = f;
        return IV_OK;
    }
    IV_TRY(iv_live_correct(&f.error, a, s, &f.live, c, f.firsts, work, err));
    if (c->conflicts + c->one_of_two > 0)
        IV_TRY(iv_live_ends(f.ends, a, s, c, err));
    *out = f;
    return IV_OK;
}

bool iv_live_contradicts(const iv_live_facts *f)
{
    const double target = f->live.target;
    const iv_limits *g = &f->error.guaranteed.one_sided;
    const bool reached = f->live.may_stop, missed = !reached && f->live.upper < target;

    return f->error.has && ((reached && !(g->lower >= target)) || (missed && !(g->upper < target)));
}

bool iv_live_corrected_if(iv_wording *w, const iv_live_facts *f)
{
    bool own = false;

    for (size_t i = 0; i < f->people_count; i++) {
        const char *name = f->people[i].name;
        if (f->people[i].own > 0)
            iv_say(w, "%s %s's decisions on %s's own labels", own ? " and" : "corrected, if", name,
                   name);
        own |= f->people[i].own > 0;
    }
    iv_say(w, own ? " are right" : "corrected for assessor error");
    return own;
}

/* " Corrected for assessor error (112 documents judged twice), recall is ..."; "" where nothing
 * corrects it.  Where the corrected limits do not show what the verdict says, they come first. */
static const char *say_corrected(iv_wording *w, const iv_live_facts *f)
{
    char is[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE], plain[IV_FIGURE_SIZE];
    char limit[IV_FIGURE_SIZE];
    iv_wording how = { 0 };
    const iv_interval *r = &f->error.now.recall;
    const iv_limits *g = &f->error.guaranteed.one_sided;
    const int64_t *said = f->error.rechecked[0];
    const double target = f->live.target;

    if (!f->error.has || isnan(r->value) || isnan(f->live.now.value))
        return w->at;
    const bool own = iv_live_corrected_if(&how, f);
    iv_say(w, " C%s (%zu documents judged twice)%s ", how.at + 1, f->error.twice, own ? ":" : ",");
    if (iv_live_contradicts(f))
        iv_say(w, "the verdict is not demonstrated, as the guaranteed one-sided %s limit is %s: "
               "it holds only if the judgments are correct. ",
               f->live.may_stop ? "lower" : "upper", f->live.may_stop
               ? iv_percent_limit(limit, g->lower, target, false)
               : iv_percent_limit(limit, g->upper, target, true));
    iv_say(w, "%s is estimated at %s (%.10g %% interval %s to %s); without the correction at %s.",
           iv_live_contradicts(f) ? "Corrected recall" : "recall", iv_percent(is, r->value, NAN),
           100.0 * f->live.confidence, iv_percent(low, r->lower, NAN),
           iv_percent(high, r->upper, NAN), iv_percent(plain, f->live.now.value, NAN));
    if (said[1] + said[3] == 0)
        iv_say(w, " It may be too high, as none of the %s unretrieved documents that two judged is "
               "relevant: rely on the lower limit.", IV_COUNT(said[0] + said[2]));
    return w->at;
}

const char *iv_live_say_correct(iv_wording *w, const iv_live_facts *f)
{
    const size_t open = f->live.conflicts + f->live.one_of_two;

    if (open == 0)
        iv_say(w, "the judgments are correct, as they were decided");
    else
        iv_say(w, "decided judgments are correct, while %s document%s not decided",
               IV_COUNT(open), open == 1 ? " is" : "s are");
    return w->at;
}

const char *iv_live_say_ends(iv_wording *w, const iv_live_facts *f)
{
    char low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];
    const iv_live_end *e = f->ends;

    if (isnan(e[0].recall) || isnan(e[1].recall))
        return w->at;
    if (f->open_used == 0)
        iv_say(w, " None of the %zu documents that are not decided is among those that the "
               "estimate uses.", f->live.conflicts + f->live.one_of_two);
    else
        iv_say(w, " By how all %zu documents that are not decided are decided, recall is estimated "
               "at %s to %s.", f->live.conflicts + f->live.one_of_two,
               iv_percent(low, e[0].recall, NAN), iv_percent(high, e[1].recall, NAN));
    return w->at;
}

void iv_live_say(iv_result *out, const iv_live_facts *f)
{
    char left[128] = "nothing is left to judge", work[64] = "", control[80] = "";
    const iv_live *l = &f->live;
    const iv_store_counts *c = &f->counts;
    iv_wording corrected = { 0 }, ends = { 0 }, correct = { 0 };

    iv_name_limits(out, l->confidence, false);
    if (!isnan(l->minutes_left) && l->minutes_left < 1.0)
        (void)snprintf(work, sizeof work, ", less than a minute of work");
    else if (!isnan(l->minutes_left))
        (void)snprintf(work, sizeof work, ", about %.0f minute%s of work", l->minutes_left,
                       l->minutes_left < 1.5 ? "" : "s");
    if (c->open > 0)
        (void)snprintf(left, sizeof left, "%s %sjudgment%s left%s", IV_COUNT(c->open),
                       l->judged == l->items ? "second " : "", c->open == 1 ? " is" : "s are",
                       work);
    if (c->conflicts > 0)
        (void)snprintf(control, sizeof control, " as the labels stand");
    if (l->control > 0)
        (void)snprintf(control, sizeof control, " (%zu with the %zu of the control sample)",
                       l->relevant + l->control, l->control);
    iv_result_answer(out, "%s of %s documents are judged, %s of them relevant%s; %s.%s%s%s",
                     IV_COUNT(l->judged), IV_COUNT(l->items), IV_COUNT(l->relevant), control, left,
                     l->advice[0] != '\0' ? " " : "", l->advice, say_corrected(&corrected, f));
    if (c->conflicts > 0)
        iv_result_note(out, "Disagreements that are yet to be decided: %zu. Until then they "
                       "count by the owner's grade, or else the last.%s", c->conflicts,
                       iv_live_say_ends(&ends, f));
    for (size_t i = 0; i < f->people_count; i++)
        if (f->people[i].own > 0)
            iv_result_note(out, "%s decided %lld disagreement%s in which one of the labels is "
                           "%s's own.", f->people[i].name, (long long)f->people[i].own,
                           f->people[i].own == 1 ? "" : "s", f->people[i].name);
    for (size_t i = 0; i < f->people_count; i++)
        if (f->people[i].replaced > 0)
            iv_result_note(out, "%s replaced the labels of %lld document%s on which nobody "
                           "disagreed.", f->people[i].name, (long long)f->people[i].replaced,
                           f->people[i].replaced == 1 ? "" : "s");
    if (l->may_stop && l->now.value < l->lower)
        iv_result_note(out, "The limit was reached at %s documents; over all %s judged, the "
                       "estimate is lower.", IV_COUNT(l->looks > 0 ? l->judged_at_last : l->whole),
                       IV_COUNT(l->prefix));
    if (c->cannot > 0)
        iv_result_note(out, "Documents that an assessor could not judge: %zu.", c->cannot);
    if (l->review.verdict != IV_VERDICT_NONE) {
        const iv_claim claim = iv_review_verdict_claim(&l->review);
        (void)iv_result_claim(out, &claim);
    }
    if (l->target > 0.0)
        iv_result_note(out, "The verdict assumes that %s.%s",
                       iv_live_say_correct(&correct, f), f->error.has ? " The corrected recall "
                       "assumes it only of documents that two have judged." : "");
}

/* Of a review: what makes its estimate too high, as recall says it. */
static int note_few(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f, iv_err *err)
{
    iv_review_case one = { .run = "review" };
    iv_live_review r;

    if (isnan(f->live.now.value))
        return IV_OK;
    IV_TRY(iv_live_read_review(&r, a, s, err));
    iv_live_count_review(&r, &f->combined, f->live.prefix, iv_store_about_of(s)->level);
    one.segments = r.segments;
    iv_recall_note_few(out, &one, 1, f->live.review.verdict == IV_VERDICT_OTHERWISE);
    return IV_OK;
}

/* Which method is behind which row. */
static int name_review(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f,
                       iv_err *err)
{
    iv_live_review r;

    IV_TRY(note_few(out, a, s, f, err));
    IV_TRY(iv_live_read_review(&r, a, s, err));
    iv_live_count_review(&r, &f->combined, f->live.looks > 0 ? f->live.judged_at_last
                         : f->live.prefix, iv_store_about_of(s)->level);
    const size_t unknown = iv_segments_unknown(&r.segments);
    if (f->live.looks > 0) {
        if (unknown > 0)
            iv_result_used_with(out, unknown > 2 ? "chernoff" : unknown == 2 ? "buehler"
                                : "hypergeometric", ", for the limit of each interim analysis (row "
                                "'plan')");
        iv_result_used_with(out, "obrien-fleming", ", for the confidence of each interim analysis");
    }
    iv_result_used_with(out, "confidence-sequence", ", for row 'guaranteed'");
    iv_result_used_with(out, r.count > 2 ? "betabin-weighted" : "betabin-half", ", for row 'now'");
    if (f->error.has) {
        iv_result_used_with(out, "double-sampling", ", for the corrected estimate");
        iv_result_used_with(out, "double-sampling-exact", ", for the corrected limits");
    }
    iv_result_assumption(out, "The documents to judge are a simple random sample of each stratum, "
                         "judged in the random order of the session.%s", f->log.imported > 0
                         ? " It is not known whether imported judgments were." : "");
    if (f->live.looks > 0)
        iv_result_assumption(out, "The interim analyses were planned before judging began%s; their "
                             "limits use the labels as they are now.", f->log.imported > 0
                             ? ", which is not known of imported judgments" : "");
    iv_result_assumption(out, "Two-sided intervals, and corrected limits, are for a sample size "
                         "that was fixed in advance; intervals reach their confidence on average "
                         "over true values. Limits of the rule are valid for every true "
                         "value%s, so they can be wider.",
                         iv_store_about_of(s)->stop == IV_STORE_STOP_NONE ? ""
                         : " and at several times");
    iv_result_assumption(out, "Errors in documents that one person judged are not in the limits, "
                         "unless these are called 'corrected'.");
    if (f->error.has)
        iv_result_assumption(out, "The correction for assessor error assumes that where two judged "
                             "a document the decided label is correct, and that other labels "
                             "are wrong as often as those of these that were stored first.");
    return IV_OK;
}

int iv_live_name_methods(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f,
                         iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_wording correct = { 0 };

    iv_result_assumption(out, "It is assumed that %s.", iv_live_say_correct(&correct, f));
    iv_result_assumption(out, "Recall is among the %s of this session: relevant documents that "
                         "were not collected are not counted.",
                         about->kind == IV_STORE_REVIEW ? "documents of the strata" : "documents");
    if (about->kind == IV_STORE_REVIEW)
        return name_review(out, a, s, f, err);
    if (about->stop == IV_STORE_STOP_QBCB) {
        iv_result_used(out, "qbcb");
        iv_result_assumption(out, "It is assumed that the control sample%s is a random sample of "
                             "all documents, and that no ranker was trained on its labels.",
                             f->live.qbcb.items > 0 ? "" : ", judged before,");
    }
    if (about->kind == IV_STORE_SAMPLE)
        iv_result_used(out, "horvitz-thompson");
    return IV_OK;
}

static int tell(iv_result *out, iv_arena *a, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_live_facts f;

    IV_TRY(iv_store_check_as(s, IV_CHECK_FAST, err));
    IV_TRY(iv_live_facts_of(&f, a, s, work, err));
    iv_live_say(out, &f);
    iv_live_table_numbers(out, a, &f.live);
    IV_TRY(iv_live_table_topics(out, a, s, err));
    IV_TRY(iv_live_table_flow(out, a, s, &f.live, err));
    iv_live_table_people(out, &f, false);
    IV_TRY(iv_live_name_methods(out, a, s, &f, err));
    IV_TRY(iv_live_table_agreement(out, a, s, work, err));
    return iv_result_status(out, err);
}

int iv_live_status(iv_result *out, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    const int rc = tell(out, &memory, s, work, err);

    iv_arena_free(&memory);
    return rc;
}

int iv_live_export(iv_exported *done, FILE *out, iv_store *s, const iv_export_options *o,
                   const iv_work *work, iv_err *err)
{
    const bool usual = o->combine == NULL || strcmp(o->combine, "adjudicated") == 0;
    char text[IV_REVIEW_VERDICT_SIZE];
    iv_export_options how = *o;
    iv_live l;

    if (iv_store_about_of(s)->kind == IV_STORE_REVIEW && usual
        && (o->form == IV_EXPORT_USUAL || o->form == IV_EXPORT_STRATA)) {
        IV_TRY(iv_live_of(&l, s, work, err));
        if (l.review.verdict != IV_VERDICT_NONE) {
            iv_review_verdict_write(text, &l.review);
            how.verdict = text;
        }
    }
    return iv_store_export(done, out, s, &how, err);
}
