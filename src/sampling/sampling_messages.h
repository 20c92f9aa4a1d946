/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of samples, their plans and estimates from them. */
#ifndef IV_SAMPLING_SAMPLING_MESSAGES_H
#define IV_SAMPLING_SAMPLING_MESSAGES_H

#include "result/message.h"

extern const iv_message iv_sampling_messages[];

/* A row by its id: {n}, then {a} and {b}, {s} and {t}. */
#define IV_SAY_SAMPLING(out, id, ...) IV_TELL(out, iv_sampling_messages, id, __VA_ARGS__)

#endif
