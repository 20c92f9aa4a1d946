/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the frame offer each other, and main() and a few commands. */
#ifndef FRAME_H
#define FRAME_H

#include "frame/cmd.h"

/* One option's value: from its text, and back to text for the help. */

enum { OPTION_TEXT_SIZE = 1024 };

/* The words that may be given, which end with NULL; NULL: any text. */
const char *const *option_value_words(const opt *o);

/* The default as it would be typed, args being the defaults; "" when there is none
 * to show. */
const char *option_value_show(char out[OPTION_TEXT_SIZE], const opt *o, const void *args);

/* "-o, --output FILE": all its spellings and what follows, for the help. */
const char *option_value_label(char out[OPTION_TEXT_SIZE], const opt *o);

/* Its help, the words it takes and its default, as a phrase. */
const char *option_value_explain(char out[OPTION_TEXT_SIZE], const opt *o,
                                 const void *defaults);

/*
 * Words of a command line -> the structs that option tables describe.
 *
 * -x value, -xvalue, -abc (flags clustered, the last may take a value),
 * --name value, --name=value.  Options may follow operands; "--" ends them; a
 * lone "-" is an operand.  The word after an option that takes a value is its
 * value, whatever it begins with.  Given twice with two values it is refused; a
 * list keeps all.  Nothing is printed and nothing is global.
 */

/* One table of options and the struct it describes. */
typedef struct opt_set {
    const opt *opts; /* ends with OPT_END; NULL: no options */
    void *args;      /* where the values go */
} opt_set;

/* The option of a letter (0: none) or of a name, or of that name in an earlier version; NULL: there
 * is none. */
const opt *option_find(const opt *o, char letter, iv_str name);

/* Words, and what is left when the options are taken out.  {0} is a valid empty one. */
typedef struct options_words {
    const opt_set *sets;
    size_t set_count;
    int argc, at;         /* at: the word that is read */
    char **argv;
    char **operands;      /* borrowed from argv; ends with NULL */
    size_t operand_count;
    char **record;        /* every word but the unrecorded options */
    size_t record_count;
    struct options_block {
        const void *field; /* what was given ... */
        const char *text;  /* ... as this, unless it is a list */
        void *at;          /* what a list or numbers point at */
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

/* The options that all commands share, cut to what one command heeds. */

enum { SESSION_OPTIONS = 20, SESSION_FORMATS = 24, SESSION_TABLES = 20 };

/* Points into itself: fill it where it stays. */
typedef struct session_table {
    opt opts[SESSION_OPTIONS];            /* ends with OPT_END */
    const char *formats[SESSION_FORMATS]; /* ends with NULL */
    const char *tables[SESSION_TABLES];   /* the same; none: the command has no tables */
} session_table;

/* The shared options of command c, with the formats and tables it has. */
void session_options(session_table *out, const cmd *c);

/* Does a placeholder of the help, or a list of operands, stand for files? */
bool session_names_file(const char *placeholder);

/* All of them, for the manual. */
void session_all_options(session_table *out);

/* Their values before parsing. */
extern const session session_defaults;

/*
 * "Did you mean": the nearest of many names to a word that is none of them.
 *
 *     suggest s = suggest_for("evla");
 *     for (...) suggest_offer(&s, name);
 *     suggest_text(buffer, &s, "")    "; did you mean 'eval'?", or ""
 */

enum { SUGGEST_SHOWN = 3, SUGGEST_LONGEST = 48 };

typedef struct suggest {
    const char *word;
    char names[SUGGEST_SHOWN][SUGGEST_LONGEST + 1]; /* the nearest so far */
    size_t count;
    size_t distance; /* of each of them */
} suggest;

suggest suggest_for(const char *word);
void suggest_offer(suggest *s, const char *name);

/* The end of an error message; each name is shown with prefix before it. */
const char *suggest_text(char out[OPTION_TEXT_SIZE], const suggest *s, const char *prefix);

/* Commands by name; a name may have two words, the first of them a family. */

/*
 * The command that the first words name, and in *used how many they are; NULL
 * when there is none.
 */
const cmd *lookup_command(const cmd *const *commands, char **words, size_t count,
                          size_t *used);

/*
 * Understands what was written differently before: a flag of command c that has become
 * a command of its own.  Takes the flag out of the words, which end with NULL, and
 * returns that command; c, when there is nothing of the kind.
 */
const cmd *lookup_moved(const cmd *const *commands, const cmd *c, char **words, size_t *count);

/* Is the word the first of some command's two? */
bool lookup_family(const cmd *const *commands, const char *word);

/* Does c belong to that family?  NULL is the family of one-word names. */
bool lookup_in_family(const cmd *c, const char *family);

/* Says that the words name no command, and which one comes near. */
int lookup_unknown(const cmd *const *commands, char **words, size_t count, iv_err *err);

/* The text of a command's description, for help and manual. */

/* What --help and the help command print. */

/* All commands by group, or with a family's name those of the family. */
void help_overview(FILE *out, const cmd *const *commands, const char *family);

/* One command on a screen: what it does, examples, the options most people need. */
void help_command(FILE *out, const cmd *c);

/* Everything about it. */
void help_whole(FILE *out, const cmd *c);

/* What to run and where to read about a word that is no command, such as "kappa". */
bool topics_word(const char **go, const char **page, const char *given);

/* Tells what the columns of its tables hold. */
void help_tables(FILE *out, const cmd *c);

/* ---------------------------------------------------------------- svg -- */

/* The charts as one SVG picture, which node draws.  Is it there?  (One line says no.) */
int svg_check(iv_err *err);
int svg_write(FILE *out, const iv_result *r, const char *table, iv_err *err);

/* Manual pages in troff's man macros, from the table of commands. */

/* Writes intervale(1), which lists the commands. */
void manual_overview(FILE *out, const cmd *const *commands);

/* Writes the page of one command, such as intervale-eval(1). */
void manual_command(FILE *out, const cmd *c);

/* The name of that page, "intervale-plan-recall"; NULL: of the overview's. */
enum { MANUAL_NAME_SIZE = 80 };
const char *manual_name(char out[MANUAL_NAME_SIZE], const cmd *c);

/*
 * What could stand at the end of a command line.  The scripts of the shells are a
 * few lines each and ask the tool itself, so that they never fall behind.
 */

/* The shells that have a script, which end with NULL, and their scripts. */
extern const char *const completion_shells[];
extern const char *const completion_scripts[];

/*
 * Writes what the last of the words, which follow the tool's name, can become: a
 * line each, with a tab and what it means behind it.  Nothing: a file.
 */
void completion_offer(FILE *out, const cmd *const *commands, char **words, size_t count);

/* The JSON Schema of answers, doc/schema/result.json. */
extern const char answer_schema[];

/* The commands with their options, and that schema, as JSON. */
void described_commands(FILE *out, const cmd *const *commands);

/*
 * What the other end of a stream can show.  A file or a pipe gets 80 columns
 * of plain ASCII drawing, so that its bytes do not depend on who is watching.
 */

/* Does somebody look at it, line by line? */
bool terminal_is(FILE *stream);

/* Its columns (COLUMNS, or the window's, or 80; 80 for what is no terminal), whether its characters
 * are UTF-8, and whether it takes colours and nobody set NO_COLOR. */
void terminal_describe(iv_report_options *o, FILE *stream);

/* Writes what a terminal would act on as \xNN, but for control characters that are kept. */
void terminal_show(FILE *stream, const char *text, const char *kept);

/*
 * Prints one line for a person to standard error: the prefix, then the text
 * with control characters as \xNN, since it may quote a file.
 */
void terminal_complain(const char *prefix, const char *text);

/* What writes to a terminal lines that others wrote: their other control characters are shown as
 * \xNN, once terminal_leave() is called.  Any other stream is written as it is.  NULL, or false: no
 * memory. */
typedef struct terminal_guard {
    FILE *to;
    char *lines; /* NULL: `to` is no terminal */
    size_t size;
} terminal_guard;
FILE *terminal_enter(terminal_guard *g, FILE *to);
bool terminal_leave(terminal_guard *g, FILE *from);

/*
 * How far long work is, on standard error: only on a terminal, within a
 * second, with an estimate of what is left, erased at the end.
 */

typedef struct progress {
    const char *name;   /* of the command */
    bool watched;       /* somebody is there to be told */
    double started;     /* seconds; of the present stage */
    double drawn;       /* when a line was last drawn */
    double fraction;    /* the last one told */
    int columns;        /* of that line; 0: nothing to erase */
} progress;

/*
 * Starts the clock and returns what to hand to the library, which reports to
 * p until progress_end(p), and is told to stop after a signal.  Quiet, or no terminal:
 * nobody is told anything.
 */
iv_progress progress_start(progress *p, const char *name, bool quiet);

/* Erases the line. */
void progress_end(progress *p);

/* A signal's handler: the work ends as soon as it can, and leaves nothing behind.  And
 * the signal that came, or 0. */
void progress_stop(int number);
int progress_stopped(void);

/*
 * From a command line to an exit status: finds the command, reads its options,
 * runs it, renders and writes its result, tells errors.
 */

/* Exit statuses. */
enum { FRAME_OK = 0, FRAME_FAILED = 1, FRAME_USAGE = 2, FRAME_OTHERWISE = 3, FRAME_OPEN = 4 };

/* Runs argv[1...] with the commands, which end with NULL. */
int frame_main(const cmd *const *commands, int argc, char **argv);

#endif /* FRAME_H */
