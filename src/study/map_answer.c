/* SPDX-License-Identifier: Apache-2.0 */
/* study map: what is told of it. */
#include <stdlib.h>
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "answer/scorecard.h"
#include "base/listing.h"
#include "study/map_study.h"
#include "study/study_columns.h"

enum { METHODS = 16 };

/* Names of methods, which are not "auto" or "none". */
static int read_methods(iv_interval_method *out, size_t *count, const char *text, iv_err *err)
{
    const char *const *names = iv_interval_names();
    char quoted[IV_QUOTE_SIZE];

    for (const char *at = text; *count < METHODS;) {
        const iv_str word = { at, strcspn(at, ",") };
        size_t k = 0;
        while (names[k] != NULL && (iv_interval_about((iv_interval_method)k)->least == 0
                                    || iv_str_cmp(word, iv_str_of(names[k])) != 0))
            k++;
        if (names[k] == NULL)
            return iv_fail(err, IV_EARG, "unknown method %s, expected percentile, bca, logit, t, "
                           "logit-t, bootstrap-t, wilson, exact or bounded", iv_quote(quoted, word));
        out[(*count)++] = (iv_interval_method)k;
        if (at[word.len] == '\0')
            return IV_OK;
        at += word.len + 1;
    }
    return iv_fail(err, IV_EARG, "more than %d methods", METHODS);
}

const iv_field iv_map_study_fields[] = {
    { "method", IV_AT(iv_map_study_cell, method), .names = iv_interval_names,
      .about = "kind of interval" },
    { "n", IV_AT(iv_map_study_cell, n), .about = "topics in a sample" },
    { "alpha", IV_AT(iv_map_study_cell, alpha), .digits = 2, .about = "error promised" },
    { "error", IV_AT(iv_map_study_cell, error), .digits = 4,
      .about = "share of intervals that miss the mean" },
    { "error_se", IV_AT(iv_map_study_cell, error_se), .digits = 4, .about = "its standard error" },
    { "below", IV_AT(iv_map_study_cell, below), .digits = 4, .about = "intervals below the mean" },
    { "above", IV_AT(iv_map_study_cell, above), .digits = 4, .about = "intervals above the mean" },
    { "width", IV_AT(iv_map_study_cell, width), .digits = 4, .about = "mean width" },
    { "bias", IV_AT(iv_map_study_cell, bias), .digits = 5,
      .about = "mean of the samples' means less the mean" },
    { "intervals", IV_AT(iv_map_study_cell, intervals), .about = "how many there were" },
    { "gaps", IV_AT(iv_map_study_cell, gaps), .about = "samples that gave none" },
    { NULL } };

/* How far each method is from what it promises, in a sentence; the axes' end. */
static double tell(iv_result *out, const iv_map_study_cell *cells, size_t count, size_t each)
{
    iv_listing l = { .most = METHODS };
    double worst = 0.0, most = 0.0;

    for (size_t k = 0; k < count; k++) {
        worst = fmax(worst, fabs(cells[k].error - cells[k].alpha));
        most = fmax(most, fmax(cells[k].alpha, cells[k].error));
        if ((k + 1) % each != 0)
            continue;
        iv_list(&l, "%s %.4f", iv_interval_names()[cells[k].method], worst);
        worst = 0.0;
    }
    iv_result_answer(out, "Largest difference between the error and alpha: %s.", iv_listed(&l));
    return fmin(1.0, ceil(20.0 * most + 0.2) / 20.0);
}

static void draw(iv_result *out, double most)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "What alpha promises, and what holds",
        .caption = "How often an interval misses the mean, over how often it says it would. On "
                   "the diagonal it keeps its promise; above it is too narrow, below too wide.",
        .x = "alpha", .value = "error", .group = "method", .page = "n", .diagonal = true,
        .x_axis = { .title = "alpha: the error promised", .from = 0.0, .to = most },
        .value_axis = { .title = "error found", .from = 0.0, .to = most } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "How wide the intervals are",
        .caption = "The mean width of the intervals: of two methods that keep their promise, "
                   "the narrower one says more.",
        .x = "alpha", .value = "width", .group = "method", .page = "n",
        .x_axis = { .title = "alpha" } });
}

/* Scores of any kind as the text of a matrix, which the study reads. */
static int matrix_of(iv_matrix **out, iv_result *result, const iv_study_map_question *q,
                     const iv_work *work, iv_err *err)
{
    iv_scorecard card = { 0 };
    char *text = NULL;
    size_t len = 0;
    int rc = iv_scorecard_read(&card, &q->scores, &(iv_texts){ 0 }, false, false, result, work, err);
    FILE *f = rc == IV_OK ? open_memstream(&text, &len) : NULL;

    if (rc == IV_OK && f == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t s = 0; f != NULL && s <= card.v->system_count; s++) {
        (void)fprintf(f, s == 0 ? "system" : "s%zu", s); /* names are not told */
        for (size_t t = 0; t < card.v->item_count; t++) {
            const double x = s == 0 ? 0.0
                : iv_scorecard_values(&card, 0)[(s - 1) * card.v->item_count + t];
            char number[IV_REAL_SIZE] = "";
            if (s > 0 && !isnan(x))
                (void)iv_format_real(number, x);
            (void)(s == 0 ? fprintf(f, ",t%zu", t + 1) : fprintf(f, ",%s", number));
        }
        (void)fputc('\n', f);
    }
    if (f != NULL && fclose(f) != 0)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK)
        rc = iv_matrix_parse(out, "the scores", text, len, IV_ROWS_SYSTEMS, err);
    free(text);
    iv_scorecard_free(&card);
    return rc;
}

int iv_study_answer_map(iv_result *out, const iv_study_map_question *q, const iv_work *work,
                        iv_err *err)
{
    iv_interval_method methods[METHODS];
    iv_map_study_options how = q->how;
    iv_matrix *scores = NULL;
    iv_map_study_cell *cells = NULL;
    iv_arena own = { 0 };
    size_t count = 0;
    int rc = IV_OK;

    if (q->methods != NULL) {
        how.methods = methods;
        how.method_count = 0;
        rc = read_methods(methods, &how.method_count, q->methods, err);
    }
    if (rc == IV_OK)
        rc = q->scores.given ? matrix_of(&scores, out, q, work, err)
            : iv_matrix_load(&scores, q->matrix, q->by, work, err);
    if (rc != IV_OK)
        return rc;
    if (!q->scores.given)
        iv_result_input(out, q->matrix, iv_matrix_bytes(scores));
    rc = iv_map_study(&cells, &count, &own, scores, &how, work, err);
    if (rc == IV_OK) {
        const size_t each = count / (how.method_count == 0 ? 3 : how.method_count);
        const double most = tell(out, cells, count, each);
        (void)iv_result_rows(out, &(iv_rows){ "errors", iv_map_study_fields, cells, count, sizeof *cells });
        draw(out, most);
        for (size_t k = 0; k < each; k++)
            if (cells[k].gaps > 0 && (k == 0 || cells[k].n != cells[k - 1].n))
                iv_result_note(out, "%zu of %zu samples of %zu topics had all values equal to 0 "
                               "or to 1 and gave no interval; they are left out", cells[k].gaps,
                               cells[k].gaps + cells[k].intervals, cells[k].n);
        iv_result_note(out, "%zu systems and %zu topics; %zu samples of each size from each "
                       "system, without replacement; %zu resamples of each",
                       iv_matrix_systems(scores), iv_matrix_topics(scores),
                       how.samples == 0 ? 1000 : how.samples,
                       how.resamples == 0 ? 1000 : how.resamples);
    }
    iv_arena_free(&own);
    iv_matrix_free(scores);
    return rc;
}
