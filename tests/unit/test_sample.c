/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_tests.h"

int main(void)
{
    return sample_scheme_tests() + sampled_tests() + sample_command_tests();
}
