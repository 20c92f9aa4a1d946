/* SPDX-License-Identifier: Apache-2.0 */
/* What next, incomplete, plan pilot and plan cost say beside their answers. */
#ifndef IV_ACTIVE_JUDGING_MESSAGES_H
#define IV_ACTIVE_JUDGING_MESSAGES_H

#include "result/message.h"

extern const iv_message iv_judging_messages[];

/* A row by its id: {n}, then {a} and {b}, {s} and {t}. */
#define IV_SAY(out, id, ...) IV_TELL(out, iv_judging_messages, id, __VA_ARGS__)

#endif
