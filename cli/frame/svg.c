/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts as SVG: what draws them in a page draws them in node, which gets the script, the
 * specification and a few lines on its standard input.
 */
#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame/frame.h"

extern char **environ; /* as POSIX has it */

static const char before[] =
    "const globals = globalThis;\n"
    "(function (module, exports, define, require) {\n"; /* it shall define vega for all */
static const char between[] =
    "}).call(globals);\n"
    "const spec = ";
static const char after[] =
    ";\n"
    "const compiled = globals.vegaLite.compile(spec).spec;\n"
    "const view = new globals.vega.View(globals.vega.parse(compiled), { renderer: 'none' });\n"
    "view.toSVG().then((svg) => process.stdout.write(svg + '\\n'));\n";

/* Runs node on what stands in `from` (NULL: asks for its version); it writes to `to`. */
static int run_node(FILE *to, FILE *from, iv_err *err)
{
    static char name[] = "node", script[] = "-", version[] = "--version";
    char *words[] = { name, from != NULL ? script : version, NULL };
    posix_spawn_file_actions_t streams;
    int status = 0;
    pid_t pid;

    if (posix_spawn_file_actions_init(&streams) != 0)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    int rc = from == NULL ? 0 : posix_spawn_file_actions_adddup2(&streams, fileno(from), 0);
    if (rc == 0 && to != NULL)
        rc = posix_spawn_file_actions_adddup2(&streams, fileno(to), 1);
    if (rc == 0 && to == NULL)
        rc = posix_spawn_file_actions_addopen(&streams, 1, "/dev/null", 1, 0); /* O_WRONLY */
    if (rc == 0)
        rc = posix_spawn_file_actions_addopen(&streams, 2, "/dev/null", 1, 0);
    if (rc == 0 && posix_spawnp(&pid, "node", &streams, NULL, words, environ) != 0)
        rc = posix_spawnp(&pid, "nodejs", &streams, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&streams);
    if (rc != 0)
        return iv_fail(err, IV_ENODATA, "format svg is rendered by node, which is not in PATH; "
                       "install it, save the picture from a page (--format html), or take --format "
                       "vega to other programs");
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return iv_fail(err, IV_EIO, "node could not draw the charts; it must be version 18 or "
                       "newer");
    return IV_OK;
}

int svg_check(iv_err *err) { return run_node(NULL, NULL, err); }

static int put_program(FILE *program, const iv_result *r, const char *table, iv_err *err)
{
    const iv_report_options o = { .format = IV_FORMAT_VEGA, .table = table, .still = true };

    (void)fputs(before, program);
    int rc = iv_report_drawing(program, err);
    (void)fputs(between, program);
    if (rc == IV_OK)
        rc = iv_report_write(program, r, &o, err);
    (void)fputs(after, program);
    return rc;
}

static int copy(FILE *out, FILE *from)
{
    char room[8192];
    size_t got, all = 0;

    rewind(from);
    while ((got = fread(room, 1, sizeof room, from)) > 0) {
        (void)fwrite(room, 1, got, out);
        all += got;
    }
    return all > 0 ? IV_OK : IV_EIO;
}

int svg_write(FILE *out, const iv_result *r, const char *table, iv_err *err)
{
    FILE *program = tmpfile(), *picture = tmpfile();
    int rc = program == NULL || picture == NULL
        ? iv_fail(err, IV_EIO, "cannot make a temporary file: %s", strerror(errno))
        : put_program(program, r, table, err);

    if (rc == IV_OK && (fflush(program) != 0 || ferror(program)))
        rc = iv_fail(err, IV_EIO, "cannot write a temporary file: %s", strerror(errno));
    if (rc == IV_OK) {
        rewind(program);
        rc = run_node(picture, program, err);
    }
    if (rc == IV_OK && copy(out, picture) != IV_OK)
        rc = iv_fail(err, IV_EIO, "node could not draw the charts; it must be version 18 or newer");
    if (program != NULL)
        (void)fclose(program);
    if (picture != NULL)
        (void)fclose(picture);
    return rc;
}
