/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, value by value, with the commas and the indentation seen to. */
#ifndef IV_REPORT_JSON_WRITE_H
#define IV_REPORT_JSON_WRITE_H

#include "intervale/base.h"

enum { IV_JSON_DEEPEST = 24 };

typedef struct iv_json {
    FILE *out;
    bool in_page; /* inside HTML: nothing that ends a script, on one line */
    int depth;
    bool filled[IV_JSON_DEEPEST]; /* has something been written at this depth? */
    bool flat[IV_JSON_DEEPEST];   /* on one line from here on */
    bool array[IV_JSON_DEEPEST];
} iv_json;

/*
 * A string in quotes: valid JSON in valid UTF-8, whatever the bytes.  In a
 * page <, >, & and the two line ends of JavaScript are escaped, too.  To be
 * shown: what a terminal would act on and bytes that are no UTF-8 come out as
 * the four characters \xNN, as they do in a table for people.
 */
enum { IV_JSON_IN_PAGE = 1, IV_JSON_SHOWN = 2 };
void iv_json_quote(FILE *out, iv_str s, unsigned how);

/* Opens what iv_json_close() closes; key is NULL inside an array. */
void iv_json_object(iv_json *j, const char *key);
void iv_json_array(iv_json *j, const char *key);
/* The same, written on one line. */
void iv_json_flat_object(iv_json *j, const char *key);
void iv_json_flat_array(iv_json *j, const char *key);
void iv_json_close(iv_json *j);

/* Values; text NULL is null, and so is a number that is not finite. */
void iv_json_text(iv_json *j, const char *key, const char *text);
void iv_json_shown(iv_json *j, const char *key, iv_str s);
void iv_json_real(iv_json *j, const char *key, double value);
void iv_json_int(iv_json *j, const char *key, int64_t value);
void iv_json_bool(iv_json *j, const char *key, bool value);
void iv_json_null(iv_json *j, const char *key);

/* Writes what comes before a value, which the caller writes by itself. */
void iv_json_key(iv_json *j, const char *key);

#endif /* IV_REPORT_JSON_WRITE_H */
