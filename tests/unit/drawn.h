/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drawn_unit_test -- a case that repeats what other cases of its program run, with
 * draws for seconds.  Sanitizers see nothing new in them and take four times as long:
 * there it is skipped, unless INTERVALE_TEST_ALL is set, as `make test-all` does.
 */
#ifndef DRAWN_H
#define DRAWN_H

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DRAWN_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(DRAWN_SANITIZED)
#define DRAWN_SANITIZED 1
#endif

#ifdef DRAWN_SANITIZED
static inline void drawn_left_out(void **state)
{
    (void)state;
    skip();
}

#define drawn_unit_test(f) \
    {#f, getenv("INTERVALE_TEST_ALL") ? f : drawn_left_out, NULL, NULL, NULL}
#else
#define drawn_unit_test(f) cmocka_unit_test(f)
#endif

#endif /* DRAWN_H */
