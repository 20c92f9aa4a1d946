/* SPDX-License-Identifier: Apache-2.0 */
/* A review: so many documents of each stratum, at random, in blocks that have some of every
 * stratum.  A folder has a file of each stratum, its documents one a line. */
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "design/sampling_state.h"
#include "store/making.h"
#include "num/num_private.h"
#include "trec/strata_private.h"

static const uint64_t review_key = UINT64_C(0x7265766965770000);

enum { PATH_ROOM = 1000 };

/* A stratum's documents. */
typedef struct listed {
    iv_str *docnos;
    size_t count, judge; /* how many there are, and how many are judged */
    const char *path;
} listed;

static const char *list_path(char path[PATH_ROOM], const char *folder, iv_str name)
{
    static const char *const ends[] = { "", ".txt", ".lst", ".gz", ".txt.gz", ".zst", ".txt.zst" };
    struct stat st;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(path, PATH_ROOM, "%.700s/%.*s%s", folder, (int)(name.len < 250 ? name.len
                       : 250), name.ptr, ends[i]);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
            return path;
    }
    (void)snprintf(path, PATH_ROOM, "%.700s/%.*s", folder,
                   (int)(name.len < 250 ? name.len : 250), name.ptr);
    return path;
}

static int read_list(listed *out, iv_making *m, const iv_strata_row *row, iv_err *err)
{
    char path[PATH_ROOM];
    iv_str text, word;
    size_t lines = 1;

    if (memchr(row->name.ptr, '/', row->name.len) != NULL || row->name.ptr[0] == '.')
        return iv_fail_at(err, IV_EPARSE, m->plan->strata, row->line, "stratum '%.*s', expected "
                          "a name that can be a file's", (int)row->name.len, row->name.ptr);
    out->path = iv_arena_copy(&m->memory, iv_str_of(list_path(path, m->plan->lists, row->name)));
    if (out->path == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_making_text(&text, m, out->path, err));
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    out->docnos = iv_take(&m->memory, lines, sizeof *out->docnos);
    if (out->docnos == NULL)
        return iv_no_memory(err);
    uint64_t line = 0;
    for (const char *at = text.ptr, *end = text.ptr + text.len; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        iv_str rest = { at, (size_t)((stop == NULL ? end : stop) - at) };
        if (iv_next_word(&word, &rest)) {
            out->docnos[out->count++] = word;
            if (iv_next_word(&word, &rest))
                return iv_fail_at(err, IV_EPARSE, out->path, line + 1, "two words, expected a "
                                  "document a line");
        }
        at = stop == NULL ? end : stop + 1;
    }
    if ((int64_t)out->count != row->size)
        return iv_fail_at(err, IV_EPARSE, out->path, 0, "has %zu documents, expected the %lld of "
                          "stratum '%.*s'", out->count, (long long)row->size,
                          (int)row->name.len, row->name.ptr);
    return IV_OK;
}

/* Shuffles all of a stratum, and says which are judged. */
static void draw(listed *l, iv_making *m, const iv_strata_row *row, bool all)
{
    const uint64_t seed = m->work == NULL || m->work->seed == 0 ? 1 : m->work->seed;
    iv_stream s = iv_stream_start(seed, IV_FOR_SAMPLING, iv_topic_key(row->name) ^ review_key);

    iv_draw_shuffle(&s, l->docnos, l->count, sizeof *l->docnos);
    l->judge = all ? l->count : (size_t)row->sampled;
}

/* Documents of a block, of all strata, at random. */
static int add_block(iv_making *m, const listed *lists, size_t block, size_t blocks,
                     iv_stream *s, iv_err *err)
{
    const iv_str topic = iv_str_of("review");
    const size_t first = m->count;

    for (size_t k = 0; k < m->stratum_count; k++) {
        const size_t n = lists[k].judge;
        for (size_t i = n * block / blocks; i < n * (block + 1) / blocks; i++) {
            const size_t before = m->documents.count;
            IV_TRY(iv_making_add(m, topic, lists[k].docnos[i], (uint32_t)k, (uint32_t)block,
                                 err));
            if (m->documents.count == before)
                return iv_fail_at(err, IV_EPARSE, lists[k].path, 0, "document '%.*s' stands in "
                                  "another stratum too or twice, expected once",
                                  (int)lists[k].docnos[i].len, lists[k].docnos[i].ptr);
        }
    }
    iv_draw_shuffle(s, m->items + first, m->count - first, sizeof *m->items);
    return IV_OK;
}

static int read_strata(listed *lists, iv_making *m, const iv_strata_table *t, iv_err *err)
{
    bool all = true;

    for (size_t k = 0; k < t->row_count; k++) {
        all = all && t->rows[k].sampled == 0;
        if (t->rows[k].relevant != 0)
            return iv_fail_at(err, IV_EPARSE, m->plan->strata, t->rows[k].line, "r is %lld, "
                              "expected 0: nothing is judged yet",
                              (long long)t->rows[k].relevant);
    }
    for (size_t k = 0; k < t->row_count; k++) {
        IV_TRY(read_list(&lists[k], m, &t->rows[k], err));
        draw(&lists[k], m, &t->rows[k], all);
        if (lists[k].judge == 0)
            return iv_fail_at(err, IV_EPARSE, m->plan->strata, t->rows[k].line, "n is 0, expected "
                              "how many documents of the stratum to judge");
        m->strata[k] = (iv_making_stratum){ t->rows[k].name, t->rows[k].size, t->retrieved[k] };
    }
    return IV_OK;
}

int iv_making_review(iv_making *m, iv_err *err)
{
    const uint64_t seed = m->work == NULL || m->work->seed == 0 ? 1 : m->work->seed;
    iv_stream s = iv_stream_start(seed, IV_FOR_SAMPLING, review_key);
    iv_strata *strata = NULL;

    m->kind = IV_STORE_REVIEW;
    IV_TRY(iv_making_text(&m->form, m, m->plan->strata, err));
    IV_TRY(iv_strata_load(&strata, m->plan->strata, NULL, m->work, err));
    if (iv_own(&m->memory, strata, (void (*)(void *))iv_strata_free) == NULL)
        return iv_no_memory(err);
    const iv_strata_table *t = iv_strata_view(strata);
    if (t->run_count != 1)
        return iv_fail_at(err, IV_EPARSE, m->plan->strata, 1, "%zu runs, expected one: which "
                          "documents were retrieved", t->run_count);
    listed *lists = iv_take(&m->memory, t->row_count, sizeof *lists);
    m->strata = iv_take(&m->memory, t->row_count, sizeof *m->strata);
    if (lists == NULL || m->strata == NULL)
        return iv_no_memory(err);
    m->stratum_count = t->row_count;
    IV_TRY(read_strata(lists, m, t, err));
    size_t blocks = SIZE_MAX;
    for (size_t k = 0; k < m->stratum_count; k++)
        blocks = lists[k].judge < blocks ? lists[k].judge : blocks;
    for (size_t b = 0; b < blocks; b++)
        IV_TRY(add_block(m, lists, b, blocks, &s, err));
    return IV_OK;
}
