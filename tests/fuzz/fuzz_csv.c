/* SPDX-License-Identifier: Apache-2.0 */
/* A table that is read, written with every cell quoted and read again is itself. */
#include "fuzz.h"
#include "trec/csv.h"
#include "trec/inspection.h"
#include "base/bytes.h"

static void put_quoted(FILE *out, iv_str s)
{
    (void)putc('"', out);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            (void)putc('"', out);
        (void)putc(s.ptr[i], out);
    }
    (void)putc('"', out);
}

static iv_str cell_of(const iv_csv *t, size_t row, size_t column)
{
    return row == 0 ? iv_csv_column(t, column) : iv_csv_cell(t, row - 1, column);
}

static char *written(const iv_csv *t, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);

    PROMISE(out != NULL);
    for (size_t r = 0; r <= iv_csv_rows(t); r++) {
        for (size_t c = 0; c < iv_csv_columns(t); c++) {
            if (c > 0)
                (void)putc(',', out);
            put_quoted(out, cell_of(t, r, c));
        }
        (void)putc('\n', out);
    }
    (void)fclose(out);
    return text;
}

static void read_again(const iv_csv *t)
{
    size_t size = 0;
    char *text = written(t, &size);
    iv_csv *again = NULL;

    /* A header of tabs alone in one column would be taken for separators. */
    if (iv_csv_columns(t) > 1) {
        PROMISE(iv_csv_parse(&again, "g", text, size, NULL) == IV_OK);
        PROMISE(iv_csv_columns(again) == iv_csv_columns(t));
        PROMISE(iv_csv_rows(again) == iv_csv_rows(t));
        for (size_t r = 0; r <= iv_csv_rows(t); r++) {
            for (size_t c = 0; c < iv_csv_columns(t); c++)
                PROMISE(fuzz_same(cell_of(t, r, c), cell_of(again, r, c)));
        }
    }
    iv_csv_free(again);
    free(text);
}

static void sound(const iv_csv *t)
{
    PROMISE(iv_csv_columns(t) > 0 && iv_csv_rows(t) > 0);
    for (size_t c = 0; c < iv_csv_columns(t); c++)
        PROMISE(iv_csv_find(t, iv_csv_column(t, c)) == c);
    for (size_t r = 0; r < iv_csv_rows(t); r++)
        PROMISE(iv_csv_line(t, r) > (r == 0 ? 0 : iv_csv_line(t, r - 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    iv_bytes bytes;
    iv_csv *t = NULL;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    if (!fuzz_bytes(&bytes, &in))
        return 0;
    const int rc = iv_csv_parse(&t, "f", in.text, in.len, &err);
    PROMISE(rc == IV_OK || rc == IV_EPARSE);
    PROMISE((rc == IV_OK) == (t != NULL));
    if (t != NULL) {
        sound(t);
        read_again(t);
    }
    iv_csv_free(t);
    PROMISE(iv_inspect_bytes(&i, &bytes, IV_JUDGMENTS_ANY, SIZE_MAX, NULL, "f", NULL) == IV_OK);
    const iv_file_kind kind = i->kind;
    if (kind == IV_FILE_TABLE || kind == IV_FILE_MATRIX)
        fuzz_agree(i, rc, &err);
    iv_inspector_free(i);
    return 0;
}
