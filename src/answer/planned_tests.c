/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/planned_tests.h"

#include <string.h>

int iv_planned_tests(iv_planned_test tests[IV_PLANNED_TESTS], size_t *count,
                     const iv_texts *names, iv_err *err)
{
    const char *const *known = iv_planned_test_names();
    size_t n = 0;

    for (size_t i = 0; i < names->count; i++) {
        size_t which = 0;
        bool again = false;
        while (known[which] != NULL && strcmp(known[which], names->at[i]) != 0)
            which++;
        if (known[which] == NULL)
            return iv_fail(err, IV_EARG, "there is no plan for a test '%.80s'", names->at[i]);
        for (size_t k = 0; k < n; k++)
            again = again || tests[k] == (iv_planned_test)which;
        if (!again)
            tests[n++] = (iv_planned_test)which;
    }
    if (n == 0)
        tests[n++] = IV_PLAN_RANDOMISATION;
    *count = n;
    return IV_OK;
}
