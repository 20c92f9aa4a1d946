/* SPDX-License-Identifier: Apache-2.0 */
/* Writing an answer: JSON on one line. */
#ifndef IV_SERVE_ANSWERS_H
#define IV_SERVE_ANSWERS_H

#include "report/report_parts.h"
#include "serve/server.h"

typedef struct iv_answer {
    iv_exchange *x;
    iv_json json;
    char *text;
    size_t len;
} iv_answer;

/* Begins an answer; false, with the status of x set, when memory is out. */
bool iv_say_begin(iv_answer *a, iv_exchange *x);

/* Gives it to the exchange, in place of what it had. */
void iv_say_end(iv_answer *a, int status);

/* Any bytes as a string. */
void iv_say_text(iv_json *j, const char *key, iv_str s);

/* The member "topics": name, items, judged. */
IV_MUST_CHECK int iv_say_topics(iv_json *j, iv_server *v, iv_err *err);

#endif /* IV_SERVE_ANSWERS_H */
