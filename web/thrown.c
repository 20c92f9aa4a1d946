/* SPDX-License-Identifier: Apache-2.0 */
/*
 * There is no unwinding in the build for browsers: what Boost would throw, and the library
 * turn into a NaN, ends the run, and the page says so.  Boost is told to throw nothing.
 */
#include <stdlib.h>

void *__cxa_allocate_exception(size_t size);
void __cxa_throw(void *thrown, void *type, void (*destroy)(void *));

void *__cxa_allocate_exception(size_t size)
{
    (void)size;
    abort();
}

void __cxa_throw(void *thrown, void *type, void (*destroy)(void *))
{
    (void)thrown, (void)type, (void)destroy;
    abort();
}
