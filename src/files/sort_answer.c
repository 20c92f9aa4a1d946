/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `sort`: lines of a file by topic. */
#include "base/arguments.h"
#include "base/err.h"
#include "intervale/files.h"
#include "result/answering.h"
#include "result/wording.h"
#include "trec/sorted_file.h"

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_sort_question *q = asked;
    iv_sorted_lines found;
    iv_outfile *file = NULL;

    IV_TRY(iv_check_given(q->file, "the file to sort", err));
    if ((q->sorted == NULL) == (q->lines == NULL))
        return iv_fail(err, IV_EARG, "sorted lines go to one place: a file or a stream");
    if (q->sorted != NULL)
        IV_TRY(iv_outfile_open(&file, q->sorted, err));
    int rc = iv_sort_lines(file != NULL ? iv_outfile_stream(file) : q->lines, q->file, &q->how,
                           &found,
                           work, err);
    if (file != NULL && rc == IV_OK)
        rc = iv_outfile_commit(file, err);
    else
        iv_outfile_abandon(file);
    IV_TRY(rc);
    iv_result_answer(out, "%llu line%s of %llu topic%s%s.", (unsigned long long)found.lines,
                     iv_plural(found.lines), (unsigned long long)found.topics,
                     iv_plural(found.topics), found.sorted ? ", which were in order" : "");
    return iv_result_status(out, err);
}

int iv_answer_sort(iv_result *out, const iv_sort_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_sort_question, file, PATH, "the file to sort"),
        IV_PART_OF(iv_sort_question, sorted, PATH, "the sorted file"),
        IV_PART_OF(iv_sort_question, how.folder, PATH, "the folder of temporary files"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
