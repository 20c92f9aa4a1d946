/* SPDX-License-Identifier: Apache-2.0 */
/* Names of measures in the spelling of trec_eval and of ir_measures. */
#ifndef IV_MEASURE_PARSE_H
#define IV_MEASURE_PARSE_H

#include "base/memory.h"
#include "measure/definition.h"

/* The name of a measure while it is parsed, for both grammars. */
typedef struct iv_parsed_name {
    iv_str text;                       /* all of it, for messages */
    const iv_measure_options *options;
    iv_arena *arena;                   /* owns what the result points to */
} iv_parsed_name;

/* A measure without parameters: the usual ones, the options' level. */
iv_requested iv_requested_plain(const iv_definition *d, const iv_measure_options *options);

/*
 * trec_eval's name[.parameters] or name_parameters.  IV_OK with out->is NULL
 * when trec_eval has no such name.
 */
IV_MUST_CHECK int iv_parse_trec(iv_requested *out, const iv_parsed_name *r, iv_err *err);

/* ir_measures' Name(keyword=value, ...)@at.  The same when it has none. */
IV_MUST_CHECK int iv_parse_ir(iv_requested *out, const iv_parsed_name *r, iv_err *err);

/* What ir_measures calls the measure at that cut-off or point; NULL when memory is out. */
const char *iv_ir_name(iv_arena *arena, const iv_requested *a, double number,
                       const iv_measure_options *o);

/*
 * The name that text must mean where it only differs by case, or has
 * trec_eval's name before ir_measures' parameters; empty when there is none or
 * more than one.
 */
IV_MUST_CHECK int iv_respell(iv_str *out, iv_str text, iv_arena *arena, iv_err *err);

/* s without blanks at its ends. */
iv_str iv_trim(iv_str s);

#endif
