/* SPDX-License-Identifier: Apache-2.0 */
/* sort -- lines by topic, in bounded memory. */
#include "frame/score_operands.h"

static const opt opts[] = {
    OPT_INT(iv_sort_question, 0, "memory", "BYTES", how.memory, 1 << 20, INT64_MAX,
            "memory to use; the rest goes to temporary files", .usual = "256M",
            .bytes = true, .unrecorded = true),
    OPT_STR(iv_sort_question, 0, "temporary", "DIR", how.folder,
            "folder of temporary files, $TMPDIR or /tmp by default. The files have no names"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    iv_sort_question *q = c->args;

    if (q->how.folder == NULL)
        q->how.folder = cmd_temporary();
    q->file = c->operands[0];
    q->lines = c->out;
    c->written = true;
    return iv_answer_sort(c->result, q, &c->work, err);
}

const cmd cmd_sort = {
    .name = "sort",
    .group = "Data",
    .summary = "sort runs and judgments by topic, even if larger than memory",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .description =
        "Sorts a run, judgments or another file by its first field, the topic. Files may be "
        "larger than memory.\n\n"
        "Topics are sorted by bytes; the lines of a topic keep their order. Comments, empty "
        "lines and the header of BEIR files come first; a byte-order mark is dropped. - is "
        "standard input; gzip and zstd are unpacked.\n\n"
        "eval and compare read large files that are sorted by topic some topics at a time. Files "
        "sorted by number (2 before 10) or grouped in byte order need no sorting.",
    .exit_note = "the file cannot be read, a line does not fit into memory, or a disk is full; "
                 "nothing is written to FILE then",
    .examples = (const cmd_example[]){
        { "intervale sort run.txt -o sorted.run", "Writes the lines by topic." },
        { "intervale sort --memory 64M run.txt -o sorted.run", "The same with 64 MB." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(iv_sort_question),
    .shared = SHARED_OUTPUT,
    .run = run,
};
