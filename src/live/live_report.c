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

/* What a number of things ends with. */
static const char *s_of(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* A time as people read it: to the second, UTC. */
static const char *time_of(char out[32], const char *at)
{
    (void)snprintf(out, 32, "%.10s %.8s UTC", at, strlen(at) > 18 ? at + 11 : "");
    return at[0] == '\0' ? "at an unknown time" : out;
}

/* What became of a document. */
enum { RELEVANT, NOT_RELEVANT, NOT_DECIDED, CANNOT, NOT_JUDGED, WAYS };

static int way_of(const iv_combined *c, size_t i, int32_t level)
{
    return c->grade[i] == IV_COMBINED_OPEN ? NOT_JUDGED : c->state[i] != IV_DECIDED ? NOT_DECIDED
        : c->grade[i] < 0 ? CANNOT : c->grade[i] >= level ? RELEVANT : NOT_RELEVANT;
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
        add(t, "not decided", "%s document%s, %s of them disagreements, %s with a second label to "
            "come: by how they are decided, %s to %s are relevant in all", IV_COUNT(count),
            s_of((int64_t)count), IV_COUNT(f->live.conflicts), IV_COUNT(f->live.one_of_two),
            IV_COUNT(f->relevant[0]), IV_COUNT(f->relevant[1]));
    if (isnan(e[0].recall) || isnan(e[1].recall))
        return;
    if (f->open_used == 0) {
        add(t, "estimate, by how", "none of the %s is among the documents that the estimate uses",
            IV_COUNT(count));
        return;
    }
    add(t, "estimate, by how", "%s if all of these that were retrieved are not relevant and all "
        "others are, %s if the reverse",
        iv_percent(text[0], e[0].recall, NAN), iv_percent(text[1], e[1].recall, NAN));
    if (f->live.target > 0.0 && !isnan(e[0].lower + e[1].lower))
        add(t, "limits, by how", "one-sided %s in the first case; %s in the second",
            limits_of(text[0], e[0].lower, e[0].upper, f->live.target),
            limits_of(text[1], e[1].lower, e[1].upper, f->live.target));
}

static void control_sample(facts *t, const iv_live *l, size_t documents)
{
    const iv_live_control *k = &l->qbcb;

    add(t, "stopping rule", "enough relevant documents of a random control sample rank above the "
        "first document that is not judged (QBCB)");
    if (k->items > 0)
        add(t, "control sample", "%s of the %s documents, the first of the list; %s of them are "
            "judged", IV_COUNT(k->items), IV_COUNT(documents), IV_COUNT(k->items - k->open));
    if (k->cannot > 0)
        add(t, "of the control sample", "%s document%s nobody could judge: for the rule, relevant "
            "and not found", IV_COUNT(k->cannot), s_of((int64_t)k->cannot));
    if (k->needed > 0)
        add(t, "of the control sample", "%s relevant documents, as the labels stand; %s %s, and "
            "the rule needs %s%s", IV_COUNT(k->relevant), IV_COUNT(k->met), l->judged == documents
            ? "were reached, as all documents are judged"
            : "rank above the first document that is not judged", IV_COUNT(k->needed),
            l->invalid ? ", but is not valid here" : "");
}

/* textless: of the documents that the stopping rule uses. */
static void assumed(facts *t, const iv_live_facts *f, const size_t textless[WAYS])
{
    const iv_live *l = &f->live;
    const size_t none = textless[RELEVANT] + textless[NOT_RELEVANT];
    char once[160] = "";
    iv_wording correct = { 0 };

    if (l->target == 0.0)
        return;
    if (l->ruled > 0)
        (void)snprintf(once, sizeof once, "; %s of the %s documents that it uses %s one label only",
                       IV_COUNT(f->once), IV_COUNT(l->ruled), f->once == 1 ? "has" : "have");
    add(t, "the verdict assumes", "that %s: it does not allow for errors%s%s",
        iv_live_say_correct(&correct, f), once, f->error.has && l->ruled > 0
        ? ", which the corrected limits assume to be wrong as often as those compared" : "");
    if (l->qbcb.needed > 0)
        add(t, "the verdict assumes", "that %sno ranker was trained on the labels of the control "
            "sample, which the session cannot know", l->qbcb.items > 0 ? ""
            : "the control sample, judged before, is random and that ");
    if (none > 0)
        add(t, "the verdict assumes", "that of %s document%s without text or abstract %s are not "
            "relevant and %s relevant, as they were labelled", IV_COUNT(none), s_of((int64_t)none),
            IV_COUNT(textless[NOT_RELEVANT]), IV_COUNT(textless[RELEVANT]));
    if (f->log.imported > 0)
        add(t, "the verdict assumes", "that %s imported judgment%s made in the order of "
            "the session and by its stopping rule, which is not known", IV_COUNT(f->log.imported),
            f->log.imported == 1 ? " was" : "s were");
}

/* Which of the judged documents count, and why not all. */
static void counted(facts *t, const iv_live *l)
{
    iv_wording w = { 0 };

    if (l->has_guaranteed && l->prefix < l->judged)
        iv_say(&w, "; estimates use the first %s of the order only, because the next one has no "
               "label", IV_COUNT(l->prefix));
    if (l->has_guaranteed && l->ruled > 0 && l->ruled < l->prefix)
        iv_say(&w, "; the limits of the rule use the first %s, %s", IV_COUNT(l->ruled),
               l->looks > 0 ? "those of an interim analysis" : "which are whole random blocks");
    add(t, "judged", "%s of %s documents%s", IV_COUNT(l->judged), IV_COUNT(l->items), w.at);
}

static void decision(iv_result *out, iv_arena *a, const iv_live_facts *f,
                     const iv_store_about *about, const size_t textless[WAYS])
{
    const iv_live *l = &f->live;
    const iv_interval now = { l->now.value, NAN, l->now.lower, l->now.upper };
    facts t = { .a = a };
    iv_wording how = { 0 }, early = { 0 };
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
        control_sample(&t, l, f->combined.count);
    iv_live_say_early(&early, l);
    if (l->has_guaranteed && l->target > 0.0 && isnan(l->lower) && isnan(l->upper))
        add(&t, "limits of the rule", "none yet (0 %% and 100 %%)");
    else if (l->has_guaranteed && l->target > 0.0)
        add(&t, "limits of the rule", "%sone-sided %s%s, rounded outwards; %.10g %% confidence%s",
            l->invalid ? "not valid here, as labels are not in random order: " : "",
            limits_of(text, l->lower, l->upper, l->target), early.at, 100.0 * l->confidence,
            l->looks > 0 ? " each, the lower one for all interim analyses together" : " each");
    open_labels(&t, f);
    if (about->kind == IV_STORE_REVIEW)
        add_interval(&t, "estimate", &now, l->may_stop && now.value < l->lower
                     ? ", below the limit, which fewer documents reached; it does not decide"
                     : l->prefix < l->judged ? ", of the documents before the first one without a "
                     "label; it does not decide" : "; it does not decide");
    if (f->error.has) {
        const iv_limits *g = &f->error.guaranteed.one_sided;
        iv_say(&how, ", ");
        (void)iv_live_corrected_if(&how, f);
        iv_say(&how, "; it does not decide");
        add_interval(&t, "corrected estimate", &f->error.now.recall, how.at);
        add(&t, "corrected limits", "one-sided %s; %.10g %% confidence each%s",
            limits_of(text, g->lower, g->upper, l->target > 0.0 ? l->target : (double)NAN),
            100.0 * l->confidence,
            iv_live_contradicts(f) ? ". They do not show what the verdict says"
            : "");
    }
    assumed(&t, f, textless);
    counted(&t, l);
    add(&t, "relevant", "%s of the %s judged, as the labels stand", IV_COUNT(l->relevant),
        IV_COUNT(l->judged));
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
      .about = "when the last of these documents was judged for the first time, UTC" },
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
            l->invalid && !isnan(limit) ? "not valid" : decided ? "not needed"
            : reached ? "target demonstrated"
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
    { "labelled", IV_AT(stratum_row, judged) }, { "relevant", IV_AT(stratum_row, relevant),
      .about = "of those labelled, as the labels stand" }, { NULL } };

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
    add(&t, "from", "the first %s of the %s documents, as the labels stand",
        IV_COUNT(f->live.prefix), IV_COUNT(f->live.items));
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
    iv_wording correct = { 0 };
    char text[IV_FIGURE_SIZE];
    size_t both[2] = { 0, 0 };
    int64_t decided = 0;

    for (size_t i = 0; i < f->combined.count; i++)
        both[f->firsts[i].twice] += f->firsts[i].graded > 1;
    add(&t, "judged by two", "%s of the %s judged documents; agreement is that of documents which "
        "both graded, without weights, by the labels that each had stored when the second one "
        "judged; later changes do not count. %s were chosen at random when the session was made, "
        "%s were not%s", IV_COUNT(c->twice), IV_COUNT(f->live.judged), IV_COUNT(both[1]),
        IV_COUNT(both[0]), both[0] > 0 ? ". Who judged those chose them, so agreement need not "
        "represent the other documents" : "");
    for (size_t i = 0; i < f->people_count; i++)
        decided += f->people[i].decided;
    add(&t, "decided", "%s disagreement%s", IV_COUNT(decided), s_of(decided));
    add(&t, "open", "%s disagreement%s", IV_COUNT(c->conflicts), s_of((int64_t)c->conflicts));
    for (size_t i = 0; i < f->people_count && c->twice > 0; i++)
        if (f->people[i].own > 0)
            add(&t, "decides", "%s, who also judged; kept %s's own label in %s of %s "
                "disagreement%s", f->people[i].name, f->people[i].name, IV_COUNT(f->people[i].kept),
                IV_COUNT(f->people[i].own), s_of(f->people[i].own));
        else if (strstr(f->people[i].may, "adjudicate") != NULL)
            add(&t, "decides", "%s, who %s", f->people[i].name, f->people[i].judged > 0
                ? "also judged: a disagreement can be about an own label" : "judged nothing");
    if (e->twice > 0 && c->conflicts == 0) {
        add(&t, "compared", "of %s documents, the label of the person whose label was stored "
            "first, which need not have been made first, with the decided label; the documents for "
            "two were chosen at random when the session was made, and %s more of those judged wait "
            "for their second label",
            IV_COUNT(e->twice), IV_COUNT(f->live.one_of_two));
    }
    for (size_t i = 2; i-- > 0 && e->twice > 0 && c->conflicts == 0;) {
        const int64_t *n = e->rechecked[i];
        add(&t, i == 1 ? "of retrieved ones" : "of unretrieved ones", "%s label%s stored first "
            "said relevant, %s of them not as decided; %s said not relevant, %s of them not as "
            "decided",
            IV_COUNT(n[0]), s_of(n[0]), IV_COUNT(n[0] - n[1]), IV_COUNT(n[2]), IV_COUNT(n[3]));
    }
    if (e->has || e->all)
        add(&t, "by labels stored first", "recall %s", iv_percent(text, e->now.first[0], NAN));
    if (!e->has)
        add(&t, "correction", "none (%s): it is assumed that %s", e->why[0] != '\0' ? e->why
            : "it needs the strata of a review", iv_live_say_correct(&correct, f));
    put(out, "errors", &t);
}

/* ------------------------------------------------------------------ labels -- */

typedef struct label_row {
    const char *label, *counts;
    size_t documents;
} label_row;

/* Each document is in one row. */
static int labels(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f, iv_err *err)
{
    static const iv_field fields[] = { { "label", IV_AT(label_row, label) },
                                       { "counts_as", IV_AT(label_row, counts),
                                         .heading = "counts as" },
                                       { "documents", IV_AT(label_row, documents) }, { NULL } };
    static const iv_field of_tags[] = {
        { "tag", IV_AT(iv_store_tag, name) }, { "documents", IV_AT(iv_store_tag, documents) },
        { "not_relevant", IV_AT(iv_store_tag, excluded), .heading = "not relevant",
          .about = "of these, documents that were decided to be not relevant" }, { NULL } };
    const iv_store_about *about = iv_store_about_of(s);
    const iv_combined *c = &f->combined;
    const size_t grades = about->grade_count;
    label_row *rows = iv_take(a, grades + 3, sizeof *rows);
    const iv_store_tag *tag;
    char text[96];
    size_t tags;

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t g = 0; g < grades; g++) {
        (void)snprintf(text, sizeof text, "%d: %.80s", (int)about->grades[g], about->words[g]);
        rows[g] = (label_row){ iv_arena_copy(a, iv_str_of(text)), about->grades[g] >= about->level
                               ? "relevant" : "not relevant", 0 };
    }
    rows[grades] = (label_row){ "not decided", "the owner's label, else the last one", 0 };
    rows[grades + 1] = (label_row){ "nobody could judge it", about->kind == IV_STORE_REVIEW
                                    ? "no label" : "not relevant, in estimates", 0 };
    rows[grades + 2] = (label_row){ "not judged", "no label", 0 };
    for (size_t i = 0; i < c->count; i++) {
        const int way = way_of(c, i, about->level);
        size_t g = way >= NOT_DECIDED ? grades + (size_t)(way - NOT_DECIDED) : 0;
        while (g < grades && about->grades[g] != c->grade[i])
            g++;
        rows[g].documents++;
    }
    (void)iv_result_rows(out, &(iv_rows){ "labels", fields, rows, grades + 3, sizeof *rows });
    IV_TRY(iv_store_tags(&tag, &tags, a, s, c, err));
    if (tags > 0)
        (void)iv_result_rows(out, &(iv_rows){ "tags", of_tags, tag, tags, sizeof *tag });
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

/* Dates that cannot be right. */
static void add_dates(facts *t, int64_t count, const char *when)
{
    if (count > 0)
        add(t, "dates", "%s judgment%s a date %s", IV_COUNT(count), count == 1 ? " has" : "s have",
            when);
}

static void logged(facts *t, const iv_live_facts *f, const size_t textless[WAYS])
{
    const iv_store_logged *log = &f->log;
    const bool elsewhere = log->imported > 0;
    char text[32];
    size_t all = 0;

    for (int i = 0; i < WAYS; i++)
        all += textless[i];
    if (log->first != NULL)
        add(t, "first judgment", "%s", time_of(text, log->first));
    if (log->last != NULL)
        add(t, "last judgment", "%s", time_of(text, log->last));
    add_dates(t, log->early, "before the session was made: it was set, not observed");
    add_dates(t, log->future, "in the future: a clock was wrong, or the date was set");
    add_dates(t, log->back, "before that of the judgment stored before: a clock was changed, or "
              "the date was set");
    add(t, "judgments", "%s in the log", IV_COUNT(f->counts.judgments));
    add(t, "imported", "%s of these%s", IV_COUNT(log->imported), elsewhere ? ", made elsewhere: "
        "by whom, whether independently, when and in which order, what was shown, and labels that "
        "were changed before are not known" : "");
    add(t, "changed", "%s label%s replaced or undone (relevant to not relevant: %s, the reverse: "
        "%s, 'cannot judge' to a label: %s) later by the same person%s", IV_COUNT(log->changed),
        log->changed == 1 ? " was" : "s were", IV_COUNT(log->turned[1]), IV_COUNT(log->turned[0]),
        IV_COUNT(log->turned[2]), elsewhere
        ? ", or by a later import of that person's labels" : "");
    add(t, "without text", "%s of the %s documents have no text or abstract: %s are relevant, "
        "%s not relevant, %s not decided, %s nobody could judge, %s are not judged",
        IV_COUNT(all), IV_COUNT(f->combined.count), IV_COUNT(textless[RELEVANT]),
        IV_COUNT(textless[NOT_RELEVANT]), IV_COUNT(textless[NOT_DECIDED]),
        IV_COUNT(textless[CANNOT]), IV_COUNT(textless[NOT_JUDGED]));
}

static int session(iv_result *out, iv_arena *a, iv_store *s, const iv_live_facts *f,
                   const size_t textless[WAYS], iv_err *err)
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
    logged(&t, f, textless);
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
    add(&t, "overlap", "%.10g %% of the documents, chosen at random, are for two assessors",
        100.0 * about->overlap);
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
        iv_result_note(out, "The files that the session was made from are not recorded.");
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
    size_t textless[WAYS] = { 0 }, used[WAYS] = { 0 };
    const bool *without;
    iv_live_facts f;

    IV_TRY(iv_store_check(s, err));
    IV_TRY(iv_live_facts_of(&f, a, s, work, err));
    IV_TRY(iv_store_textless(&without, a, s, err));
    for (size_t i = 0; i < f.combined.count; i++)
        textless[way_of(&f.combined, i, about->level)] += without[i];
    for (size_t k = 0; k < f.live.ruled; k++) {
        const size_t i = f.combined.order[k];
        used[way_of(&f.combined, i, about->level)] += without[i];
    }
    iv_live_say(out, &f);
    decision(out, a, &f, about, used);
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
    IV_TRY(labels(out, a, s, &f, err));
    IV_TRY(iv_live_table_flow(out, a, s, &f.live, err));
    IV_TRY(session(out, a, s, &f, textless, err));
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
