/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables there are; what is written is compared with them by cli/schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "study/study.h"

static void check(const iv_known_table *list, size_t count)
{
    size_t columns = 0;

    for (size_t i = 0; i < count; i++) {
        for (const iv_field *f = list[i].fields; f->name != NULL; f++, columns++) {
            if (f->about == NULL || f->about[0] == '\0')
                fail_msg("intervale %s: column %s of table %s is not explained",
                         list[i].command, f->name, list[i].table);
        }
        /* One command's tables stand together, and so do the ways of making one. */
        for (size_t k = 0; k + 1 < i; k++)
            if (strcmp(list[k].command, list[i].command) == 0
                && strcmp(list[k].table, list[i].table) == 0)
                assert_string_equal(list[i - 1].table, list[i].table);
    }
    assert_true(columns > 5 * count);
}

static void every_column_is_explained(void **state)
{
    const iv_known_table *list;

    (void)state;
    size_t count = iv_known_tables(&list);
    check(list, count);
    count = iv_study_tables(&list);
    check(list, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_column_is_explained) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
