/* SPDX-License-Identifier: Apache-2.0 */
/* judge serve -- judging in the browser */
#include "frame/cmd.h"
#include "serve/serve.h"

static const opt opts[] = {
    OPT_INT(iv_serve_options, 0, "port", "N", port, 1, 65535,
            "port to listen on", .usual = "the one of last time, or any that is free"),
    OPT_STR(iv_serve_options, 0, "socket", "PATH", socket,
            "listen on a Unix socket, for a proxy or ssh -L; needs --public-url"),
    OPT_STR(iv_serve_options, 0, "listen", "ADDRESS", listen,
            "address to listen on, for browsers on other machines; needs --public-url or "
            "--insecure-lan"),
    OPT_STR(iv_serve_options, 0, "public-url", "URL", public_url,
            "address for browsers, if a TLS proxy is in front. For example "
            "https://judge.example.org/; requests to other host names are refused"),
    OPT_FLAG(iv_serve_options, 0, "insecure-lan", insecure_lan,
             "serve other machines without TLS. Anyone who can listen on the network can read "
             "the links and judge in others' names"),
    OPT_STR(iv_serve_options, 0, "url-file", "FILE", url_file,
            "write the links to FILE instead of the terminal; only its owner can read it"),
    OPT_INT(iv_serve_options, 0, "hold", "SECONDS", hold, 10, 86400,
            "seconds until others get the documents of an absent assessor", .usual = "120"),
    OPT_FLAG(iv_serve_options, 0, "open", open, "open the page of the first assessor in the "
                                                "browser"),
    OPT_FLAG(iv_serve_options, 0, "hide-interval", hide_interval,
             "show estimates only to the owner; they may sway an assessor"),
    OPT_FLAG(iv_serve_options, 0, "new-links", new_links,
             "end all logins and links, and make new links for everybody; use it if a link or a "
             "browser may be in other hands"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    iv_serve_options o = *(const iv_serve_options *)c->args;

    o.file = c->operands[0];
    c->written = true; /* the links, at the start */
    return iv_serve(&o, c->out, &c->work, err);
}

const cmd cmd_judge_serve = {
    .name = "judge serve",
    .group = "Judging",
    .summary = "serve a session, to judge in the browser",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Serves a session to browsers, and prints a link for each assessor. The first assessor is "
        "the owner, whose Overview page shows progress, agreement and the documents that each "
        "assessor has open. There the owner can return open documents to the queue and revoke "
        "an assessor's access.\n\n"
        "Whoever opens a link judges in that name. One key judges, saves and shows the next "
        "document. A judgment is acknowledged when it is on the disk, and waits in the browser "
        "until then. The owner also adjudicates and exports.\n\n"
        "Only this machine can connect, and only with a link. To serve several machines, put a "
        "proxy with TLS in front and name it with --public-url. Over ssh: --socket PATH "
        "--public-url http://localhost:8080/ on the server, ssh -L 8080:PATH SERVER on yours.\n\n"
        "An assessor holds the document on the screen and the next one. Others get them when "
        "the page was silent for --hold SECONDS, or when the owner returns them.\n\n"
        "Links are shown once, and the owner's is new at every start. A login ends 12 hours after "
        "the last request, 7 days after it began, with a new link, or by 'Log out everywhere'. "
        "A copy of the session is kept in SESSION.backup.",
    .examples = (const cmd_example[]){
        { "intervale judge serve review.db --open", "Judge on this machine." },
        { "intervale judge serve review.db --port 8123 --public-url https://judge.example.org/ "
          "--url-file links.txt",
          "Behind a proxy that speaks TLS; the links go to a file." },
        { NULL, NULL } },
    .often = "port open listen public-url url-file",
    .pages = "doc/judging.md",
    .opts = opts,
    .args_size = sizeof(iv_serve_options),
    .shared = SHARED_QUIET,
    .run = run,
};
