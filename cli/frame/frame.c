/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command: parses its options, shows progress, and writes what it answers. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "frame/frame.h"

/* -------------------------------------------------------------- progress -- */

static const double patience = 0.7; /* seconds before the first line */
static const double interval = 0.2; /* and between two of them */

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void format_time(char *out, size_t size, double seconds)
{
    if (seconds < 99.5)
        (void)snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 99.5 * 60.0)
        (void)snprintf(out, size, "%.0f min", seconds / 60.0);
    else
        (void)snprintf(out, size, "%.0f h", seconds / 3600.0);
}

static volatile sig_atomic_t stopped; /* the signal */

void progress_stop(int number) { stopped = number; }

int progress_stopped(void) { return stopped; }

static int report(void *user, double fraction)
{
    progress *p = user;
    const double time = now();
    char left[32], line[96];

    if (stopped != 0 || !p->watched)
        return stopped;
    if (fraction < p->fraction) /* another stage of the command's work */
        p->started = time;
    p->fraction = fraction;
    if (time - p->started < patience || time - p->drawn < interval || !(fraction > 0.0))
        return 0;
    p->drawn = time;
    format_time(left, sizeof left, (time - p->started) * (1.0 - fraction) / fraction);
    const int columns = snprintf(line, sizeof line, "%.40s: %3.0f %%, about %s left",
                                 p->name, 100.0 * fraction, left);
    /* Blanks wipe what a longer line left; no escape sequences needed. */
    (void)fprintf(stderr, "\r%-*s", p->columns, line);
    (void)fflush(stderr);
    p->columns = columns > p->columns ? columns : p->columns;
    return 0;
}

iv_progress progress_start(progress *p, const char *name, bool quiet)
{
    *p = (progress){ .name = name, .started = now(),
                     .watched = !quiet && isatty(STDERR_FILENO) };
    return (iv_progress){ report, p };
}

void progress_end(progress *p)
{
    if (p->columns > 0)
        (void)fprintf(stderr, "\r%*s\r", p->columns, "");
    p->columns = 0;
}

/* --------------------------------------------------------------- outputs -- */

/*
 * Files that a command line writes, kept from replacing what is not theirs.
 *
 * A file is the tool's if it carries the tool's mark, an extended attribute with its
 * size and time that is set on every file once it is written, and has not changed
 * since: a sample that somebody has judged is not the tool's any more.  A new file, an
 * empty one, a device and a pipe may always be written.
 */

#if defined(__APPLE__) && !__has_include(<sys/xattr.h>)
ssize_t getxattr(const char *, const char *, void *, size_t, uint32_t, int);
int setxattr(const char *, const char *, const void *, size_t, uint32_t, int);
#elif defined(__linux__) || defined(__APPLE__)
#include <sys/xattr.h>
#endif

enum { MARK_SIZE = 64 };

#if defined(__linux__)
#define GET(path, out) getxattr(path, "user.intervale", out, MARK_SIZE)
#define SET(path, text) setxattr(path, "user.intervale", text, strlen(text), 0)
#elif defined(__APPLE__)
#define GET(path, out) getxattr(path, "user.intervale", out, MARK_SIZE, 0, 0)
#define SET(path, text) setxattr(path, "user.intervale", text, strlen(text), 0, 0)
#else
#define GET(path, out) ((void)(path), (void)(out), -1)
#define SET(path, text) ((void)(path), (void)(text), -1)
#endif

/* What changes when somebody writes to the file. */
static const char *mark_of(char out[MARK_SIZE], const struct stat *st)
{
#if defined(__APPLE__)
    const struct timespec t = st->st_mtimespec;
#else
    const struct timespec t = st->st_mtim;
#endif
    (void)snprintf(out, MARK_SIZE, "%lld %lld.%09ld", (long long)st->st_size,
                   (long long)t.tv_sec, (long)t.tv_nsec);
    return out;
}

static bool is_marked(const char *path, const struct stat *st)
{
    char found[MARK_SIZE], expected[MARK_SIZE];
    const ssize_t len = GET(path, found);

    return len > 0 && (size_t)len == strlen(mark_of(expected, st))
        && memcmp(found, expected, (size_t)len) == 0;
}

/* Is it a file that could be replaced? */
static bool is_there(const char *path, struct stat *st)
{
    return strcmp(path, "-") != 0 && stat(path, st) == 0 && S_ISREG(st->st_mode);
}

/* Is a word of the command line, or what follows its '=', that file? */
static bool names(const char *word, const struct stat *file)
{
    const char *equals = strchr(word, '=');
    struct stat st;

    return (stat(word, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
        || (equals != NULL && names(equals + 1, file));
}

/* The texts that an option was given. */
static iv_texts texts_of(const opt *o, const void *args)
{
    const void *field = (const char *)args + o->offset;
    const char *const *text = field;

    if (o->kind == OPT_LIST_)
        return *(const iv_texts *)field;
    return (iv_texts){ text, o->kind == OPT_STR_ && *text != NULL };
}

/* The paths that an option writes. */
static iv_texts written(const opt *o, const void *args)
{
    return o->writes ? texts_of(o, args) : (iv_texts){ NULL, 0 };
}

static bool option_names(const opt *o, const void *args, const struct stat *file)
{
    const iv_texts given = texts_of(o, args);
    bool found = false;

    for (size_t i = 0; i < given.count && !o->writes; i++)
        found = found || names(given.at[i], file);
    return found;
}

/* Is the file read, too? */
static bool is_input(const opt_set *sets, size_t count, char *const *operands,
                     const struct stat *file)
{
    struct stat st;

    if (fstat(STDIN_FILENO, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
        return true;
    for (; *operands != NULL; operands++)
        if (names(*operands, file))
            return true;
    for (size_t s = 0; s < count; s++)
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++)
            if (option_names(o, sets[s].args, file))
                return true;
    return false;
}

/* Where a path leads, whether the file is there or not; false: nowhere. */
static bool place_of(char out[PATH_MAX], const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t len = slash != NULL ? (size_t)(slash - path) + 1 : 0;

    if (realpath(path, out) != NULL)
        return true;
    if (len >= sizeof folder)
        return false;
    memcpy(folder, path, len);
    folder[len] = '\0';
    if (realpath(len > 0 ? folder : ".", out) == NULL || strlen(out) + strlen(name) + 2 > PATH_MAX)
        return false;
    strcat(strcat(out, "/"), name);
    return true;
}

static bool same_place(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];

    return strcmp(a, b) == 0 || (place_of(x, a) && place_of(y, b) && strcmp(x, y) == 0);
}

static bool is_database(const char *path)
{
    char head[16] = "";
    struct stat st;
    FILE *in = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    const bool is = in != NULL && fread(head, 1, sizeof head, in) == sizeof head
        && memcmp(head, "SQLite format 3", sizeof head) == 0;

    if (in != NULL)
        (void)fclose(in);
    return is;
}

/* Is it a session of judging that is open, or where one has its log, which SQLite deletes? */
static bool is_session(const char *path)
{
    static const char *const parts[] = { "-wal", "-shm", "-journal" };
    char place[PATH_MAX], log[PATH_MAX + 8];
    bool is = false;

    if (!place_of(place, path))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !is; i++) {
        const size_t len = strlen(place), end = strlen(parts[i]);
        (void)snprintf(log, sizeof log, "%s%s", place, parts[i]);
        is = access(log, F_OK) == 0 && is_database(place);
        if (len > end && strcmp(place + len - end, parts[i]) == 0) {
            (void)snprintf(log, sizeof log, "%.*s", (int)(len - end), place);
            is = is || is_database(log);
        }
    }
    return is;
}

/* The option that writes the same path, if it is given again. */
static const opt *other_writer(const opt_set *sets, size_t count, const char *path)
{
    for (size_t s = 0; s < count; s++) {
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const iv_texts paths = written(o, sets[s].args);
            for (size_t i = 0; i < paths.count; i++)
                if (paths.at[i] != path && same_place(paths.at[i], path))
                    return o;
        }
    }
    return NULL;
}

static int check_path(const opt_set *sets, size_t count, const opt *o, const char *path,
                      char *const *operands, bool force, iv_err *err)
{
    struct stat st;
    const opt *other = other_writer(sets, count, path);

    if (other != NULL)
        return cmd_usage(err, "--%s and --%s would both write %s", o->name, other->name, path);
    if (is_session(path))
        return cmd_usage(err, "--%s would replace a part of a judging session that is "
                         "there or open, %s", o->name, path);
    const bool there = is_there(path, &st);
    for (char *const *w = operands; !there && *w != NULL; w++)
        if (strcmp(path, "-") != 0 && same_place(*w, path))
            return cmd_usage(err, "--%s would replace a file that is made, %s", o->name, path);
    if (there && is_input(sets, count, operands, &st))
        return cmd_usage(err, "--%s would replace a file that is read, %s", o->name, path);
    if (there && !force && st.st_size > 0 && !is_marked(path, &st))
        return iv_fail_at(err, IV_EIO, path, 0, "exists, and was not written by "
                          "intervale; --force replaces it");
    return IV_OK;
}

/*
 * Before anything is read: CMD_USAGE when a file to write is also one to read (the
 * same file, whatever its name), IV_EIO when it is there, is not the tool's and
 * force is false.
 */
static int outputs_check(const opt_set *sets, size_t count, char *const *operands, bool force,
                         iv_err *err)
{
    int rc = IV_OK;

    for (size_t s = 0; s < count; s++)
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const iv_texts paths = written(o, sets[s].args);
            for (size_t i = 0; i < paths.count && rc == IV_OK; i++)
                rc = check_path(sets, count, o, paths.at[i], operands, force, err);
        }
    return rc;
}

/* After all was written: marks the files as the tool's, where the system has marks. */
static void outputs_mark(const opt_set *sets, size_t count)
{
    char text[MARK_SIZE];
    struct stat st;

    for (size_t s = 0; s < count; s++)
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const iv_texts paths = written(o, sets[s].args);
            for (size_t i = 0; i < paths.count; i++)
                if (is_there(paths.at[i], &st)) /* not every file system has marks */
                    (void)SET(paths.at[i], mark_of(text, &st));
        }
}

/* ----------------------------------------------------------------- frame -- */

/* One of the outputs, in its format. */
typedef struct output {
    const char *path, *format;
    iv_outfile *file;
} output;

/* One command line at work. */
typedef struct job {
    const cmd *const *commands;
    const cmd *self;
    void *args;
    session shared;
    session_table table;
    opt_set sets[2];
    options_words words;
    iv_result *result;
    output *outputs;     /* the format of the first is in shared, too */
    size_t output_count;
    const char **found;  /* the paths of a command line that could not be read */
    iv_digests *digests; /* NULL: the format does not tell them */
} job;

/* Tells an error and turns what went wrong into an exit status. */
static int conclude(const cmd *c, int rc, const iv_err *err)
{
    char prefix[96], line[IV_ERR_TEXT_SIZE], text[IV_ERR_TEXT_SIZE + 96];
    const char *name = c != NULL ? c->name : "";
    const size_t len = strlen(err->msg);
    const bool suggests = len > 0 && err->msg[len - 1] == '?';

    if (rc == IV_OK || (rc == CMD_FAILED && len == 0))
        return rc == IV_OK ? FRAME_OK : FRAME_FAILED;
    if (progress_stopped() != 0)
        return FRAME_FAILED; /* whoever sent the signal knows */
    (void)snprintf(prefix, sizeof prefix, "intervale%s%s: ", *name ? " " : "", name);
    (void)iv_err_text(line, err);
    if (rc == CMD_USAGE && !suggests)
        (void)snprintf(text, sizeof text, "%s; see 'intervale help%s%s'", line,
                       *name ? " " : "", name);
    /* FILE:LINE: comes first on its line, for editors that jump there. */
    terminal_complain(err->code == IV_EPARSE ? "" : prefix,
                      rc == CMD_USAGE && !suggests ? text : line);
    return rc == CMD_USAGE ? FRAME_USAGE : FRAME_FAILED;
}

/* Help goes to standard output, which may be full like any other file. */
static int flush_output(iv_err *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return IV_OK;
    return iv_fail(err, IV_EIO, "standard output: cannot write: %s", strerror(errno));
}

/* A picture is what the format vega has, drawn. */
static bool is_svg(const output *to) { return strcmp(to->format, "svg") == 0; }

static bool format_of(iv_format *out, const output *to)
{
    return iv_format_find(out, is_svg(to) ? "vega" : to->format);
}

static bool writes_format(const job *j, const char *format)
{
    bool found = false;

    for (size_t i = 0; i < j->output_count; i++)
        found = found || strcmp(j->outputs[i].format, format) == 0;
    return found;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t len = strlen(path), end = strlen(ending);

    return len > end && strcasecmp(path + len - end, ending) == 0;
}

/* The format of a path by its ending: the preferred one if that has this ending; NULL: unknown. */
static const char *format_by_ending(const char *path, const char *preferred)
{
    static const char *const known[][2] = {
        { ".txt", "text" },     { ".tsv", "tsv" },   { ".csv", "csv" },    { ".vl.json", "vega" },
        { ".json", "json" },    { ".jsonl", "jsonl" }, { ".md", "markdown" }, { ".md", "github" },
        { ".tex", "latex" },    { ".xml", "junit" }, { ".html", "html" },  { ".svg", "svg" },
    };
    const char *found = NULL;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends_with(path, known[i][0])
            && (found == NULL || (preferred != NULL && strcmp(preferred, known[i][1]) == 0)))
            found = known[i][1];
    return found;
}

/* Where it writes and in which formats: --format rules one output, endings rule several. */
static int settle_outputs(job *j, iv_err *err)
{
    static const char *const usual[] = { "-" };
    const cmd *c = j->self;
    const iv_texts given = j->shared.outputs;
    const iv_texts paths = given.count > 0 ? given : (iv_texts){ usual, 1 };
    const char *asked = j->shared.format;
    const bool by_ending = (c->shared & SHARED_FORMAT) != 0 && !c->own_text;

    free(j->outputs);
    j->output_count = 0;
    j->outputs = calloc(paths.count, sizeof *j->outputs);
    if (j->outputs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    j->output_count = paths.count;
    for (size_t i = 0; i < paths.count; i++) {
        const char *format = asked != NULL && (paths.count == 1 || !by_ending) ? asked
            : by_ending ? format_by_ending(paths.at[i], asked) : NULL;
        j->outputs[i] = (output){ paths.at[i], format != NULL ? format
                                  : asked != NULL ? asked : "text", NULL };
    }
    j->shared.format = j->outputs[0].format;
    for (size_t i = 0; i < paths.count && paths.count > 1; i++) {
        iv_format format;
        if (!by_ending || !format_of(&format, &j->outputs[i]))
            return cmd_usage(err, "--output was given %zu times, but %s%s writes one file",
                             paths.count, by_ending ? "format " : "",
                             by_ending ? j->outputs[i].format : c->name);
    }
    return IV_OK;
}

static void abandon_outputs(job *j)
{
    for (size_t i = 0; i < j->output_count; i++) {
        iv_outfile_abandon(j->outputs[i].file);
        j->outputs[i].file = NULL;
    }
}

/* Opened before the work: a folder one may not write to is told at once. */
static int open_outputs(job *j, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < j->output_count && rc == IV_OK; i++)
        rc = iv_outfile_open(&j->outputs[i].file, j->outputs[i].path, err);
    return rc;
}

static void tell_notes(const job *j)
{
    char prefix[96];
    const iv_note *notes;
    const size_t count = iv_result_notes(&notes, j->result);
    const size_t most = j->shared.verbose ? SIZE_MAX : 3; /* as in text */
    size_t shown_count = 0;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < count; i++) {
            const bool warns = notes[i].severity == IV_WARNING;
            if (notes[i].legend || notes[i].people || warns != (round == 0) || shown_count >= most)
                continue;
            (void)snprintf(prefix, sizeof prefix, "intervale %s: %s: ", j->self->name,
                           warns ? "warning" : "note");
            terminal_complain(prefix, notes[i].text);
            shown_count++;
        }
}

/* What could not be written is told with the output's name, which only the frame knows. */
static int name_output(const output *to, const FILE *out, iv_err *err)
{
    char why[sizeof err->msg];
    const char *last = err->msg;

    for (const char *at = last; (at = strstr(at, ": ")) != NULL; at += 2)
        last = at + 2;
    (void)snprintf(why, sizeof why, "%s", last);
    return iv_fail_at(err, IV_EIO, out == stdout ? "standard output" : to->path, 0,
                      "cannot write: %s", why);
}

/* Renders the result; in *has_notes, whether the format has a place for notes. */
static int render(bool *has_notes, const job *j, const output *at, iv_err *err)
{
    iv_report_options o = { .table = j->shared.table };
    FILE *const out = iv_outfile_stream(at->file);

    if (!format_of(&o.format, at))
        return iv_fail(err, IV_EARG, "the command does not write format '%s'", at->format);
    *has_notes = iv_format_has_notes(o.format);
    o.no_notes = j->shared.quiet;
    o.verbose = j->shared.verbose;
    o.cite = j->shared.cite;
    o.elsewhere = "--table lists them, --format tsv too";
    terminal_guard guard = { .to = out };
    FILE *to = o.format == IV_FORMAT_TEXT ? out : terminal_enter(&guard, out);
    terminal_describe(&o, out);
    int rc = to == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : is_svg(at) ? svg_write(to, j->result, o.table, err)
        : iv_report_write(to, j->result, &o, err);
    if (!terminal_leave(&guard, to) && rc == IV_OK)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_EARG)
        return CMD_USAGE; /* the result is sound: there is no such table */
    return rc == IV_EIO && !is_svg(at) ? name_output(at, out, err) : rc;
}

/* Writes all outputs, or what the command has written by itself. */
static int write_result(job *j, const cmd_context *c, iv_err *err)
{
    bool noted = false;
    int rc = iv_result_status(j->result, err);

    for (size_t i = 0; i < j->output_count && rc >= 0 && rc != CMD_USAGE && !c->written; i++) {
        bool has_notes = false;
        rc = render(&has_notes, j, &j->outputs[i], err);
        noted = noted || has_notes;
    }
    for (size_t i = 0; i < j->output_count && rc == IV_OK; i++) {
        rc = iv_outfile_commit(j->outputs[i].file, err);
        j->outputs[i].file = NULL;
    }
    if (rc == IV_OK && !noted && !j->shared.quiet)
        tell_notes(j);
    return rc;
}

/* A format that cannot be written is refused before the work. */
static int check_format(const output *to, iv_err *err)
{
    iv_format format;

    if (is_svg(to) && iv_format_is_built(IV_FORMAT_HTML))
        return svg_check(err);
    if (!is_svg(to) && (!iv_format_find(&format, to->format) || iv_format_is_built(format)))
        return IV_OK;
    (void)iv_fail(err, IV_EARG, "format %s is not in this build, which was made without npm; "
                  "'make html' installs npm and builds it", to->format);
    return IV_EARG;
}

/* Whose report it is; nothing of it is taken from the machine. */
static int add_details(const job *j, bool shown, iv_err *err)
{
    static const char *const names[] = { "title", "matter", "author", "date" };
    const char *const texts[] = { j->shared.title, j->shared.matter, j->shared.author,
                                  j->shared.date };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (texts[i] != NULL && !shown)
            return cmd_usage(err, "--%s is for --format html, json and jsonl", names[i]);
        else if (texts[i] != NULL)
            iv_result_detail(j->result, names[i], texts[i]);
    return IV_OK;
}

/* What the library shall know before it works: words, seed, and who will look. */
static int prepare(job *j, iv_err *err)
{
    iv_report_options shown = { .table = j->shared.table };
    int rc = iv_result_new(&j->result, j->self->name, err);
    bool whole = false, drawn = false;

    for (size_t i = 0; i < j->output_count && rc >= 0; i++) {
        if (!format_of(&shown.format, &j->outputs[i]))
            continue;
        whole = whole || iv_format_has_inputs(shown.format);
        drawn = drawn || shown.format == IV_FORMAT_HTML || shown.format == IV_FORMAT_VEGA;
        if (j->output_count > 1) /* what any of them could show */
            shown.format = drawn ? IV_FORMAT_HTML : IV_FORMAT_JSON;
        iv_report_wish(j->result, &shown);
    }
    if (rc < 0)
        return rc;
    if (whole)
        rc = iv_digests_new(&j->digests, err);
    for (size_t i = 0; i < j->words.record_count; i++)
        iv_result_argument(j->result, j->words.record[i]);
    if (j->self->shared & SHARED_SEED)
        iv_result_seed(j->result, j->shared.seed);
    return rc < 0 ? rc : add_details(j, whole, err);
}

static int check_gate(const job *j, iv_err *err)
{
    if (!j->shared.gate && j->shared.gate_on != GATE_ON_INCONCLUSIVE)
        return cmd_usage(err, "--gate-on is for --gate");
    if (!j->shared.gate || iv_result_has_verdict(NULL, NULL, j->result) != IV_VERDICT_NONE)
        return IV_OK;
    return cmd_usage(err, "--gate needs a claim to test");
}

/* The first word of a gate's answer is its verdict, which --gate-on worse may turn. */
static void say_gate(const job *j)
{
    if (j->shared.gate && iv_result_answer_text(j->result) != NULL)
        iv_result_gate(j->result, j->shared.gate_on == GATE_ON_WORSE);
}

/* A line that GitHub's runner shows beside the job: standard output is the summary. */
static void annotate(const job *j, const char *level, const char *text)
{
    (void)fprintf(stderr, "::%s title=intervale %s::", level, j->self->name);
    for (size_t len; *text != '\0'; text += len) { /* a character; it may quote a file */
        char one[5] = { *text };
        for (len = 1; len < 4 && ((unsigned char)text[len] & 0xc0) == 0x80; len++)
            one[len] = text[len];
        if (strchr("%\n\r", *text) != NULL)
            (void)fprintf(stderr, "%%%02X", (unsigned)*text);
        else
            terminal_show(stderr, one, "");
    }
    (void)putc('\n', stderr);
}

static void annotate_result(const job *j)
{
    const char *text = iv_result_answer_text(j->result);
    const iv_verdict v = iv_result_has_verdict(NULL, NULL, j->result);
    const iv_note *notes;
    const size_t count = iv_result_notes(&notes, j->result);

    if (text != NULL)
        annotate(j, v == IV_VERDICT_OTHERWISE ? "error"
                 : v == IV_VERDICT_OPEN ? "warning" : "notice", text);
    for (size_t i = 0, shown_count = 0; i < count && shown_count < 3; i++)
        if (notes[i].severity == IV_WARNING) {
            annotate(j, "warning", notes[i].text);
            shown_count++;
        }
}

/* What it writes by itself are lines of files. */
static int run_guarded(const job *j, cmd_context *c, iv_err *err)
{
    FILE *out = c->out;
    terminal_guard guard = { .to = out };

    if ((j->self->shared & SHARED_OUTPUT) != 0)
        c->out = terminal_enter(&guard, out);
    if (c->out == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int status = j->self->run(c, err);
    const bool left = terminal_leave(&guard, c->out);
    c->out = out;
    return left || status < 0 ? status : iv_fail(err, IV_ENOMEM, "out of memory");
}

static int execute(job *j, iv_err *err)
{
    cmd_context c = { .self = j->self, .commands = j->commands, .args = j->args,
                      .shared = &j->shared, .operands = j->words.operands,
                      .operand_count = j->words.operand_count };
    progress p;
    int rc = IV_OK;

    for (size_t i = 0; i < j->output_count && rc == IV_OK; i++)
        rc = check_format(&j->outputs[i], err);
    if (rc == IV_OK)
        rc = prepare(j, err);
    if (rc == IV_OK)
        rc = open_outputs(j, err);
    if (rc != IV_OK)
        return rc;
    c.result = j->result;
    c.out = iv_outfile_stream(j->outputs[0].file);
    c.work = (iv_work){ (int)j->shared.threads, j->shared.seed,
                        progress_start(&p, j->self->name, j->shared.quiet),
                        (uint64_t)j->shared.most_bytes, j->digests };
    const int status = run_guarded(j, &c, err);
    progress_end(&p);
    if (status == IV_EARG && err->file[0] == '\0'
        && (!j->self->numbers_are_data || strncmp(err->msg, "--", 2) == 0))
        return CMD_USAGE; /* what cannot be had, or an option, was asked wrongly */
    if (status == IV_EIO && ferror(c.out))
        return name_output(&j->outputs[0], c.out, err);
    if (status < 0 || status == CMD_USAGE)
        return status;
    rc = check_gate(j, err);
    if (rc != IV_OK)
        return rc;
    say_gate(j);
    if (j->digests != NULL)
        iv_result_digests(j->result, j->digests);
    rc = write_result(j, &c, err);
    if (rc == IV_OK && writes_format(j, "github") && !j->shared.quiet)
        annotate_result(j);
    return rc != IV_OK ? rc : status;
}

static int check_operands(const job *j, iv_err *err)
{
    const cmd *c = j->self;
    const size_t count = j->words.operand_count;
    char quoted[IV_QUOTE_SIZE];

    if (count < (size_t)c->least)
        return cmd_usage(err, "too few operands; usage: intervale %s [OPTIONS] %s",
                         c->name, c->operands);
    if (count <= (size_t)c->most)
        return IV_OK;
    (void)iv_quote(quoted, iv_str_of(j->words.operands[c->most]));
    return cmd_usage(err, "unexpected operand %s", quoted);
}

/* How often an option was told to read standard input. */
static size_t standard_inputs(const opt *o, const void *args)
{
    const iv_texts given = texts_of(o, args);
    size_t count = 0;

    for (size_t i = 0; i < given.count && !o->writes && session_names_file(o->value); i++)
        count += strcmp(given.at[i], "-") == 0;
    return count;
}

static int check_inputs(const job *j, iv_err *err)
{
    size_t count = 0;

    for (size_t i = 0; j->self->operand_words == NULL && i < j->words.operand_count; i++)
        count += strcmp(j->words.operands[i], "-") == 0;
    for (const opt *o = j->self->opts; o != NULL && o->kind != OPT_END_; o++)
        count += standard_inputs(o, j->args);
    if (count <= 1)
        return IV_OK;
    return cmd_usage(err, "standard input can be read once, and '-' was given %zu times", count);
}

static int read_options(job *j, int argc, char **argv, iv_err *err)
{
    const cmd *c = j->self;

    j->shared = session_defaults;
    session_options(&j->table, c);
    j->args = calloc(1, c->args_size + 1);
    if (j->args == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    j->sets[0] = (opt_set){ c->opts, j->args };
    j->sets[1] = (opt_set){ j->table.opts, &j->shared };
    int rc = options_parse(&j->words, j->sets, 2, argc, argv, err);
    if (rc == IV_OK)
        rc = settle_outputs(j, err);
    if (c->confidence > 0)
        memcpy((char *)j->args + c->confidence - 1, &j->shared.confidence, sizeof(double));
    return rc;
}

static int gate_status(const iv_result *r)
{
    const iv_verdict verdict = r != NULL ? iv_result_has_verdict(NULL, NULL, r) : IV_VERDICT_NONE;

    return verdict == IV_VERDICT_OTHERWISE ? FRAME_OTHERWISE
         : verdict == IV_VERDICT_OPEN ? FRAME_OPEN : FRAME_OK;
}

/* What to do stands behind an error when the command has all options that it names. */
static void add_hint(iv_err *err, const cmd *c)
{
    if (err->code == IV_ENOMEM && err->hint[0] == '\0')
        (void)snprintf(err->hint, sizeof err->hint, "; --sort or --memory reads "
                       "some topics at a time");
    for (const char *at = err->hint; (at = strstr(at, "--")) != NULL;) {
        const iv_str name = { at + 2, strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-") };
        if (option_find(c->opts, 0, name) == NULL)
            return;
        at = name.ptr + name.len;
    }
    cmd_hint(err, err->hint);
}

/* Of a command line that could not be read: is it a gate, and where does its verdict go?  Each word
 * is read, or with the one behind it, as if there were only the shared options. */
static void find_gate(job *j, int argc, char **argv)
{
    iv_err err;

    j->shared = session_defaults;
    j->found = calloc((size_t)argc + 1, sizeof *j->found);
    iv_texts all = { j->found, 0 };
    for (int i = 0, used = 1; i < argc && j->found != NULL && strcmp(argv[i], "--") != 0;
         i += used) {
        bool taken = false;
        for (used = 0; !taken && used < 2 && i + used < argc;) {
            options_words words;
            j->shared.outputs = (iv_texts){ NULL, 0 };
            taken = options_parse(&words, &j->sets[1], 1, ++used, argv + i, &err) == IV_OK
                && words.operand_count == 0;
            if (taken && j->shared.outputs.count > 0)
                j->found[all.count++] = j->shared.outputs.at[0];
            options_free(&words);
        }
        used = taken ? used : 1;
    }
    j->shared.outputs = all;
    (void)!settle_outputs(j, &err);
}

/* A gate that ends in an error leaves no verdict of yesterday in its output files. */
static void write_error(job *j, const iv_err *why)
{
    char text[IV_ERR_TEXT_SIZE];
    const cmd_context c = { .self = j->self };
    iv_err err = { IV_OK, "" };
    bool heard = writes_format(j, "github") || writes_format(j, "junit");

    for (size_t i = 0; i < j->output_count; i++)
        heard = heard || strcmp(j->outputs[i].path, "-") != 0;
    if (!j->shared.gate || !heard
        || (j->words.operands != NULL
            && outputs_check(j->sets, 2, j->words.operands, j->shared.force, &err) != IV_OK))
        return;
    iv_result_free(j->result);
    abandon_outputs(j);
    j->result = NULL;
    if (iv_result_new(&j->result, j->self->name, &err) != IV_OK)
        return;
    j->shared.table = NULL;
    size_t open = 0; /* those that can be: one that cannot is no reason to leave the others */
    for (size_t i = 0; i < j->output_count; i++) {
        output to = j->outputs[i];
        iv_format format;
        if (!iv_format_find(&format, to.format) || !iv_format_is_built(format))
            to.format = "text";
        if (iv_outfile_open(&to.file, to.path, &err) == IV_OK)
            j->outputs[open++] = to;
    }
    j->output_count = open;
    j->shared.quiet = true;
    (void)iv_err_text(text, why);
    iv_result_failed(j->result);
    iv_result_answer(j->result, "%s", text);
    iv_result_gate(j->result, false);
    if (write_result(j, &c, &err) == IV_OK)
        outputs_mark(j->sets, 2);
}

static int run_command(const cmd *const *commands, const cmd *self, int argc, char **argv)
{
    iv_err err = { IV_OK, "" };
    job j = { .commands = commands, .self = self };
    int rc = read_options(&j, argc, argv, &err);

    if (rc != IV_OK) {
        find_gate(&j, argc, argv);
        goto done;
    }
    if (j.shared.help || j.shared.help_all) {
        if (j.shared.help_all)
            help_whole(stdout, self);
        else
            help_command(stdout, self);
        rc = flush_output(&err);
        goto done;
    }
    rc = check_operands(&j, &err);
    if (rc == IV_OK)
        rc = check_inputs(&j, &err);
    if (rc == IV_OK)
        rc = outputs_check(j.sets, 2, j.words.operands, j.shared.force, &err);
    if (rc == IV_OK) {
        rc = execute(&j, &err);
        if (rc == IV_OK || rc == CMD_FAILED)
            outputs_mark(j.sets, 2);
    }
done:
    if (rc != IV_OK)
        add_hint(&err, self);
    if (rc != IV_OK && rc != CMD_FAILED)
        write_error(&j, &err);
    if (rc != IV_OK && rc != CMD_FAILED && writes_format(&j, "github")) {
        char text[IV_ERR_TEXT_SIZE];
        annotate(&j, "error", iv_err_text(text, &err));
    }
    rc = conclude(self, rc, &err);
    if (rc == FRAME_OK && j.shared.gate)
        rc = gate_status(j.result);
    abandon_outputs(&j);
    free(j.outputs);
    free(j.found);
    iv_result_free(j.result);
    iv_digests_free(j.digests);
    options_free(&j.words);
    free(j.args);
    return rc;
}

/* The command a word of the top level stands for, when it is an option. */
static const char *top_level(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return "help";
    return strcmp(word, "--version") == 0 ? "version" : word;
}

int frame_main(const cmd *const *commands, int argc, char **argv)
{
    char name[64];
    char *words[2] = { name, argc > 2 ? argv[2] : NULL };
    size_t used = 0;
    iv_err err = { IV_OK, "" };

    if (argc < 2) {
        help_overview(stderr, commands, NULL);
        return FRAME_USAGE;
    }
    (void)snprintf(name, sizeof name, "%s", top_level(argv[1]));
    const cmd *c = lookup_command(commands, words, argc > 2 ? 2 : 1, &used);
    if (c != NULL) {
        size_t count = (size_t)argc - 1 - used;
        c = lookup_moved(commands, c, argv + 1 + used, &count);
        return run_command(commands, c, (int)count, argv + 1 + used);
    }
    if (!lookup_family(commands, argv[1]) || (argc > 2 && argv[2][0] != '-'))
        return conclude(NULL, lookup_unknown(commands, argv + 1, (size_t)argc - 1, &err),
                        &err);
    if (argc < 3 || strcmp(top_level(argv[2]), "help") != 0) {
        help_overview(stderr, commands, argv[1]);
        return FRAME_USAGE;
    }
    help_overview(stdout, commands, argv[1]);
    return conclude(NULL, flush_output(&err), &err);
}
