/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values as distances from the mean of reference runs, in their standard deviations.
 *
 * Ref: Webber, Moffat and Zobel (2008), Score standardization for inter-collection
 * comparison of retrieval systems, SIGIR.
 */
#include "retrieval/standard_scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "trec/fields.h"
#include "measure/measures.h"

typedef struct reference {
    iv_str topic, measure;
    double mean, deviation;
} reference;

struct iv_standards {
    iv_bytes bytes;
    reference *at; /* sorted */
    size_t count, capacity;
};

static int by_name(const void *a, const void *b)
{
    const reference *x = a, *y = b;
    const int topics = iv_str_cmp(x->topic, y->topic);

    return topics != 0 ? topics : iv_str_cmp(x->measure, y->measure);
}

void iv_standards_free(iv_standards *s)
{
    if (s == NULL)
        return;
    iv_bytes_free(&s->bytes);
    free(s->at);
    free(s);
}

static int read_line(iv_standards *s, const iv_str *fields, size_t count, const char *path,
                     uint64_t line, iv_err *err)
{
    reference r = { fields[0], fields[1], 0.0, 0.0 };

    if (count != 4)
        return iv_fail_at(err, IV_EPARSE, path, line, "%zu field%s, expected 4: topic measure "
                          "mean deviation", count, count == 1 ? "" : "s");
    if (!iv_scan_real(&r.mean, fields[2]) || !iv_scan_real(&r.deviation, fields[3])
        || r.deviation < 0.0)
        return iv_fail_at(err, IV_EPARSE, path, line, "expected a finite mean and a deviation "
                          "from 0");
    if (!IV_ROOM(s->at, s->capacity, s->count + 1))
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    s->at[s->count++] = r;
    return IV_OK;
}

int iv_standards_load(iv_standards **out, const char *path, const iv_work *work, iv_err *err)
{
    iv_standards *s = calloc(1, sizeof *s);
    int rc = s == NULL ? iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory")
                       : iv_bytes_load(&s->bytes, path, work, err);

    if (rc != IV_OK) {
        free(s);
        return rc;
    }
    const char *p = s->bytes.ptr, *const end = p + s->bytes.len;
    for (uint64_t line = 1; p < end && rc == IV_OK; line++) {
        iv_str fields[4] = { { "", 0 } };
        const size_t count = iv_split_line(fields, 4, &p, end);
        if (count > 0)
            rc = read_line(s, fields, count, path, line, err);
    }
    if (rc != IV_OK) {
        iv_standards_free(s);
        return rc;
    }
    if (s->count > 0)
        qsort(s->at, s->count, sizeof *s->at, by_name);
    *out = s;
    return IV_OK;
}

/* NaN: there is none. */
static double standard(const iv_standards *s, iv_str topic, const char *measure, double value)
{
    const reference key = { topic, iv_str_of(measure), 0.0, 0.0 };
    const reference *r = s->count > 0
        ? bsearch(&key, s->at, s->count, sizeof *s->at, by_name) : NULL;

    if (r == NULL || (r->deviation == 0.0 && value != r->mean))
        return NAN;
    return r->deviation == 0.0 ? 0.0 : (value - r->mean) / r->deviation;
}

int iv_standardize(double *row, const iv_standards *s, const iv_measures *m, iv_str topic,
                   bool lenient, iv_err *err)
{
    static const double missing = -1000000.0; /* trec_eval's */
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const iv_value_info *v = iv_measures_value(m, i);
        const bool geometric = v->measure->summary == IV_SUMMARY_GEOMETRIC;
        if (v->measure->kind == IV_TEXT || (!v->measure->per_topic && !geometric))
            continue;
        double z = standard(s, topic, v->name, geometric ? log(row[i]) : row[i]);
        if (isnan(z) && !lenient)
            return iv_fail(err, IV_ENODATA, "the reference has no mean of %s on topic %s with "
                           "a deviation above 0", v->name, iv_quote(quoted, topic));
        z = isnan(z) ? missing : z;
        row[i] = geometric ? exp(fmax(z, -700.0)) : z; /* its logarithm is taken again */
    }
    return IV_OK;
}
