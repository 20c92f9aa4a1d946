/* SPDX-License-Identifier: Apache-2.0 */
/* How a session stands, as a result for every format. */
#include "live/live.h"
#include "store/store_private.h"

/* ------------------------------------------------------------- numbers -- */

typedef struct number_row {
    const char *kind, *of;
    double value, lower, upper;
    size_t documents;
    const char *valid;
} number_row;

static const iv_field number_fields[] = {
    { "kind", IV_AT(number_row, kind), .audience = IV_IF_VARIES,
      .about = "now, guaranteed or plan" },
    { "of", IV_AT(number_row, of), .heading = "quantity" },
    { "value", IV_AT(number_row, value), .digits = IV_DIGITS },
    { "lower", IV_AT(number_row, lower), .digits = IV_DIGITS, .audience = IV_IF_ANY,
      .about = "lower limit of the interval" },
    { "upper", IV_AT(number_row, upper), .digits = IV_DIGITS, .audience = IV_IF_ANY,
      .about = "upper limit of the interval" },
    { "documents", IV_AT(number_row, documents), .heading = "judged up to first unjudged",
      .about = "judged documents that the estimate uses" },
    { "valid", IV_AT(number_row, valid), .heading = "note", .about = "when the number is valid" },
    { NULL } };

static void table_numbers(iv_result *out, const iv_live *l)
{
    number_row rows[5];
    size_t n = 0;

    rows[n++] = (number_row){ "now", l->now.of, l->now.value, l->now.lower, l->now.upper,
                              l->prefix, l->judged == l->items ? ""
                                  : "interim: do not use it to decide when to stop" };
    if (l->streak > 0)
        rows[n++] = (number_row){ "now", "irrelevant documents in a row", (double)l->streak, NAN,
                                  NAN, l->prefix, "not a stopping rule" };
    if (l->has_guaranteed) {
        rows[n++] = (number_row){ "guaranteed", "recall", NAN, l->guaranteed, NAN, l->whole,
                                  "valid whenever you stop judging" };
        if (l->target > 0.0 && l->looks == 0) /* else the plan decides */
            rows[n++] = (number_row){ "guaranteed", "e-value for the target (at most 1,000)",
                                      fmin(l->evidence, 1000.0), NAN, NAN, l->whole,
                                      "demonstrated when it reaches 20" };
    }
    if (l->looks > 0)
        rows[n++] = (number_row){ "plan", l->may_stop
                                      ? "recall at the interim analysis that decides"
                                      : "recall at the most recent interim analysis",
                                  NAN, l->look_lower, NAN, l->judged_at_last,
                                  "at the planned interim analyses" };
    (void)iv_result_rows(out, &(iv_rows){ "numbers", number_fields, rows, n, sizeof *rows,
                                         .digits = l->has_guaranteed ? 3 : 0 });
}

/* -------------------------------------------------- topics, assessors -- */

static const iv_field topic_fields[] = {
    { "topic", IV_AT(iv_store_topic, name) },
    { "items", IV_AT(iv_store_topic, items), .about = "documents to judge" },
    { "judged", IV_AT(iv_store_topic, judged), .about = "documents that somebody has judged" },
    { "done", IV_AT(iv_store_topic, done), .audience = IV_FOR_PROGRAMS,
      .about = "judged as often as planned" },
    { NULL } };

static int table_topics(iv_result *out, iv_arena *a, iv_store *s, iv_err *err)
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

static const iv_field person_fields[] = {
    { "assessor", IV_AT(iv_assessor_row, name) },
    { "judged", IV_AT(iv_assessor_row, judged) },
    { "relevant", IV_AT(iv_assessor_row, relevant) },
    { "cannot", IV_AT(iv_assessor_row, cannot), .heading = "cannot judge",
      .about = "documents they could not judge" },
    { "later", IV_AT(iv_assessor_row, later), .heading = "postponed",
      .about = "documents they have put off" },
    { "undone", IV_AT(iv_assessor_row, undone), .audience = IV_FOR_PROGRAMS },
    { "seconds", IV_AT(iv_assessor_row, seconds), .digits = 1, .heading = "median seconds",
      .about = "median active time of a judgment" },
    { "last", IV_AT(iv_assessor_row, last), .audience = IV_FOR_PROGRAMS },
    { "may", IV_AT(iv_assessor_row, may), .audience = IV_FOR_PROGRAMS, .about = "rights of the "
                                                                           "assessor: judge, or "
                                                                           "revoked" },
    { NULL } };

static int table_people(iv_result *out, iv_arena *a, iv_store *s, iv_err *err)
{
    const iv_assessor_row *rows;
    size_t count = 0;

    IV_TRY(iv_store_assessor_rows(&rows, &count, a, s, err));
    (void)iv_result_rows(out, &(iv_rows){ "assessors", person_fields, rows, count,
                                          sizeof *rows });
    return IV_OK;
}

/* -------------------------------------------------------------- PRISMA -- */

/* A step and its records are told as a tag and its documents. */
static const iv_field flow_fields[] = { { "step", IV_AT(iv_store_tag, name) },
                                        { "records", IV_AT(iv_store_tag, documents) },
                                        { NULL } };

static int count_of(size_t *out, iv_arena *a, iv_store *s, const char *key, iv_err *err)
{
    iv_str text;
    int64_t n = 0;

    IV_TRY(iv_store_value(&text, a, s, key, err));
    *out = text.ptr != NULL && iv_scan_int(&n, text, 0, INT64_MAX) ? (size_t)n : SIZE_MAX;
    return IV_OK;
}

/* The numbers of a PRISMA flow diagram, of a session made from references. */
static int table_flow(iv_result *out, iv_arena *a, iv_store *s, const iv_live *l, iv_err *err)
{
    size_t duplicates, skipped, before, tags = 0, n = 0;
    const iv_store_tag *tag;
    iv_combined c;

    IV_TRY(count_of(&duplicates, a, s, "duplicates", err));
    IV_TRY(count_of(&skipped, a, s, "skipped", err));
    IV_TRY(count_of(&before, a, s, "judged_before", err));
    if (duplicates == SIZE_MAX || skipped == SIZE_MAX || before == SIZE_MAX)
        return IV_OK;
    IV_TRY(iv_store_combine(&c, a, s, NULL, false, err));
    IV_TRY(iv_store_tags(&tag, &tags, a, s, &c, err));
    iv_store_tag *rows = iv_take(a, tags + 8, sizeof *rows);
    if (rows == NULL)
        return iv_no_memory(err);
    rows[n++] = (iv_store_tag){ "records identified", l->items + before + duplicates + skipped };
    rows[n++] = (iv_store_tag){ "duplicates removed", duplicates };
    rows[n++] = (iv_store_tag){ "removed: neither title nor abstract", skipped };
    rows[n++] = (iv_store_tag){ "records screened", l->judged + before };
    rows[n++] = (iv_store_tag){ "excluded",
                                l->judged + before - l->relevant - l->control - c.cannot };
    for (size_t i = 0; i < tags; i++) {
        char step[96];
        (void)snprintf(step, sizeof step, "excluded: %.80s", tag[i].name);
        if (tag[i].excluded > 0)
            rows[n++] = (iv_store_tag){ iv_arena_copy(a, iv_str_of(step)), tag[i].excluded };
    }
    rows[n++] = (iv_store_tag){ "included", l->relevant + l->control };
    if (c.cannot > 0)
        rows[n++] = (iv_store_tag){ "cannot judge", c.cannot };
    rows[n++] = (iv_store_tag){ "not screened", l->items - l->judged };
    (void)iv_result_rows(out, &(iv_rows){ "prisma", flow_fields, rows, n, sizeof *rows });
    return IV_OK;
}

/* ---------------------------------------------------------- agreement -- */

static const iv_field pair_fields[] = {
    { "a", IV_AT(iv_live_pair, a) },
    { "b", IV_AT(iv_live_pair, b) },
    { "items", IV_AT(iv_live_pair, items), .about = "that both have graded" },
    { "agreement", IV_AT(iv_live_pair, agreement), .digits = 3,
      .about = "proportion with equal labels; limits at 95 % confidence" },
    { "agreement_lower", IV_AT(iv_live_pair, agreement_lower), .digits = 3 },
    { "agreement_upper", IV_AT(iv_live_pair, agreement_upper), .digits = 3 },
    { "kappa", IV_AT(iv_live_pair, kappa), .digits = 3,
      .about = "Cohen's kappa, the agreement beyond chance, by linear weights of more than two "
               "grades; limits at 95 % confidence" },
    { "kappa_lower", IV_AT(iv_live_pair, kappa_lower), .digits = 3 },
    { "kappa_upper", IV_AT(iv_live_pair, kappa_upper), .digits = 3 },
    { NULL } };

static const iv_field under_fields[] = {
    { "answer", IV_AT(iv_live_value, of), .about = "by whose label where several judged a "
                                                  "document" },
    { "value", IV_AT(iv_live_value, value), .digits = IV_DIGITS },
    { "lower", IV_AT(iv_live_value, lower), .digits = IV_DIGITS },
    { "upper", IV_AT(iv_live_value, upper), .digits = IV_DIGITS },
    { "documents", IV_AT(iv_live_value, documents), .about = "judged documents that the estimate "
                                                             "uses" },
    { NULL } };

static int table_agreement(iv_result *out, iv_arena *a, iv_store *s, const iv_work *work,
                           iv_err *err)
{
    const bool share = iv_store_about_of(s)->kind == IV_STORE_REVIEW; /* else a count */
    iv_live_agreement g;

    IV_TRY(iv_live_agree(&g, a, s, work, err));
    if (g.items == 0)
        return IV_OK;
    (void)iv_result_rows(out, &(iv_rows){ "agreement", pair_fields, g.pairs, g.pair_count,
                                          sizeof *g.pairs });
    (void)iv_result_rows(out, &(iv_rows){ "under", under_fields, g.under, g.under_count,
                                          sizeof *g.under, .digits = share ? 3 : 0 });
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

static void report(iv_result *out, const iv_live *l, const iv_store_counts *c)
{
    char left[128] = "nothing is left to judge", work[64] = "", control[80] = "";

    if (!isnan(l->minutes_left) && l->minutes_left < 1.0)
        (void)snprintf(work, sizeof work, ", less than a minute of work");
    else if (!isnan(l->minutes_left))
        (void)snprintf(work, sizeof work, ", about %.0f minute%s of work", l->minutes_left,
                       l->minutes_left < 1.5 ? "" : "s");
    if (c->open > 0)
        (void)snprintf(left, sizeof left, "%s %sjudgment%s left%s", IV_COUNT(c->open),
                       l->judged == l->items ? "second " : "", c->open == 1 ? " is" : "s are",
                       work);
    if (l->control > 0)
        (void)snprintf(control, sizeof control, " (%zu with the %zu of the control sample)",
                       l->relevant + l->control, l->control);
    iv_result_answer(out, "%s of %s documents are judged, %s of them relevant%s; %s.%s%s",
                     IV_COUNT(l->judged), IV_COUNT(l->items), IV_COUNT(l->relevant), control, left,
                     l->advice[0] != '\0' ? " " : "", l->advice);
    if (c->conflicts > 0)
        iv_result_note(out, "Documents with different grades, which the owner decides: %zu.",
                       c->conflicts);
    if (c->cannot > 0)
        iv_result_note(out, "Documents that an assessor could not judge: %zu.", c->cannot);
}

static int tell(iv_result *out, iv_arena *a, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_store_counts c;
    iv_live l;

    IV_TRY(iv_store_check_words(s, err));
    IV_TRY(iv_live_of(&l, s, work, err));
    IV_TRY(iv_store_count(&c, s, err));
    report(out, &l, &c);
    table_numbers(out, &l);
    IV_TRY(table_topics(out, a, s, err));
    IV_TRY(table_flow(out, a, s, &l, err));
    IV_TRY(table_people(out, a, s, err));
    IV_TRY(table_agreement(out, a, s, work, err));
    return iv_result_status(out, err);
}

int iv_live_status(iv_result *out, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    const int rc = tell(out, &memory, s, work, err);

    iv_arena_free(&memory);
    return rc;
}
