/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads to use when `asked` for; 0 asks for all there are. */
#ifndef IV_BASE_THREADS_H
#define IV_BASE_THREADS_H

#include <stddef.h>

#include <omp.h>

static inline int iv_threads(int asked)
{
    return asked > 0 ? asked : omp_get_max_threads();
}

/* The same for a text of so many bytes: for a small one, starting threads
 * takes longer than the work. */
static inline int iv_threads_for(int asked, size_t bytes)
{
    return bytes < ((size_t)1 << 16) ? 1 : iv_threads(asked);
}

/* The number of this thread; the one that may report progress is 0. */
static inline int iv_thread(void)
{
    return omp_get_thread_num();
}

#endif /* IV_BASE_THREADS_H */
