/* SPDX-License-Identifier: Apache-2.0 */
/* Every malformed input gets its one line, from the reader and from check. */
#include "err_text.h"
#include "trec_fixture.h"

#include "malformed.h"
#include "trec/inspection.h"
#include "trec/score_table.h"
#include "base/bytes.h"

static const iv_judgments_format formats[] = {
    [READ_RUN] = IV_JUDGMENTS_ANY, [READ_JUDGMENTS] = IV_JUDGMENTS_ANY,
    [READ_QRELS] = IV_JUDGMENTS_QRELS, [READ_PRELS] = IV_JUDGMENTS_PRELS,
    [READ_STRATIFIED] = IV_JUDGMENTS_STRATIFIED, [READ_BEIR] = IV_JUDGMENTS_BEIR,
    [READ_CSV] = IV_JUDGMENTS_ANY, [READ_MATRIX] = IV_JUDGMENTS_ANY,
};

/* Reads from memory; what is read, if it is, is freed and `out` set. */
static int parse(malformed_reader reader, const char *name, const char *bytes, size_t len,
                 int threads, bool *out, iv_err *err)
{
    iv_run *run = NULL;
    iv_judgments *j = NULL;
    iv_csv *t = NULL;
    iv_score_table *m = NULL;
    int rc;

    if (reader == READ_RUN)
        rc = iv_run_parse(&run, name, bytes, len, IV_RUN_ANY,
                          &(iv_work){ .threads = threads }, err);
    else if (reader == READ_CSV)
        rc = iv_csv_parse(&t, name, bytes, len, err);
    else if (reader == READ_MATRIX)
        rc = iv_score_table_parse(&m, name, bytes, len, NULL, IV_ROWS_SYSTEMS, err);
    else
        rc = iv_judgments_parse(&j, name, bytes, len, formats[reader],
                                &(iv_work){ .threads = threads }, err);
    *out = run != NULL || j != NULL || t != NULL || m != NULL;
    iv_run_free(run);
    iv_judgments_free(j);
    iv_csv_free(t);
    iv_score_table_free(m);
    return rc;
}

static bool same_kind(malformed_reader reader, iv_file_kind kind)
{
    if (reader == READ_RUN)
        return kind == IV_FILE_RUN;
    if (reader == READ_CSV || reader == READ_MATRIX)
        return kind == IV_FILE_TABLE || kind == IV_FILE_MATRIX;
    return kind == IV_FILE_JUDGMENTS;
}

/* Is this very line the first error that the inspection lists? */
static bool is_listed(const iv_inspector *v, const char *name, const char *line)
{
    char text[1024];

    for (size_t i = 0; i < v->problems.count; i++) {
        if (!v->problems.items[i].error)
            continue;
        (void)snprintf(text, sizeof text, "%s:%llu: %s", name,
                       (unsigned long long)v->problems.items[i].line, v->problems.items[i].message);
        return strcmp(text, line) == 0;
    }
    return false;
}

static void check_inspection(const malformed *m, const char *name, const iv_err *err)
{
    iv_inspector *i = NULL;
    iv_bytes bytes = exact_bytes(m->bytes, m->len);

    assert_int_equal(iv_inspect_bytes(&i, &bytes, formats[m->reader], SIZE_MAX, NULL, name, NULL),
                     IV_OK);
    const iv_inspector *v = i;
    const bool listed = same_kind(m->reader, v->kind) && is_listed(v, name, err_text(err));
    if (listed != (m->sight == SEEN))
        fail_msg("%s: the inspection, which says %s, %s: %s", m->name, v->format,
                 listed ? "lists" : "does not list", err_text(err));
    if (v->kind == IV_FILE_UNKNOWN && v->problems.errors == 0)
        fail_msg("%s: the inspection finds nothing wrong", m->name);
    iv_inspector_free(i);
}

static void every_malformed_input_gets_its_one_line(void **state)
{
    (void)state;
    assert_true(malformed_count >= 120);
    for (size_t k = 0; k < malformed_count; k++) {
        const malformed *m = &malformed_inputs[k];
        char begin[64];
        bool out = false;
        const int begun = snprintf(begin, sizeof begin, "some/file:%u: ", m->line);
        for (int threads = 1; threads <= 2; threads++) {
            iv_err err = { IV_OK, "" };
            const int rc = parse(m->reader, "some/file", m->bytes, m->len, threads, &out, &err);
            if (rc != IV_EPARSE || err.code != IV_EPARSE || out
                || strncmp(err_text(&err), begin, (size_t)begun) != 0
                || strstr(err_text(&err), m->part) == NULL || strchr(err_text(&err), '\n') != NULL
                || err_text(&err)[strlen(err_text(&err)) - 1] == '.')
                fail_msg("%s: got %d '%s', expected '%s...%s'", m->name, rc, err_text(&err), begin,
                         m->part);
            check_inspection(m, "some/file", &err);
        }
    }
}

static void names_in_the_table_are_told_apart(void **state)
{
    (void)state;
    for (size_t k = 0; k < malformed_count; k++) {
        for (size_t i = 0; i < k; i++)
            assert_string_not_equal(malformed_inputs[i].name, malformed_inputs[k].name);
    }
}

/* ---------------------------------------------------------- packed files -- */

/* One way to spoil packed bytes; grows or shrinks them. */
typedef struct damage {
    const char *name;
    size_t cut;       /* bytes lost at the end */
    bool flipped;     /* the checksum is wrong */
    const char *more; /* behind the end */
    const char *part;
} damage;

static const damage damages[] = {
    { "last byte lost", 1, false, "", "data end here, cut short" },
    { "checksum lost", 4, false, "", "data end here, cut short" },
    { "half lost", 30, false, "", "data end here, cut short" },
    { "checksum wrong", 0, true, "", "data are damaged here" },
    { "text behind", 0, false, "some text", "data are damaged here" },
};

static void spoil_and_read(const char *text, char *pack(const char *, size_t *),
                           const char *kind, malformed_reader reader, const damage *d)
{
    size_t len = strlen(text);
    char *packed = pack(text, &len);
    char *spoilt = malloc(len + 20);
    iv_err err = { IV_OK, "" };
    iv_inspector *i = NULL;
    char expected[100];
    bool out;

    assert_non_null(spoilt);
    memcpy(spoilt, packed, len);
    /* The checksum is the last thing of zstd, and before the length in gzip. */
    spoilt[strcmp(kind, "gzip") == 0 ? len - 8 : len - 1] ^= (char)d->flipped;
    memcpy(spoilt + len - d->cut, d->more, strlen(d->more));
    len = len - d->cut + strlen(d->more);
    const char *path = temporary(d->name, spoilt, len);
    (void)snprintf(expected, sizeof expected, ": the %s %s; expected a complete file", kind,
                   d->part);
    assert_int_equal(parse(reader, path, spoilt, len, 1, &out, &err), IV_EPARSE);
    assert_false(out);
    assert_memory_equal(err_text(&err), path, strlen(path));
    char *after;
    const unsigned long line = strtoul(err_text(&err) + strlen(path) + 1, &after, 10);
    assert_true(line >= 1 && line <= 4);
    if (d->cut <= 4) /* all of the text was there */
        assert_int_equal(line, 4);
    assert_string_equal(after, expected);
    assert_int_equal(iv_inspect(&i, path, IV_JUDGMENTS_ANY, 9, NULL, NULL), IV_OK);
    assert_int_equal(i->problems.count, 1);
    assert_true(is_listed(i, path, err_text(&err)));
    iv_inspector_free(i);
    free(spoilt);
    free(packed);
}

static void spoilt_packed_files_get_the_one_line_from_every_reader(void **state)
{
    (void)state;
    static const struct { malformed_reader reader; const char *text; } files[] = {
        { READ_RUN, "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n1 Q0 c 3 7 t\n" },
        { READ_JUDGMENTS, "1 0 first 1\n1 0 second 0\n1 0 third 2\n" },
        { READ_CSV, "stratum,N,n,r\none,10,5,2\ntwo,20,6,1\n" },
        { READ_MATRIX, "run,301,302\nA,0.125,0.75\nB,0.5,0.875\n" },
    };

    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
            spoil_and_read(files[f].text, gzipped, "gzip", files[f].reader, &damages[d]);
            spoil_and_read(files[f].text, zstandard, "zstd", files[f].reader, &damages[d]);
        }
    }
}

int malformed_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_malformed_input_gets_its_one_line),
        cmocka_unit_test(names_in_the_table_are_told_apart),
        cmocka_unit_test(spoilt_packed_files_get_the_one_line_from_every_reader),
    };
    return cmocka_run_group_tests_name("malformed input", tests, NULL, NULL);
}
