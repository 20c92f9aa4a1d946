/* SPDX-License-Identifier: Apache-2.0 */
/* The runs and judgments that a request names, read and kept with its result. */
#include "base/err.h"
#include "base/memory.h"
#include "result/answering.h"
#include "result/run_input.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/run_source.h"
#include "trec/trec_ends.h"

#include <string.h>

static int name_runs(iv_run_input *in, iv_arena *own, iv_err *err)
{
    iv_str *tags = iv_take(own, in->count + 1, sizeof *tags);
    const char **paths = iv_take(own, in->count + 1, sizeof *paths);

    in->names = iv_take(own, in->count + 1, sizeof *in->names);
    IV_TRY(iv_taken(own, err));
    for (size_t r = 0; r < in->count; r++) {
        tags[r] = iv_run_tag(in->runs[r]);
        paths[r] = in->paths != NULL ? in->paths[r] : NULL;
    }
    return iv_name_runs(in->names, own, tags, paths, in->count, err);
}

int iv_run_input_read(iv_run_input *in, iv_result *out, const iv_source *from,
                      const iv_work *work, iv_err *err)
{
    *in = (iv_run_input){ .runs = from->ranked, .count = from->ranked_count };
    if (from->ranked != NULL)
        return name_runs(in, iv_result_own(out), err);
    iv_run **own = iv_take(iv_result_own(out), from->runs.count + 1, sizeof *own);
    IV_TRY(iv_taken(iv_result_own(out), err));
    IV_TRY(iv_runs_load(own, from->runs.at, from->runs.count, from->run_format, work, err));
    *in = (iv_run_input){ .runs = (const iv_run *const *)own, .paths = from->runs.at,
                          .count = from->runs.count };
    for (size_t r = 0; r < in->count; r++) {
        iv_result_input(out, in->paths[r], iv_run_bytes(in->runs[r]));
        (void)iv_own(iv_result_own(out), own[r], iv_end_run);
    }
    IV_TRY(iv_taken(iv_result_own(out), err));
    return name_runs(in, iv_result_own(out), err);
}

bool iv_run_input_named(const iv_run_input *in, size_t run, const char *name)
{
    const iv_str tag = iv_run_tag(in->runs[run]);
    const char *path = in->paths != NULL ? in->paths[run] : "";
    const char *slash = strrchr(path, '/');

    return strcmp(path, name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0)
        || (tag.len > 0 && iv_str_cmp(tag, iv_str_of(name)) == 0);
}

int iv_judgments_input(iv_judgments **j, iv_result *out, const char *path,
                       iv_judgments_format format, const iv_work *work, iv_err *err)
{
    if (format >= IV_JUDGMENTS_GROUPS)
        return iv_fail_at(err, IV_EARG, path, 0, "judgments by groups, expected one of each "
                          "document");
    IV_TRY(iv_judgments_load(j, path, format, work, err));
    iv_result_input(out, path, iv_judgments_bytes(*j));
    return IV_KEEP(out, judgments, *j, err);
}
