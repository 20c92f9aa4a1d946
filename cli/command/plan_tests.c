/* SPDX-License-Identifier: Apache-2.0 */
#include "command/plan_tests.h"

#include <string.h>

const char *const plan_tests_words[] = { "sign", "normal", "t", "wilcoxon", "randomisation",
                                         NULL };

void plan_tests_read(iv_planned_test tests[PLAN_TESTS], size_t *count, const opt_list *names)
{
    const char *const *known = iv_planned_test_names();
    size_t n = 0;

    for (size_t i = 0; i < names->count; i++) {
        size_t which = 0;
        bool again = false;
        while (known[which] != NULL && strcmp(known[which], names->at[i]) != 0)
            which++;
        for (size_t k = 0; k < n; k++)
            again = again || tests[k] == (iv_planned_test)which;
        if (!again && known[which] != NULL)
            tests[n++] = (iv_planned_test)which;
    }
    *count = n > 0 ? n : *count;
}
