/* SPDX-License-Identifier: Apache-2.0 */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/judgments.h"
#include "trec/problems.h"
#include "trec/run.h"
#include "base/bytes.h"
#include "base/packing.h"

#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

static void put(FILE *out, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, out);
}

char *run_text(const iv_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    put(out, iv_run_tag(run));
    for (size_t t = 0; t < iv_run_topics(run); t++) {
        (void)putc('\n', out);
        put(out, iv_run_topic(run, t));
        (void)putc(':', out);
        for (size_t r = 0; r < iv_run_depth(run, t); r++) {
            (void)putc(' ', out);
            put(out, iv_run_docno(run, t, r));
            (void)fprintf(out, "=%.17g", iv_run_score(run, t, r));
        }
    }
    (void)fclose(out);
    return text;
}

char *judgments_text(const iv_judgments *j)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t n = iv_judgments_of(&judged, j, t);
        if (t > 0)
            (void)putc('\n', out);
        put(out, iv_judgments_topic(j, t));
        (void)putc(':', out);
        for (size_t i = 0; i < n; i++) {
            (void)putc(' ', out);
            put(out, judged[i].docno);
            (void)fprintf(out, "=%d", (int)judged[i].grade);
            if (judged[i].pi < 1.0)
                (void)fprintf(out, "/%.17g", judged[i].pi);
            if (judged[i].stratum != -1)
                (void)fprintf(out, "#%d", (int)judged[i].stratum);
        }
    }
    (void)fclose(out);
    return text;
}

char *problems_text(const iv_problems *list)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    for (size_t i = 0; i < list->count; i++)
        (void)fprintf(out, "%llu: %s%s\n", (unsigned long long)list->items[i].line,
                      list->items[i].error ? "" : "warning: ", list->items[i].message);
    (void)fprintf(out, "%llu errors", (unsigned long long)list->errors);
    (void)fclose(out);
    return text;
}

iv_bytes exact_bytes(const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    assert_non_null(copy);
    memcpy(copy, text, len);
    return (iv_bytes){ copy, len, len, IV_PLAIN };
}

char *gzipped(const char *text, size_t *len)
{
    z_stream z = { 0 };
    char *copy = malloc(*len + 1); /* zlib wants it writable */

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    const uLong bound = deflateBound(&z, (uLong)*len);
    char *packed = malloc(bound);
    assert_non_null(packed);
    assert_non_null(copy);
    memcpy(copy, text, *len);
    z.next_in = (Bytef *)copy;
    z.avail_in = (uInt)*len;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)bound;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *len = z.total_out;
    (void)deflateEnd(&z);
    free(copy);
    return packed;
}

char *zstandard(const char *text, size_t *len)
{
    const size_t bound = ZSTD_compressBound(*len);
    char *packed = malloc(bound);
    ZSTD_CCtx *z = ZSTD_createCCtx();

    assert_non_null(packed);
    assert_non_null(z);
    (void)ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    const size_t got = ZSTD_compress2(z, packed, bound, text, *len);
    assert_false(ZSTD_isError(got));
    (void)ZSTD_freeCCtx(z);
    *len = got;
    return packed;
}

/* ---------------------------------------------------------------- files -- */

enum { MOST_FILES = 128 };
static char folder[] = "/tmp/intervale-trec-XXXXXX";
static char *made[MOST_FILES];
static size_t made_count;

const char *temporary(const char *name, const char *bytes, size_t len)
{
    if (made_count == 0)
        assert_non_null(mkdtemp(folder));
    const size_t size = sizeof folder + strlen(name) + 1;
    char *path = malloc(size);
    assert_non_null(path);
    (void)snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < made_count; i++) {
        if (strcmp(made[i], path) == 0) { /* written anew */
            free(path);
            return made[i];
        }
    }
    assert_true(made_count < MOST_FILES);
    made[made_count++] = path;
    return path;
}

void remove_temporaries(void)
{
    for (size_t i = 0; i < made_count; i++) {
        (void)unlink(made[i]);
        free(made[i]);
    }
    if (made_count > 0)
        (void)rmdir(folder);
}

/* -------------------------------------------------------------- reading -- */

iv_run *run_of(const char *text)
{
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_run_parse(&run, "run", text, strlen(text), IV_RUN_ANY, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return run;
}

iv_judgments *judgments_of(const char *text, iv_judgments_format format)
{
    iv_judgments *j = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_judgments_parse(&j, "qrels", text, strlen(text), format, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return j;
}

char *run_read(const char *text)
{
    iv_run *run = run_of(text);
    char *written = run_text(run);

    iv_run_free(run);
    return written;
}

char *judgments_read(const char *text, iv_judgments_format format)
{
    iv_judgments *j = judgments_of(text, format);
    char *written = judgments_text(j);

    iv_judgments_free(j);
    return written;
}
