/* SPDX-License-Identifier: Apache-2.0 */
/* From a name with parameters to an iv_asked, in either grammar. */
#ifndef IV_MEASURE_PARSE_H
#define IV_MEASURE_PARSE_H

#include "base/memory.h"
#include "measure/definition.h"

/* What both grammars need while they parse one name. */
typedef struct iv_request {
    iv_str text;                       /* all of it, for messages */
    const iv_measure_options *options;
    iv_arena *arena;                   /* owns what the result points to */
} iv_request;

/* A measure without parameters: the usual ones, the options' level. */
iv_asked iv_ask(const iv_definition *d, const iv_measure_options *options);

/*
 * trec_eval's name[.parameters] or name_parameters.  IV_OK with out->is NULL
 * when trec_eval has no such name.
 */
IV_MUST_CHECK int iv_parse_trec(iv_asked *out, const iv_request *r, iv_err *err);

/* ir_measures' Name(keyword=value, ...)@at.  The same when it has none. */
IV_MUST_CHECK int iv_parse_ir(iv_asked *out, const iv_request *r, iv_err *err);

/*
 * The name that text must mean where it only differs by case, or has
 * trec_eval's name before ir_measures' parameters; empty when there is none or
 * more than one.
 */
IV_MUST_CHECK int iv_respell(iv_str *out, iv_str text, iv_arena *arena, iv_err *err);

/* Reads grade<mark>gain pairs apart by commas into out->pair. */
IV_MUST_CHECK int iv_parse_pairs(iv_asked *out, iv_str list, char mark,
                                 const iv_request *r, iv_err *err);

/* Cuts the next piece off the front of *rest, at the byte mark or its end. */
bool iv_next_piece(iv_str *piece, iv_str *rest, char mark);

/* s without blanks at its ends. */
iv_str iv_trim(iv_str s);

IV_MUST_CHECK int iv_out_of_memory(iv_err *err);

#endif /* IV_MEASURE_PARSE_H */
