/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_tests.h"

#include <string.h>

#include "suggest.h"

static int find_test(iv_planned_test *out, const char *name, iv_err *err)
{
    const char *const *known = iv_planned_test_names();
    char hint[SUGGEST_SIZE];
    suggest s = suggest_for(name);

    for (size_t k = 0; known[k] != NULL; k++) {
        if (strcmp(known[k], name) == 0
            || (k == IV_PLAN_RANDOMIZATION && strcmp(name, "randomisation") == 0)) {
            *out = (iv_planned_test)k;
            return IV_OK;
        }
        suggest_offer(&s, known[k]);
    }
    return cmd_usage(err, "no test is named '%.80s'%s", name, suggest_text(hint, &s, ""));
}

int plan_tests_read(iv_planned_test tests[PLAN_TESTS], size_t *count, const opt_list *names,
                    iv_err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < names->count; i++) {
        iv_planned_test test = IV_PLAN_SIGN;
        bool again = false;
        const int rc = find_test(&test, names->at[i], err);
        if (rc != IV_OK)
            return rc;
        for (size_t k = 0; k < n; k++)
            again = again || tests[k] == test;
        if (!again)
            tests[n++] = test;
    }
    *count = n > 0 ? n : *count;
    return IV_OK;
}
