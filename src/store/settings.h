/* SPDX-License-Identifier: Apache-2.0 */
/* What a server keeps in a session's file beside judgments: keys, visits, its port. */
#ifndef IV_STORE_SETTINGS_H
#define IV_STORE_SETTINGS_H

#include "base/memory.h"
#include "store/store.h"

IV_BEGIN_C

/* The text kept under a key, of the arena; NULL: none. */
IV_MUST_CHECK int iv_store_setting(const char **out, iv_arena *a, iv_store *s, const char *key,
                                   iv_err *err);

/* Keeps a text of at most 8 kB, durably, in place of the one before.  By the thread that
 * appends. */
IV_MUST_CHECK int iv_store_setting_put(iv_store *s, const char *key, const char *text,
                                       iv_err *err);

/* Has a synchronisation failed, so that only a restart helps? */
bool iv_store_refuses(iv_store *s);

/* Was this assessor ever given a link that is still valid? */
bool iv_store_has_token(iv_store *s, int64_t assessor);

IV_END_C

#endif /* IV_STORE_SETTINGS_H */
