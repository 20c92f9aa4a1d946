/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of agree. */
#ifndef IV_LABELS_AGREE_MESSAGES_H
#define IV_LABELS_AGREE_MESSAGES_H

#include "result/message.h"

extern const iv_message iv_agree_messages[];

/* Says the message of that id, if anything was found. */
#define IV_SAY_AGREE(out, id, ...) IV_TELL(out, iv_agree_messages, id, __VA_ARGS__)

#endif
