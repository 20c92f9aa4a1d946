/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the store's enums. */
#include "store/store.h"

const char *const *iv_store_kind_names(void)
{
    static const char *const names[] = { "sample", "queue", "review", NULL };
    return names;
}

const char *const *iv_store_stop_names(void)
{
    static const char *const names[] = { "none", "plan", "anytime", "qbcb", NULL };
    return names;
}

const char *const *iv_store_state_names(void)
{
    static const char *const names[] = { "any", "open", "done", "later", "cannot", "conflict",
                                         "noted", NULL };
    return names;
}

const char *const *iv_store_reason_names(void)
{
    static const char *const names[] = { "judged", "cannot", "later", "undo", "imported",
                                         "adjudicated", NULL };
    return names;
}

const char *const *iv_store_form_names(void)
{
    static const char *const names[] = { "usual", "prels", "qrels", "strata", "log", "labels",
                                         NULL };
    return names;
}
