/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base_private.h"

#if INTERVALE_THREADS
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void iv_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void iv_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* fork() waits until no thread is between the two, so that the child sees nothing half done. */
__attribute__((constructor)) static void survive_fork(void)
{
    (void)pthread_atfork(iv_lock, iv_unlock, iv_unlock);
}
#else
void iv_lock(void)
{
}

void iv_unlock(void)
{
}
#endif
