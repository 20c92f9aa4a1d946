/* SPDX-License-Identifier: Apache-2.0 */
/* Planned tests by their names. */
#ifndef IV_ANSWER_PLANNED_TESTS_H
#define IV_ANSWER_PLANNED_TESTS_H

#include "intervale/plan/topics.h"

enum { IV_PLANNED_TESTS = 8 };

/* The tests named, each once; none named: the sign test.  IV_EARG for another name. */
IV_MUST_CHECK int iv_planned_tests(iv_planned_test tests[IV_PLANNED_TESTS], size_t *count,
                                   const iv_texts *names, iv_err *err);

#endif /* IV_ANSWER_PLANNED_TESTS_H */
