/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the measure room's test program. */
#ifndef MEASURE_TESTS_H
#define MEASURE_TESTS_H

int measure_definition_tests(void); /* test_measure_definitions.c */
int measure_name_tests(void);       /* test_measure_names.c */
int measure_doc_tests(void);        /* test_measure_doc.c */

#endif /* MEASURE_TESTS_H */
