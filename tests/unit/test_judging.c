/* SPDX-License-Identifier: Apache-2.0 */
/* Judging little: what to judge, what to plan, and the commands for both. */
#include "test_judging.h"

int main(void)
{
    return test_active_judging() + test_plan() + test_judging_commands();
}
