/* SPDX-License-Identifier: Apache-2.0 */
/* A report of a session that stands alone: the decision, and everything that it rests on. */
#include "base/err.h"
#include "base/lines.h"
#include "base/listing.h"
#include "live/live_tables.h"
#include "result/wording.h"
#include "review/review_cases.h"
#include "store/upkeep.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A list of what and value. */
typedef struct fact {
    const char *what, *value;
} fact;

typedef struct facts {
    fact at[32];
    size_t count;
    iv_arena *a;
} facts;

static const iv_field fact_fields[] = { { "what", IV_AT(fact, what) },
                                        { "value", IV_AT(fact, value) }, { NULL } };

static void add(facts *f, const char *what, const char *fmt, ...) IV_PRINTF(3, 4);

static void add(facts *f, const char *what, const char *fmt, ...)
{
    char text[1200];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (f->count < sizeof f->at / sizeof *f->at)
        f->at[f->count++] = (fact){ what, iv_arena_copy(f->a, iv_str_of(text)) };
}

static void put(iv_result *out, const char *table, const facts *f)
{
    if (f->count > 0)
        (void)iv_result_rows(out, &(iv_rows){ table, fact_fields, f->at, f->count,
                                              sizeof *f->at });
}

/* A time as people read it: to the second, UTC. */
static const char *time_of(char out[32], const char *at)
{
    (void)snprintf(out, 32, "%.10s %.8s UTC", at, strlen(at) > 18 ? at + 11 : "");
    return at[0] == '\0' ? "at an unknown time" : out;
}

/* -------------------------------------------------------------- the decision -- */

/* "60 % to 76 %", one-sided limits that are rounded outwards. */
static const char *limits_of(char out[80], double lower, double upper, double target)
{
    char low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    if (isnan(lower) && isnan(upper))
        (void)snprintf(out, 80, "none yet");
    else if (isnan(upper))
        (void)snprintf(out, 80, "lower limit %s", iv_percent_limit(low, lower, target, false));
    else if (isnan(lower))
        (void)snprintf(out, 80, "upper limit %s", iv_percent_limit(high, upper, target, true));
    else
        (void)snprintf(out, 80, "lower limit %s, upper limit %s",
                       iv_percent_limit(low, lower, target, false),
                       iv_percent_limit(high, upper, target, true));
    return out;
}

static void add_interval(facts *t, const char *what, const iv_interval *x, const char *why)
{
    char is[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    if (isnan(x->value))
        add(t, what, "no estimate%s", why);
    else
        add(t, what, "%s (two-sided 95 %% interval %s to %s)%s", iv_percent(is, x->value, NAN),
            iv_percent(low, x->lower, NAN), iv_percent(high, x->upper, NAN), why);
}

/* What the answer can become. */
static void open_labels(facts *t, const iv_live_facts *f)
{
    const iv_live_end *e = f->ends;
    const size_t count = f->live.conflicts + f->live.one_of_two;
    char text[2][80];

    if (count == 0)
        add(t, "not decided", "0");
    else
        add(t, "not decided", "%s documents, %s of them disagreements, %s with a second label to "
            "come: by how they are decided, %s to %s are relevant in all", IV_COUNT(count),
            IV_COUNT(f->live.conflicts), IV_COUNT(f->live.one_of_two), IV_COUNT(f->relevant[0]),
            IV_COUNT(f->relevant[1]));
    if (isnan(e[0].recall) || isnan(e[1].recall))
        return;
    add(t, "estimate, by how", "%s if all of these go against the review, %s if all go for it",
        iv_percent(text[0], e[0].recall, NAN), iv_percent(text[1], e[1].recall, NAN));
    if (f->live.target > 0.0)
        add(t, "limits, by how", "one-sided %s if all of these go against the review; %s if all go "
            "for it", limits_of(text[0], e[0].lower, e[0].upper, f->live.target),
            limits_of(text[1], e[1].lower, e[1].upper, f->live.target));
}

static void decision(iv_result *out, iv_arena *a, const iv_live_facts *f,
                     const iv_store_about *about)
{
    const iv_live *l = &f->live;
    const iv_interval now = { l->now.value, NAN, l->now.lower, l->now.upper };
    facts t = { .a = a };
    char text[80];

    if (l->advice[0] != '\0')
        add(&t, "verdict", "%s", l->verdict[0] != '\0' ? l->verdict : l->advice);
    if (l->target > 0.0)
        add(&t, "target", "recall of %.10g %% or more, %.10g %% confidence", 100.0 * l->target,
            100.0 * l->confidence);
    if (about->stop == IV_STORE_STOP_PLAN)
        add(&t, "stopping rule", "%zu planned interim analyses, O'Brien and Fleming's bounds",
            l->looks);
    else if (about->stop == IV_STORE_STOP_ANYTIME)
        add(&t, "stopping rule", "limits that are valid whenever judging stops");
    else if (about->stop == IV_STORE_STOP_QBCB)
        add(&t, "stopping rule", "enough relevant documents of a random control sample were met "
            "in the ranking (QBCB)");
    if (l->has_guaranteed && l->target > 0.0)
        add(&t, "limits of the rule", "one-sided %s, rounded outwards; %.10g %% confidence%s",
            limits_of(text, l->lower, l->upper, l->target), 100.0 * l->confidence,
            l->looks > 0 ? " each, the lower one for all interim analyses together" : " each");
    open_labels(&t, f);
    if (about->kind == IV_STORE_REVIEW)
        add_interval(&t, "estimate", &now, l->may_stop && now.value < l->lower
                     ? ", below the limit, which fewer documents reached; it does not decide"
                     : "; it does not decide");
    if (f->error.has) {
        const iv_limits *g = &f->error.guaranteed.one_sided;
        add_interval(&t, "corrected estimate", &f->error.now.recall,
                     ", corrected for assessor error; it does not decide");
        add(&t, "corrected limits", "one-sided %s; %.10g %% confidence each%s",
            limits_of(text, g->lower, g->upper, l->target > 0.0 ? l->target : (double)NAN),
            100.0 * l->confidence,
            iv_live_contradicts(f) ? ". They do not show what the verdict says"
            : "");
    }
    if (l->target > 0.0) {
        add(&t, "the verdict assumes", "that the judgments are correct, as they were decided: %s "
            "of %s judged documents have one label, and its errors are not in the limits%s",
            IV_COUNT(f->once), IV_COUNT(l->judged), f->error.has
            ? "; the corrected ones assume that it is wrong as often as those that were compared"
            : "");
        if (f->log.imported > 0)
            add(&t, "the verdict assumes", "that %s imported judgments were made in the order of "
                "the session and by its stopping rule, which is not known",
                IV_COUNT(f->log.imported));
    }
    add(&t, "documents to judge", "%s", IV_COUNT(l->items));
    add(&t, "judged", "%s", IV_COUNT(l->judged));
    add(&t, "relevant", "%s", IV_COUNT(l->relevant));
    put(out, "decision", &t);
}

/* ---------------------------------------------------------- interim analyses -- */

typedef struct look_row {
    size_t look, documents;
    const char *reached, *limit, *outcome;
    double confidence, lower;
} look_row;

static const iv_field look_fields[] = {
    { "analysis", IV_AT(look_row, look) },
    { "documents", IV_AT(look_row, documents), .about = "documents of the order that it uses" },
    { "judged_by", IV_AT(look_row, reached), .heading = "all judged at",
      .about = "when the last of these documents got its first label, UTC" },
    { "confidence", IV_AT(look_row, confidence), .digits = 5,
      .about = "confidence of its one-sided limit, by the plan" },
    { "lower", IV_AT(look_row, lower), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "one-sided lower limit of recall" },
    { "limit", IV_AT(look_row, limit), .audience = IV_FOR_PEOPLE,
      .heading = "one-sided lower limit, by the labels now",
      .about = "of recall, by the labels as they are now" },
    { "outcome", IV_AT(look_row, outcome) }, { NULL } };

/* When the first documents of the order were all judged; NULL: they are not. */
static const char *judged_by(iv_arena *a, const iv_live_facts *f, size_t documents)
{
    const char *last = NULL;
    char text[32];

    for (size_t i = 0; i < documents && i < f->live.prefix; i++) {
        if (f->firsts[i].imported)
            return "unknown (imported)";
        if (f->firsts[i].at != NULL && (last == NULL || strcmp(f->firsts[i].at, last) > 0))
            last = f->firsts[i].at;
    }
    return documents > f->live.prefix || last == NULL ? NULL
        : iv_arena_copy(a, iv_str_of(time_of(text, last)));
}

static int interim(iv_result *out, iv_arena *a, const iv_live_facts *f, iv_err *err)
{
    const iv_live *l = &f->live;
    look_row *rows = iv_take(a, l->looks + 1, sizeof *rows);
    char text[IV_FIGURE_SIZE];
    bool decided = false;

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t k = 1; k <= l->looks; k++) {
        const double limit = l->look_limit[k - 1];
        const bool reached = !isnan(limit) && limit >= l->target;
        rows[k - 1] = (look_row){ k, iv_live_look_at(l, k), judged_by(a, f, iv_live_look_at(l, k)),
            isnan(limit) ? NULL : iv_arena_copy(a, iv_str_of(
                iv_percent_limit(text, limit, l->target, false))),
            decided ? "not needed" : reached ? "target demonstrated"
            : !isnan(limit) ? "not demonstrated" : l->prefix < iv_live_look_at(l, k) ? "to come"
            : "no limit yet", 1.0 - l->look_error[k - 1], limit };
        decided |= reached;
    }
    if (l->looks > 0)
        (void)iv_result_rows(out, &(iv_rows){ "interim", look_fields, rows, l->looks,
                                              sizeof *rows });
    return IV_OK;
}

/* ------------------------------------------------------------------ the frame -- */

typedef struct stratum_row {
    iv_str name;
    const char *segment;
    int64_t size, drawn, judged, relevant;
} stratum_row;

static const iv_field stratum_fields[] = {
    { "stratum", IV_AT(stratum_row, name) },
    { "segment", IV_AT(stratum_row, segment), .about = "retrieved or unretrieved" },
    { "documents", IV_AT(stratum_row, size), .about = "documents of the stratum" },
    { "sampled", IV_AT(stratum_row, drawn), .about = "documents chosen at random to be judged" },
    { "judged", IV_AT(stratum_row, judged) }, { "relevant", IV_AT(stratum_row, relevant),
      .about = "of those judged, as the labels stand" }, { NULL } };

static int frame(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f, iv_err *err)
{
    const int32_t level = iv_store_about_of(s)->level;
    iv_live_review r;

    IV_TRY(iv_live_read_review(&r, a, s, err));
    stratum_row *rows = iv_take(a, r.count + 1, sizeof *rows);
    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t k = 0; k < r.count; k++)
        rows[k] = (stratum_row){ r.strata->rows[k].name,
                                 r.strata->retrieved[k] ? "retrieved" : "unretrieved",
                                 r.strata->rows[k].size, 0, 0, 0 };
    for (size_t i = 0; i < f->combined.count; i++) {
        stratum_row *row = &rows[f->combined.stratum[i]];
        row->drawn++;
        row->judged += f->combined.grade[i] >= 0;
        row->relevant += f->combined.grade[i] >= level;
    }
    (void)iv_result_rows(out, &(iv_rows){ "frame", stratum_fields, rows, r.count, sizeof *rows });
    return IV_OK;
}

/* What else the strata say: precision, elusion, and the relevant documents that were missed. */
static int quantities(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f,
                      const iv_work *work, iv_err *err)
{
    static const char *const names[] = { "precision", "elusion", "unretrieved", "all" };
    iv_review_case one = { .run = "review" };
    const iv_review_options how = { .how = { .confidence = f->live.confidence } };
    iv_review_findings *found = NULL;
    iv_live_review r;
    facts t = { .a = a };
    char x[3][IV_FIGURE_SIZE];

    IV_TRY(iv_live_read_review(&r, a, s, err));
    iv_live_count_review(&r, &f->combined, f->live.prefix, iv_store_about_of(s)->level);
    one.segments = r.segments;
    if (!iv_live_all_seen(&r) || isnan(f->live.now.lower))
        return IV_OK;
    IV_TRY(iv_review_find(&found, &(iv_review){ .cases = &one, .count = 1 }, &how, work, err));
    for (size_t k = 0; k < 4; k++) {
        const bool count = k > 1;
        const iv_review_quantity *q = count ? found->yields : found->measures;
        while (strcmp(q->name, names[k]) != 0)
            q++;
        add(&t, k == 2 ? "relevant, not retrieved" : k == 3 ? "relevant, in all" : q->name,
            "%s (two-sided 95 %% interval %s to %s)", count ? IV_COUNT(q->estimate)
            : iv_percent(x[0], q->estimate, NAN), count ? IV_COUNT(q->lower)
            : iv_percent(x[1], q->lower, NAN), count ? IV_COUNT(q->upper)
            : iv_percent(x[2], q->upper, NAN));
    }
    iv_review_findings_free(found);
    put(out, "quantities", &t);
    return IV_OK;
}

/* ------------------------------------------------------- assessors and errors -- */

/* With times as everywhere in the report. */
static int people(iv_result *out, iv_arena *a, const iv_live_facts *f, iv_err *err)
{
    iv_assessor_row *rows = iv_take(a, f->people_count + 1, sizeof *rows);
    iv_live_facts dated = *f;
    char text[32];

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < f->people_count; i++) {
        rows[i] = f->people[i];
        if (rows[i].first != NULL)
            rows[i].first = iv_arena_copy(a, iv_str_of(time_of(text, rows[i].first)));
        if (rows[i].last != NULL)
            rows[i].last = iv_arena_copy(a, iv_str_of(time_of(text, rows[i].last)));
    }
    dated.people = rows;
    iv_live_table_people(out, &dated, true);
    return IV_OK;
}

static void disagreements(iv_result *out, iv_arena *a, const iv_live_facts *f)
{
    const iv_store_counts *c = &f->counts;
    const iv_live_error *e = &f->error;
    facts t = { .a = a };
    char text[IV_FIGURE_SIZE];

    for (size_t i = 0; i < f->people_count; i++)
        if (f->people[i].decided > 0)
            add(&t, "decided by", "%s: %lld disagreements, %lld of them with a label of %s's own",
                f->people[i].name, (long long)f->people[i].decided, (long long)f->people[i].own,
                f->people[i].name);
    for (size_t i = 0; i < f->people_count; i++)
        if (f->people[i].replaced > 0)
            add(&t, "replaced by", "%s: the labels of %lld documents on which nobody disagreed",
                f->people[i].name, (long long)f->people[i].replaced);
    add(&t, "judged by two", "%s documents; agreement is that of documents which both graded, as "
        "they were sampled, without weights", IV_COUNT(c->twice));
    add(&t, "decided", "%s disagreements", IV_COUNT(c->settled));
    add(&t, "open", "%s disagreements", IV_COUNT(c->conflicts));
    for (size_t i = 0; i < f->people_count && c->twice > 0; i++)
        if (strstr(f->people[i].may, "adjudicate") != NULL)
            add(&t, "decides", "%s, who %s", f->people[i].name, f->people[i].judged > 0
                ? "also judged: a disagreement can be about an own label" : "judged nothing");
    if (e->twice > 0 && c->conflicts == 0) {
        add(&t, "compared", "first labels (those that came first into the log) of %s documents "
            "with the decided labels; the documents for two were chosen at random when the session "
            "was made, and %s more of those judged wait for their second label",
            IV_COUNT(e->twice), IV_COUNT(f->live.one_of_two));
    }
    for (size_t i = 2; i-- > 0 && e->twice > 0 && c->conflicts == 0;) {
        const int64_t *n = e->rechecked[i];
        add(&t, i == 1 ? "of retrieved ones" : "of unretrieved ones", "%s first labels said "
            "relevant, %s of them not as decided; %s said not relevant, %s of them not as decided",
            IV_COUNT(n[0]), IV_COUNT(n[0] - n[1]), IV_COUNT(n[2]), IV_COUNT(n[3]));
    }
    if (e->has) {
        add(&t, "by first labels", "recall %s", iv_percent(text, e->now.first[0], NAN));
    } else {
        add(&t, "correction", "none (%s): the judgments are assumed to be correct",
            e->why[0] != '\0' ? e->why : "it needs the strata of a review");
    }
    put(out, "errors", &t);
}

/* ------------------------------------------------------------------ exclusions -- */

typedef struct exclusion {
    const char *reason;
    size_t documents;
} exclusion;

static int exclusions(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f,
                      iv_err *err)
{
    static const iv_field fields[] = { { "reason", IV_AT(exclusion, reason) },
                                       { "documents", IV_AT(exclusion, documents) }, { NULL } };
    const iv_store_tag *tag;
    const iv_live *l = &f->live;
    size_t tags = 0, n = 0, judged = 0;

    IV_TRY(iv_store_tags(&tag, &tags, a, s, &f->combined, err));
    exclusion *rows = iv_take(a, 2 * tags + 7, sizeof *rows);
    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < f->combined.count; i++)
        judged += f->combined.grade[i] >= 0;
    rows[n++] = (exclusion){ "judged not relevant", judged - l->relevant };
    if (f->relevant[1] > l->relevant)
        rows[n++] = (exclusion){ "  of these, not decided", f->relevant[1] - l->relevant };
    for (size_t i = 0; i < tags; i++) {
        char text[96];
        (void)snprintf(text, sizeof text, "  of these, tagged %.70s", tag[i].name);
        if (tag[i].excluded > 0)
            rows[n++] = (exclusion){ iv_arena_copy(a, iv_str_of(text)), tag[i].excluded };
        (void)snprintf(text, sizeof text, "tagged %.60s, whatever the label", tag[i].name);
        if (tag[i].documents > tag[i].excluded)
            rows[n++] = (exclusion){ iv_arena_copy(a, iv_str_of(text)), tag[i].documents };
    }
    rows[n++] = (exclusion){ "no label: an assessor could not judge it", f->combined.cannot };
    rows[n++] = (exclusion){ "not judged", l->items - l->judged };
    if (l->has_guaranteed)
        rows[n++] = (exclusion){ "judged behind the first document without a label: in no "
                                 "estimate", judged - l->prefix };
    (void)iv_result_rows(out, &(iv_rows){ "excluded", fields, rows, n, sizeof *rows });
    return IV_OK;
}

/* ---------------------------------------------------------------- the session -- */

static int value_of(const char **out, iv_arena *a, iv_store *s, const char *key, iv_err *err)
{
    iv_str text;

    IV_TRY(iv_store_value(&text, a, s, key, err));
    *out = text.ptr == NULL ? "" : text.ptr;
    return IV_OK;
}

/* How it came about what is judged. */
static const char *sample_of(const iv_store_about *about)
{
    return about->kind == IV_STORE_REVIEW
        ? "sampled by intervale when the session was made, with the seed below, at random within "
          "each stratum, from the lists of its documents; who ran it, and how the lists were "
          "made, is not recorded"
        : about->kind == IV_STORE_SAMPLE
        ? "as the file of the design says; who made it is not recorded"
        : about->stop != IV_STORE_STOP_QBCB ? "none: a list of documents in its order"
        : about->stop_number > 0 ? "the control, the first documents of the session, sampled by "
          "intervale with the seed below"
        : "the control, judged before; who sampled it, and how, is not recorded";
}

static void logged(facts *t, const iv_live_facts *f)
{
    const iv_store_logged *log = &f->log;
    const bool elsewhere = log->imported > 0;
    char text[32];

    if (log->first != NULL)
        add(t, "first judgment", "%s", time_of(text, log->first));
    if (log->last != NULL)
        add(t, "last judgment", "%s", time_of(text, log->last));
    add(t, "judgments", "%s in the log", IV_COUNT(f->counts.judgments));
    add(t, "imported", "%s of these%s", IV_COUNT(log->imported), elsewhere ? ", made elsewhere: "
        "by whom, whether independently, when and in which order, what was shown, and labels that "
        "were changed before are not known" : "");
    add(t, "changed", "%s labels were replaced or undone later by the same person%s",
        IV_COUNT(log->changed), elsewhere ? ", or by a later import of that person's labels" : "");
    add(t, "without text", "%s documents, of which the session shows only title and id",
        IV_COUNT(log->textless));
}

static int session(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    const char *made, *seed, *version, *texts;
    const char *unknown = f->log.imported > 0
        ? "; who saw which estimates before an import is not known" : "";
    char sum[IV_CHECKSUM_SIZE], text[32];
    facts t = { .a = a };

    IV_TRY(value_of(&made, a, s, "created", err));
    IV_TRY(value_of(&seed, a, s, "seed", err));
    IV_TRY(value_of(&version, a, s, "version", err));
    IV_TRY(value_of(&texts, a, s, "sum:texts", err));
    IV_TRY(iv_store_checksum(sum, s, err));
    add(&t, "made", "%s, by intervale %s, with the target, stopping rule, grades and guidelines of "
        "this report", time_of(text, made), version);
    logged(&t, f);
    add(&t, "texts", "SHA-256 %s, of the titles and texts that the session shows",
        texts[0] == '\0' ? "none" : texts);
    add(&t, "last checksum", "SHA-256 %s", sum[0] == '\0' ? "none" : sum);
    add(&t, "check", "judgments, documents, settings and texts agree with the checksums that the "
        "session holds; who can write the file can change both: compare the last checksum with "
        "one that was noted elsewhere");
    add(&t, "identity", "%s", iv_store_identity(s)[0] == '\0' ? "none" : iv_store_identity(s));
    add(&t, "sample", "%s", sample_of(about));
    add(&t, "seed", "%s, of all random choices when the session was made; who made the session "
        "can choose it, and other sessions are not recorded",
        seed[0] == '\0' ? "not recorded" : seed);
    if (about->stop == IV_STORE_STOP_QBCB && about->stop_number > 0)
        add(&t, "control", "%s of the %s documents", IV_COUNT(about->stop_number),
            IV_COUNT(about->items));
    add(&t, "overlap", "%.10g of the documents are for two assessors", about->overlap);
    for (size_t i = 0; i < about->grade_count; i++)
        add(&t, "grade", "%d: %s%s", (int)about->grades[i], about->words[i],
            about->grades[i] >= about->level ? " (counts as relevant)" : "");
    if (about->hide_interval || about->overlap > 0.0)
        add(&t, "estimates", "shown while judging on the owner's page only (%s, who judged %lld "
            "documents); programs with a login and whoever has the file can ask for them%s",
            f->people[0].name, (long long)f->people[0].judged, unknown);
    else
        add(&t, "estimates", "shown to all assessors, while judging%s", unknown);
    put(out, "session", &t);
    return IV_OK;
}

static int inputs(iv_result *out, iv_arena *a, iv_store *s, iv_err *err)
{
    static const iv_field fields[] = { { "file", IV_AT(iv_store_input, path) },
                                       { "used_for", IV_AT(iv_store_input, use) },
                                       { "sha256", IV_AT(iv_store_input, sha256),
          .about = "none for files of texts: the session has the checksum of their texts" },
        { NULL } };
    const iv_store_input *rows;
    size_t count;

    IV_TRY(iv_store_inputs(&rows, &count, a, s, err));
    if (count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "inputs", fields, rows, count, sizeof *rows });
    else
        iv_result_note(out, "The files that the session was made from are not recorded: it was "
                       "made by version 0.3 or before.");
    return IV_OK;
}

static int guidelines(iv_result *out, iv_arena *a, const iv_store_about *about, iv_err *err)
{
    static const iv_field fields[] = { { "guidelines", IV_AT(fact, what) }, { NULL } };
    iv_str text = iv_str_of(about->guidelines), line;
    fact *rows = iv_take(a, (size_t)iv_lines_in(text) + 2, sizeof *rows);
    size_t n = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    while (iv_next_line(&line, &text))
        if (line.len > 0)
            rows[n++] = (fact){ iv_arena_copy(a, line), NULL };
    if (n > 0)
        (void)iv_result_rows(out, &(iv_rows){ "guidelines", fields, rows, n, sizeof *rows });
    else
        iv_result_note(out, "The session has no guidelines.");
    return IV_OK;
}

/* ------------------------------------------------------------------ the whole -- */

static int tell(iv_result *out, iv_arena *a, iv_store *s, const iv_work *work, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_live_facts f;

    IV_TRY(iv_store_check(s, err));
    IV_TRY(iv_live_facts_of(&f, a, s, work, err));
    iv_live_say(out, &f);
    decision(out, a, &f, about);
    iv_live_table_numbers(out, a, &f.live);
    IV_TRY(interim(out, a, &f, err));
    if (about->kind == IV_STORE_REVIEW) {
        IV_TRY(quantities(out, a, s, &f, work, err));
        IV_TRY(frame(out, a, s, &f, err));
    } else {
        IV_TRY(iv_live_table_topics(out, a, s, err));
    }
    IV_TRY(people(out, a, &f, err));
    disagreements(out, a, &f);
    IV_TRY(iv_live_name_methods(out, a, s, &f, err));
    IV_TRY(iv_live_table_agreement(out, a, s, work, err));
    IV_TRY(exclusions(out, a, s, &f, err));
    IV_TRY(iv_live_table_flow(out, a, s, &f.live, err));
    IV_TRY(session(out, a, s, &f, err));
    IV_TRY(inputs(out, a, s, err));
    IV_TRY(guidelines(out, a, about, err));
    iv_result_detail(out, "title", "Report of a document review");
    return iv_result_status(out, err);
}

int iv_live_report(iv_result *out, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    const int rc = tell(out, &memory, s, work, err);

    iv_arena_free(&memory);
    return rc;
}
