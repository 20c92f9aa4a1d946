/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_sampled.h"

#include "command/compare_notes.h"
#include "intervale/stat.h"

int compare_sampled_table(cmd_context *c, const compare_input *in, size_t baseline,
                          iv_err *err)
{
    static const iv_column columns[] = {
        { "measure", IV_TEXT, 0 }, { "a", IV_TEXT, 0 },         { "b", IV_TEXT, 0 },
        { "topics", IV_INTEGER, 0 }, { "difference", IV_REAL, 4 }, { "se", IV_REAL, 4 },
        { "se_judgments", IV_REAL, 4 }, { "se_topics", IV_REAL, 4 } };
    iv_table *t = iv_result_table(c->result, "sampling", columns, 8);
    size_t excess = 0;
    int rc = IV_OK;

    for (size_t m = 0; m < in->measure_count; m++)
        for (size_t a = 0; a < in->run_count; a++)
            for (size_t b = 0; b < in->run_count && rc == IV_OK; b++) {
                iv_evaluated_difference e;
                if (baseline == IV_NO_BASELINE ? b <= a : b != baseline || a == b)
                    continue;
                rc = iv_evaluation_difference(&e, NULL, NULL, in->evaluation, m, a, b, err);
                if (rc != IV_OK)
                    break;
                iv_put_text(t, iv_str_of(in->measures[m]));
                iv_put_text(t, iv_str_of(in->runs[a]));
                iv_put_text(t, iv_str_of(in->runs[b]));
                iv_put_int(t, (int64_t)e.topics);
                iv_put_real(t, e.value);
                iv_put_real(t, e.se);
                iv_put_real(t, e.se_judgments);
                iv_put_real(t, e.se_topics);
                excess += e.se_judgments > e.se && e.se_topics == 0.0;
            }
    tell_excess(c->result, excess, "difference");
    return rc;
}
