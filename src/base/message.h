/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages are rows.  A row says when a message applies and what it says; the rows of a
 * command stand in one table, src/answer/<command>_messages.c, and nowhere else.
 */
#ifndef IV_BASE_MESSAGE_H
#define IV_BASE_MESSAGE_H

#include "intervale/base.h"

/* What a condition found: how many, and what the template's places hold. */
typedef struct iv_found {
    size_t count;        /* {n}; 0: the message does not apply */
    double value[3];     /* {a}, {b}, {c}: three significant digits; {a%}: as a percentage */
    const char *text[3]; /* {s}, {t}, {u}: valid until the row is told */
} iv_found;

/*
 * A message.  Options are spelled as in the tool, --baseline, which other languages spell
 * their way.  {item} and {items} are the user's words for what is counted: topic, topics.
 */
typedef struct iv_message {
    const char *id;       /* stable: "compare.few-topics"; NULL ends the rows */
    /* IV_ERROR: an assumption is broken, so it stands before the answer; IV_WARNING: the answer may
     * mislead; IV_NOTE: worth knowing */
    iv_severity severity;
    const char *tables;   /* shown with these only ("pairs runs"); NULL: always */
    iv_found (*applies)(const void *about); /* NULL: told by iv_result_say() alone */
    const char *one, *many; /* the text for n = 1 and for others; many NULL: the same */
} iv_message;

typedef struct iv_item_words {
    const char *item, *items; /* "topic", "topics" */
} iv_item_words;

/* Tells every row that applies, in their order.  words NULL: topics. */
void iv_result_tell(iv_result *r, const iv_message *rows, const void *about,
                    const iv_item_words *words);

/* Tells the row of that id for what was found elsewhere; nothing when the count is 0. */
void iv_result_say(iv_result *r, const iv_message *rows, const char *id, iv_found found);

#endif /* IV_BASE_MESSAGE_H */
