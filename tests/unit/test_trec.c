/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the trec room, file by file, and about the insides of base that
 * it stands on; the name of a test is the claim.
 */
#include "trec_fixture.h"

int main(void)
{
    const int failures = storage_tests() + runs_tests() + judgments_tests() + join_tests()
        + chunk_tests() + table_tests() + inspect_tests() + malformed_tests()
        + build_tests() + pass_tests();

    if (failures == 0) /* else they may help to see why */
        remove_temporaries();
    return failures;
}
