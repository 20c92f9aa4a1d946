/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from a pilot's scores. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_parts.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/answer.h"

typedef struct row {
    iv_str a, b; /* a did better */
    iv_planned_test test;
    iv_pilot_topics f;
} row;

static const iv_field fields[] = {
    { "a", IV_AT(row, a), .about = "the system that did better in the pilot" },
    { "b", IV_AT(row, b), .about = "the other" },
    { "test", IV_AT(row, test), .names = iv_planned_test_names },
    { "pilot_topics", IV_AT(row, f.pilot), .about = "topics of the pilot that count" },
    { "effect", IV_AT(row, f.effect), .digits = 3, .about = "as the pilot shows it" },
    { "effect_lower", IV_AT(row, f.lower), .digits = 3, .about = "lower end of its interval" },
    { "effect_upper", IV_AT(row, f.upper), .digits = 3, .about = "upper end" },
    { "topics", IV_AT(row, f.topics), .about = "topics that find the effect" },
    { "topics_lower", IV_AT(row, f.fewest), .about = "at the upper end of the effect" },
    { "topics_upper", IV_AT(row, f.most), .about = "at its lower end" },
    { NULL } };

typedef struct pilot {
    iv_result *out;
    const iv_plan_topics_question *q;
    const iv_matrix *m;
    double power, confidence;
    double *d;      /* differences of one pair */
    size_t dropped; /* scores missing on a side, over pairs */
    size_t open;    /* pairs without an upper limit */
    row *rows;
    size_t count, capacity;
} pilot;

static size_t differences(pilot *p, size_t a, size_t b)
{
    size_t n = 0;

    for (size_t t = 0; t < iv_matrix_topics(p->m); t++) {
        const double d = iv_matrix_score(p->m, a, t) - iv_matrix_score(p->m, b, t);
        if (!isnan(d))
            p->d[n++] = d;
        else
            p->dropped++;
    }
    return n;
}

static int keep(pilot *p, const row *r, iv_err *err)
{
    row *grown = iv_grow(p->rows, &p->capacity, p->count + 1, sizeof *grown);
    char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE];

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    p->rows = grown;
    p->rows[p->count++] = *r;
    p->open += r->f.most == SIZE_MAX;
    if (p->count == 1 && r->f.topics != SIZE_MAX)
        iv_result_answer(p->out, "%s over %s: %zu topics for power %g, if the effect is "
                         "what the pilot shows.", iv_quote(x, r->a), iv_quote(y, r->b),
                         r->f.topics, p->power);
    return IV_OK;
}

static int plan_pair(pilot *p, size_t a, size_t b, iv_planned_test test, const iv_work *work,
                     iv_err *err)
{
    const iv_plan_topics_question *q = p->q;
    const iv_power_options o = { .test = test, .sides = q->sides, .alpha = q->alpha,
                                 .certainty = q->certainty, .experiments = q->experiments };
    const size_t n = differences(p, a, b);
    const iv_str names[] = { iv_matrix_system(p->m, a), iv_matrix_system(p->m, b) };
    iv_err why = { .code = IV_OK };
    iv_pilot_topics f;
    const int rc = iv_topics_from_pilot(&f, p->d, n, p->power, p->confidence, &o, work, &why);

    if (rc == IV_ENODATA && n >= 2) {
        char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE];
        iv_result_note(p->out, "%s and %s: %s", iv_quote(x, names[0]), iv_quote(y, names[1]),
                       why.msg);
        return IV_OK;
    }
    if (rc != IV_OK) {
        if (err != NULL)
            *err = why;
        return rc;
    }
    return keep(p, &(row){ names[f.a_better ? 0 : 1], names[f.a_better ? 1 : 0], test, f }, err);
}

static int find_system(size_t *out, const iv_matrix *m, const char *name, iv_err *err)
{
    iv_listing there = { 0 };

    for (size_t k = 0; k < iv_matrix_systems(m); k++) {
        if (iv_str_cmp(iv_matrix_system(m, k), iv_str_of(name)) == 0) {
            *out = k;
            return IV_OK;
        }
        iv_list_quoted(&there, iv_matrix_system(m, k));
    }
    return iv_fail(err, IV_EARG, "the baseline '%.80s' is not in the matrix, but %s", name,
                   iv_listed(&there));
}

static int plan_pairs(pilot *p, const iv_planned_test *tests, size_t count, size_t baseline,
                      const iv_work *work, iv_err *err)
{
    const size_t systems = iv_matrix_systems(p->m);
    int rc = IV_OK;

    for (size_t a = 0; a < systems && rc == IV_OK; a++) {
        const double from = (double)a / (double)systems, to = (double)(a + 1) / (double)systems;
        const size_t first = baseline == IV_NONE ? a + 1 : baseline;
        const size_t end = baseline == IV_NONE ? systems : baseline + 1;
        for (size_t b = first; b < end && rc == IV_OK; b++) {
            const double done = from + (to - from) * (double)(b - first) / (double)(end - first);
            iv_stage stage;
            (void)iv_work_part(&stage, work, done, done);
            for (size_t k = 0; k < count && rc == IV_OK && a != b; k++)
                rc = plan_pair(p, a, b, tests[k], &stage.work, err);
        }
    }
    return rc;
}

static void tell(const pilot *p)
{
    (void)iv_result_rows(p->out, &(iv_rows){ "topics", fields, p->rows, p->count, sizeof(row) });
    iv_result_chart(p->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "topics", .title = "Topics needed",
        .caption = "A point is the number of topics to find the effect of the pilot, the "
                   "line the numbers that its interval allows. No line: no number of topics "
                   "is sure to be enough.",
        .label = "a", .against = "b", .page = "test", .value = "topics",
        .lower = "topics_lower", .upper = "topics_upper", .value_axis = { .log = true } });
    if (p->dropped > 0)
        iv_result_note(p->out, "topics with a score missing are left out of their pairs");
    if (p->open > 0)
        iv_result_note(p->out, "no topics_upper: the pilot does not exclude an effect of 0, "
                       "which no number of topics finds");
    iv_result_note(p->out, "a is the system that did better in the pilot; a pilot that "
                   "was chosen because it looked good overstates the effect");
}

static int answer(pilot *p, const iv_work *work, iv_err *err)
{
    iv_planned_test tests[IV_PLANNED_TESTS];
    size_t count = 0, baseline = IV_NONE;
    int rc = iv_planned_tests(tests, &count, &p->q->tests, err);

    if (rc == IV_OK && iv_matrix_systems(p->m) < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has one system, expected at least two", p->q->matrix);
    else if (rc == IV_OK && iv_matrix_topics(p->m) < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has one topic, expected at least two", p->q->matrix);
    if (rc == IV_OK && p->q->baseline != NULL)
        rc = find_system(&baseline, p->m, p->q->baseline, err);
    if (rc == IV_OK)
        rc = plan_pairs(p, tests, count, baseline, work, err);
    if (rc == IV_OK)
        tell(p);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_topics_question *q = asked;
    pilot p = { .out = out, .q = q, .power = q->power == 0.0 ? 0.8 : q->power,
                .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    iv_matrix *m = NULL;

    if (q->matrix == NULL)
        return iv_fail(err, IV_EARG, "there are no scores of a pilot to plan from");
    int rc = iv_matrix_load(&m, q->matrix, q->by, err);
    if (rc != IV_OK)
        return rc;
    iv_result_input(out, q->matrix, iv_matrix_bytes(m));
    p.m = m;
    p.d = malloc((iv_matrix_topics(m) + 1) * sizeof(double));
    rc = p.d == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : answer(&p, work, err);
    free(p.d);
    free(p.rows);
    iv_matrix_free(m);
    return rc;
}

int iv_answer_plan_topics(iv_result *out, const iv_plan_topics_question *q, const iv_work *work,
                          iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_plan_topics_question, matrix, PATH, "the matrix"),
        IV_CHOICE_OF(iv_plan_topics_question, by, iv_matrix_rows_names, "what rows are"),
        IV_PART_OF(iv_plan_topics_question, tests, TEXTS, "test"),
        IV_CHOICE_OF(iv_plan_topics_question, sides, iv_sides_names, "the number of sides"),
        IV_PART_OF(iv_plan_topics_question, power, REAL, "the power"),
        IV_PART_OF(iv_plan_topics_question, alpha, REAL, "alpha"),
        IV_PART_OF(iv_plan_topics_question, certainty, REAL, "the certainty"),
        IV_PART_OF(iv_plan_topics_question, confidence, REAL, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ASKING(parts, answer_asked, "plan topics"), work, err);
}
