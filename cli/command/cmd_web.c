/* SPDX-License-Identifier: Apache-2.0 */
/* web -- the tool as a web page, on this machine */
#include <unistd.h>

#include "frame/cmd.h"
#include "serve/serve.h"

enum { PATH_SIZE = 4096 };

static const opt opts[] = {
    OPT_INT(iv_serve_options, 0, "port", "N", port, 1, 65535,
            "port to listen on",
            .usual = "8474, or any if that is taken"),
    OPT_STR(iv_serve_options, 0, "site", "DIR", file,
            "folder of the site, built by 'make web'",
            .usual = "the one that was installed or built with the tool"),
    OPT_FLAG(iv_serve_options, 0, "open", open, "open the page in the browser"),
    OPT_END
};

static bool has_site(const char *folder)
{
    static const char *const names[] = { "index.html", "intervale.js", "intervale.wasm" };
    char path[PATH_SIZE];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (snprintf(path, sizeof path, "%s/%s", folder, names[i]) >= (int)sizeof path
            || access(path, R_OK) != 0)
            return false;
    return true;
}

/* From where the tool stands, so that what is installed may be moved: beside it under the
 * prefix, or in the build folder. */
static bool find_site(char out[PATH_SIZE])
{
    static const char *const places[] = { INTERVALE_SITE_FROM_TOOL, "../web" };
    char here[PATH_SIZE / 2];
    const ssize_t len = readlink("/proc/self/exe", here, sizeof here - 1);

    here[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(here, '/');
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof *places; i++) {
        *slash = '\0';
        (void)snprintf(out, PATH_SIZE, "%s/%s", here, places[i]);
        if (has_site(out))
            return true;
    }
    (void)snprintf(out, PATH_SIZE, "%s", INTERVALE_SITE);
    return has_site(out);
}

static int run(cmd_context *c, iv_err *err)
{
    iv_serve_options o = *(const iv_serve_options *)c->args;
    char found[PATH_SIZE];

    if (o.file != NULL && !has_site(o.file))
        return iv_fail_at(err, IV_EIO, o.file, 0, "no site: expected index.html, intervale.js "
                          "and intervale.wasm, which 'make web' builds");
    if (o.file == NULL && !find_site(found))
        return iv_fail(err, IV_EIO, "no site was installed or built with this tool; 'make web' "
                       "builds it, and --site DIR says where it is");
    if (o.file == NULL)
        o.file = found;
    c->written = true; /* the address, at the start */
    return iv_serve_site(&o, c->out, &c->work, err);
}

const cmd cmd_web = {
    .name = "web",
    .group = "About the tool",
    .summary = "serve the tool as a web page on this machine",
    .operands = "",
    .description =
        "Serves the tool as a web page, on this machine only, and prints its address. An "
        "address such as ADDRESS#recall?retrieved=2000,100,50&target=75% opens a form with "
        "these values.\n\n"
        "The page computes in the browser: files that you drop on it are not sent anywhere, "
        "not even to this server. 'make web' builds the site; any other file server will do as "
        "well.",
    .examples = (const cmd_example[]){
        { "intervale web --open --site build/web",
          "The page that 'make web' built, in the browser; once it is installed, without --site." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(iv_serve_options),
    .shared = SHARED_QUIET,
    .run = run,
};
