/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/gold.h"

size_t iv_gold_column(const iv_csv *t, const char *name)
{
    static const char *const usual[] = { "gold", "label", "truth", "y_true", "target" };
    size_t found = name != NULL ? iv_csv_find(t, iv_str_of(name)) : IV_NONE;

    for (size_t i = 0; name == NULL && found == IV_NONE && i < sizeof usual / sizeof *usual; i++)
        found = iv_csv_find(t, iv_str_of(usual[i]));
    return found;
}
