/* SPDX-License-Identifier: Apache-2.0 */
/* One program for the num room. */
#include "test_num.h"

int main(void)
{
    int failures = test_num_random();

    failures += test_num_dist();
    failures += test_num_tools();
    failures += test_num_draws();
    return failures > 0;
}
