/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of prf and roc. */
#ifndef IV_CLASSIFY_CLASSIFY_MESSAGES_H
#define IV_CLASSIFY_CLASSIFY_MESSAGES_H

#include "result/message.h"

extern const iv_message iv_classify_messages[];

/* Says the message of that id, if anything was found. */
#define IV_CLASSIFY(out, id, ...) IV_TELL(out, iv_classify_messages, id, __VA_ARGS__)

#endif
