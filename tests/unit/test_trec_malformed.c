/* SPDX-License-Identifier: Apache-2.0 */
#include "trec_fixture.h"
int malformed_tests(void) { return 0; }
