/* SPDX-License-Identifier: Apache-2.0 */
/* How far each topic of a sample is judged, in its order, and whether that can be told: all
 * that is certain and a document of every bucket that was drawn from. */
#include <string.h>

#include "design/sampling_state.h"
#include "store/export_parts.h"
#include "store/store_parts.h"

/* The place of a document in its topic's order, or SIZE_MAX: it was judged before. */
static size_t place_of(const iv_ids *order, iv_str docno)
{
    const uint32_t id = iv_ids_find(order, docno);

    return id == IV_NO_ID ? SIZE_MAX : id;
}

/* Is there enough of what a line of the design lists? */
static bool line_is_told(const iv_sample_comment *line, const iv_ids *order, size_t prefix,
                         const iv_combined *all, size_t first)
{
    iv_str list = line->documents, docno;
    size_t listed = 0, judged = 0, behind = 0;

    while (iv_next_word(&docno, &list)) {
        const size_t at = place_of(order, docno);
        listed++;
        behind += at != SIZE_MAX && at >= prefix;
        judged += at == SIZE_MAX || (at < prefix && all->grade[first + at] >= 0);
    }
    if (line->kind == IV_LISTED_FIXED)
        return behind == 0;
    return listed == 0 || judged > 0 || behind == 0;
}

static int look_at_topic(iv_prefix_topic *out, iv_exporting *x, size_t t,
                         const iv_sample_comment *lines, size_t count, iv_err *err)
{
    const iv_lane *lane = &x->s->lanes[t];
    iv_ids order = { 0 };

    out->prefix = iv_combined_prefix(&x->all, lane->first, lane->count, true);
    out->told = out->prefix == lane->count || count > 0;
    for (size_t i = 0; i < lane->count; i++)
        if (iv_ids_add(&order, x->all.docno[lane->first + i]) == IV_NO_ID) {
            iv_ids_free(&order);
            return iv_no_memory(err);
        }
    for (size_t k = 0; k < count && out->told; k++)
        if (lines[k].kind < IV_LISTED_REST)
            out->told = line_is_told(&lines[k], &order, out->prefix, &x->all, lane->first);
    iv_ids_free(&order);
    return IV_OK;
}

int iv_export_prefixes(const iv_prefix_topic **out, iv_exporting *x, iv_str form, iv_err *err)
{
    iv_store *s = x->s;
    iv_prefix_topic *rows = iv_take(x->memory, s->about.topics + 1, sizeof *rows);
    iv_sample_comments l = { .found = false };
    iv_judgments *j = NULL;
    size_t told = 0, first = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    int rc = iv_judgments_parse(&j, s->path, form.ptr, form.len, IV_JUDGMENTS_PRELS, NULL, err);
    if (rc == IV_OK)
        rc = iv_listing_read(&l, j, s->path, err);
    for (size_t t = 0; t < s->about.topics && rc == IV_OK; t++) {
        const size_t at = iv_judgments_find_topic(j, iv_str_of(s->topics[t].name));
        size_t count = 0;
        while (first < l.count && l.lines[first].topic < at) /* both in the order of the file */
            first++;
        while (first + count < l.count && l.lines[first + count].topic == at)
            count++;
        rc = look_at_topic(&rows[t], x, t, l.lines == NULL ? NULL : l.lines + first, count, err);
        told += rows[t].told;
        x->done.topics_left_out += !rows[t].told;
    }
    iv_listing_free(&l);
    iv_judgments_free(j);
    if (rc == IV_OK && told == 0)
        rc = iv_fail_at(err, IV_ENODATA, s->path, 0, "of no topic enough is judged: all documents "
                        "that are certain, and one of every bucket");
    *out = rows;
    return rc;
}
