/* SPDX-License-Identifier: Apache-2.0 */
/* A table of scores and its transpose are one, and check finds no error in what is read. */
#include "fuzz.h"
#include "trec/inspection.h"
#include "trec/score_table.h"
#include "base/bytes.h"

#include <math.h>

static void transposed(const iv_score_table *a, const iv_score_table *b)
{
    const size_t S = a->system_count, T = a->item_count;
    double *x = malloc(S * T * sizeof *x), *y = malloc(S * T * sizeof *y);

    PROMISE(S == b->item_count && T == b->system_count && S > 0 && T > 0 && a->count == b->count);
    for (size_t s = 0; s < S; s++)
        PROMISE(fuzz_same(iv_str_of(a->systems[s]), b->items[s]));
    for (size_t t = 0; t < T; t++)
        PROMISE(fuzz_same(a->items[t], iv_str_of(b->systems[t])));
    PROMISE(x != NULL && y != NULL);
    (void)iv_score_values(x, a, 0);
    (void)iv_score_values(y, b, 0);
    for (size_t k = 0; k < S * T; k++) {
        const double other = y[k % T * S + k / T];
        PROMISE(isnan(x[k]) ? isnan(other) : x[k] == other);
        PROMISE(!isinf(x[k]));
    }
    free(x);
    free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    iv_bytes bytes;
    iv_score_table *a = NULL, *b = NULL;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    if (!fuzz_bytes(&bytes, &in))
        return 0;
    const int rc = iv_score_table_parse(&a, "f", in.text, in.len, NULL, IV_ROWS_SYSTEMS, &err);
    PROMISE(iv_score_table_parse(&b, "f", in.text, in.len, NULL, IV_ROWS_TOPICS, NULL) == rc);
    PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_ENODATA);
    PROMISE((rc == IV_OK) == (a != NULL) && (rc == IV_OK) == (b != NULL));
    if (a != NULL && b != NULL && a->wide)
        transposed(a, b);
    else if (rc == IV_EPARSE)
        fuzz_message(&err);
    PROMISE(iv_inspect_bytes(&i, &bytes, IV_JUDGMENTS_ANY, SIZE_MAX, NULL, "f", NULL) == IV_OK);
    const iv_inspector *v = i;
    if (v->kind == IV_FILE_MATRIX && a != NULL && a->wide)
        PROMISE(v->problems.errors == 0 && v->records >= a->system_count && v->topics == a->item_count);
    iv_inspector_free(i);
    iv_score_table_free(a);
    iv_score_table_free(b);
    return 0;
}
