/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table as an Arrow C data stream of one batch: columns in buffers of their own,
 * without any library of Arrow's.  Each schema and each array has an arena with all that it
 * points to, so that it may be taken from its parent.
 */
#include "base/err.h"
#include "base/memory.h"
#include "intervale/report.h"
#include "result/result_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- schemas -- */

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++)
        if (s->children[i]->release != NULL)
            s->children[i]->release(s->children[i]);
    iv_arena_free(s->private_data);
    free(s->private_data);
    s->release = NULL;
}

/* A schema whose children are to be made; its name is kept.  False: memory is out, and there is
 * nothing to release. */
static bool make_schema(struct ArrowSchema *out, const char *format, const char *name,
                        size_t children)
{
    iv_arena *own = calloc(1, sizeof *own);

    out->release = NULL;
    if (own == NULL)
        return false;
    *out = (struct ArrowSchema){
        .format = format, .name = iv_arena_copy(own, iv_str_of(name)),
        .flags = children > 0 ? 0 : ARROW_FLAG_NULLABLE,
        .children = iv_take(own, children + 1, sizeof *out->children),
        .release = release_schema, .private_data = own };
    for (size_t i = 0; out->children != NULL && i < children; i++)
        out->children[i] = iv_take(own, 1, sizeof **out->children);
    if (own->failed)
        release_schema(out);
    else
        out->n_children = (int64_t)children;
    return out->release != NULL;
}

static bool copy_schema(struct ArrowSchema *out, const struct ArrowSchema *from)
{
    if (!make_schema(out, from->format, from->name, (size_t)from->n_children))
        return false;
    for (int64_t i = 0; i < from->n_children; i++)
        if (!copy_schema(out->children[i], from->children[i])) {
            release_schema(out);
            return false;
        }
    return true;
}

/* -------------------------------------------------------------- arrays -- */

static void release_array(struct ArrowArray *a)
{
    for (int64_t i = 0; i < a->n_children; i++)
        if (a->children[i]->release != NULL)
            a->children[i]->release(a->children[i]);
    iv_arena_free(a->private_data);
    free(a->private_data);
    a->release = NULL;
}

/* An array with room for buffers and children, all of them none yet; as of make_schema(). */
static bool make_array(struct ArrowArray *out, size_t rows, size_t buffers, size_t children)
{
    iv_arena *own = calloc(1, sizeof *own);

    out->release = NULL;
    if (own == NULL)
        return false;
    *out = (struct ArrowArray){
        .length = (int64_t)rows, .n_buffers = (int64_t)buffers,
        .buffers = iv_take(own, buffers, sizeof *out->buffers),
        .children = iv_take(own, children + 1, sizeof *out->children),
        .release = release_array, .private_data = own };
    for (size_t i = 0; out->children != NULL && i < children; i++)
        out->children[i] = iv_take(own, 1, sizeof **out->children);
    if (own->failed)
        release_array(out);
    else
        out->n_children = (int64_t)children;
    return out->release != NULL;
}

/* Which cells are there, as bits, unless all are; numbers, or where texts end, and the texts. */
static bool fill_column(struct ArrowArray *out, const iv_table *t, size_t column)
{
    const iv_kind kind = t->columns[column].kind;
    const size_t rows = (size_t)out->length;
    uint8_t *bits = iv_take(out->private_data, rows / 8 + 1, 1);
    int64_t *numbers = iv_take(out->private_data, rows + 1, sizeof *numbers); /* or doubles' bits */
    size_t len = 0;

    out->buffers[1] = numbers;
    for (size_t r = 0; bits != NULL && numbers != NULL && r < rows; r++) {
        const iv_cell c = iv_table_cell(t, r, column);
        if (c.missing)
            out->null_count++;
        else
            bits[r / 8] |= (uint8_t)(1u << r % 8);
        if (kind == IV_TEXT)
            numbers[r + 1] = (int64_t)(len += c.missing ? 0 : c.text.len);
        else if (!c.missing)
            memcpy(&numbers[r], kind == IV_INTEGER ? (const void *)&c.integer : &c.real,
                   sizeof *numbers);
    }
    if (out->null_count > 0)
        out->buffers[0] = bits;
    char *bytes = iv_take(out->private_data, len + 1, 1);
    if (kind == IV_TEXT)
        out->buffers[2] = bytes;
    for (size_t r = 0; bytes != NULL && len > 0 && r < rows; r++) {
        const iv_cell c = iv_table_cell(t, r, column);
        if (!c.missing && c.text.len > 0)
            memcpy(bytes + numbers[r], c.text.ptr, c.text.len);
    }
    return !((const iv_arena *)out->private_data)->failed;
}

/* -------------------------------------------------------------- stream -- */

/* The batch until somebody takes it, and its schema. */
typedef struct batch {
    struct ArrowSchema schema;
    struct ArrowArray array;
} batch;

static int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    return copy_schema(out, &((const batch *)s->private_data)->schema) ? 0 : ENOMEM;
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

static void release_stream(struct ArrowArrayStream *s)
{
    batch *b = s->private_data;

    if (b->array.release != NULL)
        b->array.release(&b->array);
    if (b->schema.release != NULL)
        b->schema.release(&b->schema);
    free(b);
    s->release = NULL;
}

int iv_table_arrow(struct ArrowArrayStream *out, const iv_table *table, iv_err *err)
{
    static const char *const formats[] = { "U", "l", "g" }; /* text, integer, real */
    const size_t rows = iv_table_rows(table);
    batch *b = calloc(1, sizeof *b);
    struct ArrowArrayStream s = { get_schema, get_next, get_last_error, release_stream, b };
    size_t count = 0, k = 0;

    if (b == NULL)
        return iv_no_memory(err);
    for (size_t c = 0; c < table->column_count; c++)
        count += table->columns[c].audience != IV_FOR_PEOPLE;
    bool made = make_schema(&b->schema, "+s", "", count) && make_array(&b->array, rows, 1, count);
    for (size_t c = 0; made && c < table->column_count; c++) {
        const iv_column *is = &table->columns[c];
        if (is->audience == IV_FOR_PEOPLE)
            continue;
        made = make_schema(b->schema.children[k], formats[is->kind], is->name, 0)
            && make_array(b->array.children[k], rows, is->kind == IV_TEXT ? 3 : 2, 0)
            && fill_column(b->array.children[k], table, c);
        k++;
    }
    if (!made) {
        release_stream(&s);
        return iv_no_memory(err);
    }
    *out = s;
    return IV_OK;
}
