/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix and its transpose are one, and what check calls one can be read. */
#include "fuzz.h"
#include "trec/matrix.h"
#include "trec/trec_private.h"

#include <math.h>

static void transposed(const iv_matrix *a, const iv_matrix *b)
{
    PROMISE(iv_matrix_systems(a) == iv_matrix_topics(b));
    PROMISE(iv_matrix_topics(a) == iv_matrix_systems(b));
    PROMISE(iv_matrix_systems(a) > 0 && iv_matrix_topics(a) > 0);
    PROMISE(iv_matrix_rows_named(a) == iv_matrix_rows_named(b));
    for (size_t s = 0; s < iv_matrix_systems(a); s++) {
        PROMISE(fuzz_same(iv_matrix_system(a, s), iv_matrix_topic(b, s)));
        for (size_t t = 0; t < iv_matrix_topics(a); t++) {
            const double x = iv_matrix_score(a, s, t), y = iv_matrix_score(b, t, s);
            PROMISE(isnan(x) ? isnan(y) : x == y);
            PROMISE(!isinf(x));
        }
    }
    for (size_t t = 0; t < iv_matrix_topics(a); t++)
        PROMISE(fuzz_same(iv_matrix_topic(a, t), iv_matrix_system(b, t)));
}

static bool warned_of_a_row(const iv_inspection *v)
{
    for (size_t i = 0; i < v->problem_count; i++) {
        if (!v->problems[i].error && strncmp(v->problems[i].message, "row ", 4) == 0)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    iv_bytes bytes;
    iv_matrix *a = NULL, *b = NULL;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" }, other = { IV_OK, "" };

    if (!fuzz_bytes(&bytes, &in))
        return 0;
    const int rc = iv_matrix_parse(&a, "f", in.text, in.len, IV_ROWS_SYSTEMS, &err);
    PROMISE(iv_matrix_parse(&b, "f", in.text, in.len, IV_ROWS_TOPICS, &other) == rc);
    PROMISE(rc == IV_OK || rc == IV_EPARSE);
    PROMISE((rc == IV_OK) == (a != NULL) && (rc == IV_OK) == (b != NULL));
    if (a != NULL && b != NULL) {
        transposed(a, b);
    } else {
        fuzz_message(&err);
        PROMISE(strcmp(err.msg, other.msg) == 0);
    }
    PROMISE(iv_inspect_bytes(&i, &bytes, IV_JUDGMENTS_ANY, SIZE_MAX, NULL, "f", NULL) == IV_OK);
    const iv_inspection *v = iv_inspector_view(i);
    if (v->kind == IV_FILE_MATRIX)
        PROMISE((rc == IV_OK) == (v->errors == 0 && !warned_of_a_row(v)));
    if (v->kind == IV_FILE_MATRIX && a != NULL)
        PROMISE(v->records == iv_matrix_systems(a) && v->topics == iv_matrix_topics(a));
    iv_inspector_free(i);
    iv_matrix_free(a);
    iv_matrix_free(b);
    return 0;
}
