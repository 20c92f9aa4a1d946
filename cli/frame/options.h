/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of a command line -> the structs that option tables describe.
 *
 * -x value, -xvalue, -abc (flags clustered, the last may take a value),
 * --name value, --name=value.  Options may follow operands; "--" ends them; a
 * lone "-" is an operand.  The word after an option that takes a value is its
 * value, whatever it begins with.  Given twice, the last one counts; a list
 * keeps all.  Nothing is printed and nothing is global.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "frame/cmd.h"

/* One table of options and the struct it describes. */
typedef struct opt_set {
    const opt *opts; /* ends with OPT_END; NULL: no options */
    void *args;      /* where the values go */
} opt_set;

/* What is left when the options are taken out.  {0} is a valid empty one. */
typedef struct options_words {
    char **operands;      /* borrowed from argv; ends with NULL */
    size_t operand_count;
    char **record;        /* every word but the unrecorded options */
    size_t record_count;
    struct options_block {
        const void *field; /* of a list or of numbers ... */
        void *at;          /* ... which points here */
    } *blocks;
    size_t block_count;
} options_words;

/*
 * Reads argv, the words after the command's name, into the args of the sets,
 * which the caller has filled with their defaults.  IV_OK, CMD_USAGE or
 * IV_ENOMEM.  Call options_free() afterwards in any case.
 */
IV_MUST_CHECK int options_parse(options_words *out, const opt_set *sets, size_t count,
                                int argc, char **argv, iv_err *err);

/* Frees the words and what lists and numbers inside the args point at. */
void options_free(options_words *w);

#endif /* OPTIONS_H */
