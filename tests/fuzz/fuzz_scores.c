/* SPDX-License-Identifier: Apache-2.0 */
/* Scores: whatever the bytes are, there is a table whose parts fit, or one line why not. */
#include "fuzz.h"
#include "trec/score_table.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    iv_score_table *t = NULL;
    iv_err err = { IV_OK, "" };
    const int rc = iv_score_table_parse(&t, "f", in.text, in.len, NULL, IV_ROWS_AUTO, &err);

    PROMISE((rc == IV_OK) == (t != NULL));
    if (t == NULL) {
        PROMISE(rc == IV_EPARSE || rc == IV_ENODATA);
        if (rc == IV_EPARSE)
            fuzz_message(&err);
        return 0;
    }
    const iv_score_table *v = t;
    PROMISE(v->count > 0 && v->system_count > 0 && v->item_count > 0);
    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        PROMISE(isfinite(x->score) && x->system < v->system_count && x->item < v->item_count
                && x->measure < v->measure_count);
        PROMISE(v->repeat_count == 0 || x->repeat < v->repeat_count);
    }
    for (size_t k = 0; k < v->item_count; k++) {
        PROMISE(v->cluster == NULL || v->cluster[k] < v->cluster_count);
        PROMISE(v->suite == NULL || v->suite[k] < v->suite_count);
        PROMISE(v->weight == NULL || v->weight[k] > 0.0);
    }
    iv_score_table_free(t);
    return 0;
}
