/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run's file in one pass.  Its lines are parsed while they are in the cache, and of the
 * text only the names are kept, a third of it: fresh memory costs more than parsing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/stretches.h"
#include "trec/run.h"
#include "trec/run_lines.h"
#include "trec/text.h"

typedef struct pass {
    iv_run *run;
    iv_run_format format; /* as asked for */
    iv_grouping all;
} pass;

/* The beginning that iv_run_odd() looks at, and the tag, which may stand behind it. */
static bool keep_beginning(iv_run *run, iv_str text, iv_str tag)
{
    size_t len = text.len;

    if (len > IV_ODD_LOOKED_AT) {
        const char *stop = memchr(text.ptr + IV_ODD_LOOKED_AT - 1, '\n',
                                  len - IV_ODD_LOOKED_AT + 1);
        len = stop == NULL ? len : (size_t)(stop - text.ptr) + 1;
    }
    char *copy = malloc(len + tag.len + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text.ptr, len);
    memcpy(copy + len, tag.ptr, tag.len);
    run->bytes = (iv_bytes){ copy, len + tag.len, run->bytes.stored, run->bytes.packing };
    run->text = (iv_str){ copy, len };
    run->tag = (iv_str){ copy + len, tag.len };
    return true;
}

static iv_str unmarked(iv_str text)
{
    return iv_text_of(&(iv_bytes){ (char *)(uintptr_t)text.ptr, text.len, 0, IV_PLAIN });
}

/* What the first lines say of the file. */
static int begin(void *user, iv_str head, iv_err *err)
{
    pass *p = user;
    iv_run *run = p->run;
    iv_str fields[6], text = unmarked(head);
    uint64_t line;

    while (head.len == IV_HEAD && text.len > 0 && text.ptr[text.len - 1] != '\n')
        text.len--;
    const size_t count = iv_first_fields(fields, 6, text, true, &line);
    run->format = p->format == IV_RUN_ANY ? iv_run_format_told(fields, count) : p->format;
    if (count == 0 || run->format == IV_RUN_ANY)
        return IV_NOT_TAKEN;
    p->all = iv_run_grouping(run->format);
    p->all.keep = true;
    if (!keep_beginning(run, text, run->format == IV_RUN_TREC && count >= 6
                                       ? fields[5] : iv_str_of("")))
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return IV_OK;
}

static int make_room(void *user, size_t count, iv_err *err)
{
    pass *p = user;

    return iv_group_room(&p->all, count) ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static int take(void *user, size_t i, iv_str lines, iv_err *err)
{
    pass *p = user;
    const iv_chunk *c = &p->all.g.chunks[i];

    iv_group_chunk(&p->all, i, i == 0 ? unmarked(lines) : lines);
    if (c->problems.no_memory)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return c->problems.errors > 0 || c->rises ? IV_NOT_TAKEN : IV_OK;
}

/* All ranks of a run whose scores rise are looked at, so that its text is kept. */
static bool rises(const iv_grouped *g)
{
    for (size_t i = 0; i < g->chunk_count; i++)
        if (g->chunks[i].rises)
            return true;
    return false;
}

/* Groups and ranks what was taken. */
static int settle(pass *p, const iv_work *work, iv_problems *problems)
{
    iv_run *run = p->run;
    iv_stage stage;

    iv_group_finish(&run->grouped, &p->all, problems);
    (void)iv_run_settle(run, false, iv_work_part(&stage, work, 0.7, 1.0), problems);
    return problems->errors > 0 || run->rises ? IV_NOT_TAKEN : IV_OK;
}

int iv_run_pass(iv_run *run, uint64_t *enough, const char *path, iv_run_format format,
                const iv_work *work, iv_err *err)
{
    iv_stage stage;
    iv_problems problems = { .most = 1 };
    pass p = { .run = run, .format = format };
    iv_stretches all = { .begin = begin, .room = make_room, .take = take, .user = &p };
    int rc = iv_stretches_of(&all, path, iv_work_part(&stage, work, 0.0, 0.7), err);

    if (rc == IV_OK)
        rc = settle(&p, work, &problems);
    if (rc == IV_OK || problems.no_memory)
        rc = iv_problems_verdict(&problems, path, err);
    else if (rc == IV_ENOMEM)
        rc = iv_fail_at(err, rc, path, 0, "out of memory");
    run->bytes.stored = all.stored;
    run->bytes.packing = all.packing;
    *enough = rises(&p.all.g) ? 0 : all.enough;
    iv_grouped_free(&p.all.g);
    iv_problems_free(&problems);
    return rc;
}
