/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table as an Arrow C data stream of one batch: columns in buffers of their own,
 * without any library of Arrow's.
 */
#include "report/report_private.h"

#include <errno.h>

/* ------------------------------------------------------------- schemas -- */

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release != NULL)
            s->children[i]->release(s->children[i]);
        free(s->children[i]);
    }
    free(s->children);
    free(s->private_data);
    s->release = NULL;
}

/* A schema with room for children; its name is kept.  NULL memory: release is NULL. */
static bool make_schema(struct ArrowSchema *out, const char *format, const char *name,
                        size_t children)
{
    char *copy = malloc(strlen(name) + 1);

    *out = (struct ArrowSchema){ .format = format, .flags = ARROW_FLAG_NULLABLE,
                                 .release = release_schema,
                                 .private_data = copy };
    out->children = children > 0 ? calloc(children, sizeof *out->children) : NULL;
    if (copy == NULL || (children > 0 && out->children == NULL)) {
        release_schema(out);
        return false;
    }
    out->name = strcpy(copy, name);
    return true;
}

static bool schema_of(struct ArrowSchema *out, const iv_column *columns, size_t count)
{
    static const char *const formats[] = { "U", "l", "g" }; /* text, integer, real */

    if (!make_schema(out, "+s", "", count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct ArrowSchema *child = malloc(sizeof *child);
        if (child == NULL || !make_schema(child, formats[columns[i].kind], columns[i].name, 0)) {
            free(child);
            release_schema(out);
            return false;
        }
        out->children[out->n_children++] = child;
    }
    out->flags = 0;
    return true;
}

/* -------------------------------------------------------------- arrays -- */

static void release_array(struct ArrowArray *a)
{
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i]->release != NULL)
            a->children[i]->release(a->children[i]);
        free(a->children[i]);
    }
    free(a->children);
    for (int64_t i = 0; i < a->n_buffers; i++)
        free((void *)(uintptr_t)a->buffers[i]);
    free(a->buffers);
    a->release = NULL;
}

/* An array with room for buffers and children, all of them none yet. */
static bool make_array(struct ArrowArray *out, size_t rows, size_t buffers, size_t children)
{
    *out = (struct ArrowArray){ .length = (int64_t)rows, .n_buffers = (int64_t)buffers,
                                .release = release_array };
    out->buffers = calloc(buffers, sizeof *out->buffers);
    out->children = children > 0 ? calloc(children, sizeof *out->children) : NULL;
    if (out->buffers == NULL)
        out->n_buffers = 0;
    if (out->buffers == NULL || (children > 0 && out->children == NULL)) {
        release_array(out);
        return false;
    }
    return true;
}

/* Which cells are there, as bits; no buffer when all are. */
static bool fill_validity(struct ArrowArray *out, const iv_table *t, size_t column)
{
    const size_t rows = (size_t)out->length;
    uint8_t *bits = calloc(rows / 8 + 1, 1);

    if (bits == NULL)
        return false;
    for (size_t r = 0; r < rows; r++) {
        if (iv_table_cell(t, r, column).missing)
            out->null_count++;
        else
            bits[r / 8] |= (uint8_t)(1u << r % 8);
    }
    if (out->null_count == 0)
        free(bits);
    else
        out->buffers[0] = bits;
    return true;
}

static bool fill_texts(struct ArrowArray *out, const iv_table *t, size_t column)
{
    const size_t rows = (size_t)out->length;
    int64_t *offsets = iv_alloc_filled(rows + 1, sizeof *offsets);
    size_t len = 0;

    out->buffers[1] = offsets;
    if (offsets == NULL)
        return false;
    for (size_t r = 0; r < rows; r++) {
        const iv_cell c = iv_table_cell(t, r, column);
        offsets[r] = (int64_t)len;
        len += c.missing ? 0 : c.text.len;
    }
    offsets[rows] = (int64_t)len;
    char *bytes = malloc(len + 1);
    out->buffers[2] = bytes;
    for (size_t r = 0; bytes != NULL && r < rows; r++) {
        const iv_cell c = iv_table_cell(t, r, column);
        if (!c.missing && c.text.len > 0)
            memcpy(bytes + offsets[r], c.text.ptr, c.text.len);
    }
    return bytes != NULL;
}

static bool fill_numbers(struct ArrowArray *out, const iv_table *t, size_t column, iv_kind kind)
{
    const size_t rows = (size_t)out->length;
    int64_t *numbers = calloc(rows + 1, sizeof *numbers); /* or the bits of doubles */

    out->buffers[1] = numbers;
    for (size_t r = 0; numbers != NULL && r < rows; r++) {
        const iv_cell c = iv_table_cell(t, r, column);
        if (!c.missing)
            memcpy(&numbers[r], kind == IV_INTEGER ? (const void *)&c.integer : &c.real,
                   sizeof *numbers);
    }
    return numbers != NULL;
}

static bool fill_column(struct ArrowArray *out, const iv_table *t, size_t column, iv_kind kind)
{
    return fill_validity(out, t, column)
           && (kind == IV_TEXT ? fill_texts(out, t, column) : fill_numbers(out, t, column, kind));
}

/* -------------------------------------------------------------- stream -- */

/* The batch until somebody takes it, and its columns. */
typedef struct batch {
    struct ArrowArray array;
    iv_arena memory; /* of the columns and their names */
    iv_column *columns;
    size_t count;
} batch;

static int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    const batch *b = s->private_data;

    return schema_of(out, b->columns, b->count) ? 0 : ENOMEM;
}

static int get_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    batch *b = s->private_data;

    *out = b->array; /* moved; afterwards there is none, which ends the stream */
    b->array.release = NULL;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *s)
{
    (void)s;
    return "out of memory";
}

static void free_batch(batch *b)
{
    if (b->array.release != NULL)
        b->array.release(&b->array);
    iv_arena_free(&b->memory);
    free(b);
}

static void release_stream(struct ArrowArrayStream *s)
{
    free_batch(s->private_data);
    s->release = NULL;
}

/* Adds a column of the table to the batch. */
static bool add_column(batch *b, const iv_table *t, size_t at, const iv_column *c)
{
    const char *name = iv_arena_copy(&b->memory, iv_str_of(c->name));
    struct ArrowArray *child = malloc(sizeof *child);

    b->columns[b->count++] = (iv_column){ .name = name, .kind = c->kind };
    if (name == NULL || child == NULL
        || !make_array(child, iv_table_rows(t), c->kind == IV_TEXT ? 3 : 2, 0)) {
        free(child);
        return false;
    }
    b->array.children[b->array.n_children++] = child;
    return fill_column(child, t, at, c->kind);
}

int iv_table_arrow(struct ArrowArrayStream *out, const iv_table *table, iv_err *err)
{
    const iv_column *columns = NULL;
    const size_t count = iv_table_columns(&columns, table);
    batch *b = calloc(1, sizeof *b);
    bool made = b != NULL
        && (b->columns = iv_take(&b->memory, count + 1, sizeof *b->columns)) != NULL
        && make_array(&b->array, iv_table_rows(table), 1, count + 1);

    for (size_t i = 0; made && i < count; i++)
        if (columns[i].audience != IV_FOR_PEOPLE)
            made = add_column(b, table, i, &columns[i]);
    if (!made) {
        if (b != NULL)
            free_batch(b);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    *out = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release_stream, b };
    return IV_OK;
}
