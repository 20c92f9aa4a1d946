/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/gold.h"

int iv_gold_column(size_t *out, const iv_csv *t, const char *path, const char *name,
                   iv_err *err)
{
    static const char *const usual[] = { "gold", "label", "truth", "y_true", "target" };
    const size_t count = name != NULL ? 1 : sizeof usual / sizeof *usual;

    for (size_t i = 0; i < count; i++) {
        *out = iv_csv_find(t, iv_str_of(name != NULL ? name : usual[i]));
        if (*out != IV_NONE)
            return IV_OK;
    }
    return iv_fail_at(err, IV_EPARSE, path, 1, name != NULL ? "no column '%.60s'" : "no column "
                      "'%.60s', nor label, truth, y_true or target", name != NULL ? name : "gold");
}
