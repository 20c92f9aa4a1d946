/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats are called, for whoever asks for one by name. */
#include "intervale/trec.h"

const char *const *iv_run_format_names(void)
{
    static const char *const names[] = { "any", "trec", "msmarco", NULL };

    return names;
}

const char *const *iv_judgments_format_names(void)
{
    static const char *const names[] = { "any", "qrels", "prels", "stratified", "beir",
                                         "groups", "prefs", "nuggets", "qrels_jg", "qrels_prefs", NULL };

    return names;
}

const char *const *iv_matrix_rows_names(void)
{
    static const char *const names[] = { "systems", "topics", NULL };

    return names;
}
