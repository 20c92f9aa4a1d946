/* SPDX-License-Identifier: Apache-2.0 */
/* CLAIM='a_method*' build/dev/tests/test_references runs the claims of that name alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void choose(void)
{
    const char *claim = getenv("CLAIM");

    if (claim != NULL)
        cmocka_set_test_filter(claim);
}
