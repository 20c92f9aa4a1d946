/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON. */
#ifndef IV_REPORT_JSON_WRITE_H
#define IV_REPORT_JSON_WRITE_H

#include "intervale/result/result_tables.h"

/* JSON, value by value, with the commas and the indentation seen to. */
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
void iv_json_close(iv_json *j);

/* Values; text NULL is null. */
void iv_json_text(iv_json *j, const char *key, const char *text);
void iv_json_int(iv_json *j, const char *key, int64_t value);

/* A cell, by the name of its column; how: as iv_json_quote() has it. */
void iv_json_cell(iv_json *j, const iv_table *t, size_t row, size_t column, unsigned how);

/* Writes what comes before a value, which the caller writes by itself. */
void iv_json_key(iv_json *j, const char *key);

/*
 * A value, or members of what is open, by a template: JSON with single quotes in which %s is a
 * text (NULL: null), %S an iv_str to be shown, %f a name as Vega-Lite has fields, %d an int64_t,
 * %g a double (null unless finite) and %b a bool.  It is on one line, but for what a bracket with
 * a line end behind it opens.  What it leaves open is closed as usual.
 */
void iv_json_put(iv_json *j, const char *key, const char *template, ...);

/* How a field is named in a specification: points and brackets have a meaning.  Returns out. */
enum { IV_FIELD_SIZE = 256 };
const char *iv_json_field(char out[IV_FIELD_SIZE], const char *name);

#endif
