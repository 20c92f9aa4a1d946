/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One lock for the few lines that threads of a loop may not run at once.  Nothing that waits, and
 * no function of the caller, belongs between the two calls.  A child of fork() finds it free.
 */
#ifndef IV_BASE_LOCK_H
#define IV_BASE_LOCK_H

void iv_lock(void);
void iv_unlock(void);

#endif /* IV_BASE_LOCK_H */
