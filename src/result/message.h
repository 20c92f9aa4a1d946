/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages are rows: id, severity, tables, text with plural forms.  The rows of a command stand
 * in one table, <command>_messages.c of its subject, and nowhere else.
 */
#ifndef IV_RESULT_MESSAGE_H
#define IV_RESULT_MESSAGE_H

#include "intervale/result/result_tables.h"

/* What was found: how many, and what the template's places hold. */
typedef struct iv_found {
    size_t count;        /* {n}; 0: the message does not apply */
    double value[3];     /* {a}, {b}, {c}: three significant digits; {a%}: as a percentage */
    const char *text[3]; /* {s}, {t}, {u}: valid until the row is told */
} iv_found;

/* Counts something of a run, if there is any: {a} and {s} are of the run that has most of it. */
void iv_found_add(iv_found *f, double n, const char *run);

/* A message.  Options are spelled as in the tool, --baseline, which other languages spell
 * their way.  What stands behind {do} says what to do next: reports that are handed on, the pages
 * of --format html, leave it out. */
typedef struct iv_message {
    const char *id;       /* stable: "compare.few-topics"; NULL ends the rows */
    /* IV_ERROR: an assumption is broken, so it stands before the answer; IV_WARNING: the answer may
     * mislead; IV_NOTE: worth knowing */
    iv_severity severity;
    const char *tables;   /* shown with these only ("pairs runs"); NULL: always */
    const char *text;     /* "{n} topic[ is|s are] excluded": [for one|for others] */
} iv_message;

/* Tells the row of that id for what was found; nothing when the count is 0. */
void iv_result_say(iv_result *r, const iv_message *rows, const char *id, iv_found found);
#define IV_TELL(r, rows, id, ...) iv_result_say(r, rows, id, (iv_found){ __VA_ARGS__ })

#endif
