/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of items, from a table. */

#include "base/arguments.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/trec/runs.h"
#include "trec/class_columns.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"
#include "trec/item_groups.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const iv_labels_options none = { 0 };

/* What is built, and its memory. */
typedef struct built {
    iv_labels labels; /* first: the caller holds its address */
    iv_arena own;
    const char **classes;
    size_t class_count;
    bool below; /* a score is below 0 */
} built;

/* The table of gold, or a file of predictions. */
typedef struct said_file {
    iv_csv *csv;
    const char *path;
    size_t *row;    /* of each item; NULL: as it comes */
    size_t systems; /* columns that are */
    iv_listing left; /* columns that are not, by their names */
} said_file;

typedef struct reader {
    built *to;
    iv_arena own;     /* what is needed while it reads */
    said_file *files; /* gold's first, which has the systems if it is the only one */
    size_t file_count;
    size_t id;        /* columns of the file; IV_NONE: items are known by their rows */
    size_t *column;   /* gold's, then the systems' ... */
    size_t *file;     /* ... and in which file */
    size_t items, systems;
    const char *positive;
    bool named_positive; /* the caller named it: other labels are negative */
    bool bits;        /* labels are 0 and 1, however they are written */
    bool scored;      /* systems' cells are scores, positive from the threshold on */
    double threshold;
    iv_err *err;
} reader;

static bool equals(iv_str s, const char *text)
{
    return iv_str_cmp(s, iv_str_of(text)) == 0;
}

static size_t row_of(const said_file *f, size_t item)
{
    return f->row != NULL ? f->row[item] : item;
}

/* The label of gold (0) or of a system (from 1); empty: missing. */
static iv_str label_of(const reader *r, size_t item, size_t k)
{
    const said_file *f = &r->files[r->file[k]];
    const iv_str label = iv_csv_cell(f->csv, row_of(f, item), r->column[k]);

    return r->bits ? iv_bit_of(label) : label;
}

/* -------------------------------------------------------------- columns -- */

/* Those of one file, behind the ones there are. */
static int add_systems(reader *r, size_t file, const size_t taken[2], const iv_labels_options *o)
{
    said_file *f = &r->files[file];
    size_t *column = r->column + 1 + r->systems;

    IV_TRY(iv_system_columns(column, &f->systems, f->csv, &o->systems, taken, 2, r->err));
    if (file == 0)
        iv_drop_groups(column, &f->systems, f->csv, r->to->labels.groups,
                       r->to->labels.grouping_count);
    if (o->systems.count == 0)
        IV_TRY(iv_drop_gold_names(&f->left, column, &f->systems, f->csv,
                                  iv_csv_column(r->files->csv, r->column[0]), r->err));
    for (size_t k = 0; k < f->systems; k++)
        r->file[1 + r->systems++] = file;
    return f->systems > 0 ? IV_OK
        : iv_csv_refuse(f->csv, IV_NONE, r->err, "no column of a system beside %s",
                        r->file_count > 1 ? "id" : "id and gold");
}

static int find_columns(reader *r, const iv_labels_options *o)
{
    const iv_csv *t = r->files->csv;
    iv_labels *l = &r->to->labels;
    iv_item_groups *groups;
    size_t most = 1;

    IV_TRY(iv_item_groups_read(&groups, &l->grouping_count, t, &o->columns, &r->to->own, r->err));
    l->groups = groups;
    for (size_t f = 0; f < r->file_count; f++)
        most += iv_csv_columns(r->files[f].csv);
    r->column = iv_take(&r->own, most, sizeof *r->column);
    r->file = iv_take(&r->own, most, sizeof *r->file);
    IV_TRY(iv_taken(&r->own, r->err));
    r->id = iv_id_column(t);
    IV_TRY(iv_gold_column(&r->column[0], t, o->gold,
                          r->file_count == 1 ? &o->systems : &none.systems, r->err));
    if (r->file_count == 1)
        return add_systems(r, 0, (size_t[]){ r->id, r->column[0] }, o);
    if (r->file_count > 2 && o->systems.count > 0)
        return iv_fail(r->err, IV_EARG, "columns of systems are named, and there are %zu files of "
                       "predictions, expected one", r->file_count - 1);
    for (size_t f = 1; f < r->file_count; f++) {
        const size_t id = iv_id_column(r->files[f].csv);
        if (r->id == IV_NONE)
            return iv_no_ids(t, r->err);
        if (id == IV_NONE)
            return iv_no_ids(r->files[f].csv, r->err);
        if (iv_csv_columns(t) > 2 + l->grouping_count)
            return iv_csv_refuse(t, IV_NONE, r->err, "columns beside id and gold, which are of "
                                 "predictions, and these have a file of their own");
        IV_TRY(add_systems(r, f, (size_t[]){ id, IV_NONE }, o));
    }
    return IV_OK;
}

/* -------------------------------------------------------------- classes -- */

/* Its number; IV_NONE: it is not there. */
static size_t find_class(const built *b, iv_str name)
{
    for (size_t i = 0; i < b->class_count; i++)
        if (iv_str_eq(name, iv_str_of(b->classes[i])))
            return i;
    return IV_NONE;
}

/* Names between commas, of which none is empty or there already. */
static int list_classes(built *b, const char *names, iv_err *err)
{
    size_t most = 1;

    for (const char *p = names; *p != '\0'; p++)
        most += *p == ',';
    b->classes = iv_take(&b->own, most, sizeof *b->classes);
    for (const char *p = names; b->class_count < most && !b->own.failed; p++) {
        const iv_str name = { p, strcspn(p, ",") };
        if (name.len == 0 || find_class(b, name) != IV_NONE)
            return iv_fail(err, IV_EARG, "classes: a name is empty or occurs twice");
        b->classes[b->class_count++] = iv_arena_copy(&b->own, name);
        p += name.len;
    }
    return iv_taken(&b->own, err);
}

/* Is gold 0 or 1 everywhere? */
static bool are_bits(const reader *r)
{
    bool bits = true;

    for (size_t i = 0; i < r->items && bits; i++) {
        const iv_str label = label_of(r, i, 0);
        bits = equals(label, "0") || equals(label, "1");
    }
    return bits;
}

/* Is it, but for its spelling, a class? */
static bool is_spelled(const built *b, iv_str label)
{
    bool found = false;

    for (size_t k = 0; k < b->class_count; k++)
        found = found || iv_same_name(label, iv_str_of(b->classes[k]));
    return found;
}

/* Classes that only a system uses: those of systems some of whose labels are gold's.  What is
 * spelled otherwise, or of a column that has no label of gold, is refused when it is read. */
static int add_said(reader *r)
{
    built *b = r->to;
    const size_t of_gold = b->class_count;

    for (size_t s = 1; s <= r->systems && !r->scored && !r->named_positive; s++) {
        bool known = false;
        for (size_t i = 0; i < r->items && !known; i++)
            for (size_t k = 0; k < of_gold && !known; k++)
                known = equals(label_of(r, i, s), b->classes[k]);
        for (size_t i = 0; i < r->items && known; i++) {
            const iv_str label = label_of(r, i, s);
            if (!iv_csv_is_missing(label) && !is_spelled(b, label)
                && b->class_count < IV_CLASS_MOST)
                b->classes[b->class_count++] = iv_arena_copy(&b->own, label);
        }
    }
    return iv_taken(&b->own, r->err);
}

/* The labels gold gives, in byte order; "0" and "1" are there together. */
static int found_classes(reader *r)
{
    built *b = r->to;
    char quoted[IV_QUOTE_SIZE];

    b->labels.binary = are_bits(r);
    r->bits = r->bits && b->labels.binary;
    if (b->labels.binary)
        return list_classes(b, "0,1", r->err);
    b->classes = iv_take(&b->own, IV_CLASS_MOST + 1, sizeof *b->classes);
    for (size_t i = 0; i < r->items && !b->own.failed; i++) {
        const iv_str label = label_of(r, i, 0);
        if (iv_csv_is_missing(label))
            return iv_csv_refuse(r->files->csv, i, r->err, "the gold label is missing%s%s%s",
                                 label.len > 0 ? ": " : "",
                                 label.len > 0 ? iv_quote(quoted, label) : "",
                                 label.len > 0 ? "; a class of that name must be listed" : "");
        for (size_t k = 0; k < b->class_count; k++)
            if (iv_same_name(label, iv_str_of(b->classes[k])) && !equals(label, b->classes[k]))
                return iv_csv_refuse(r->files->csv, i, r->err, "the gold label %s, and before "
                                     "'%s'; expected one spelling"
                                     IV_HINT("; --classes lists both if they differ"),
                                     iv_quote(quoted, label), b->classes[k]);
        if (find_class(b, label) == IV_NONE)
            b->classes[b->class_count++] = iv_arena_copy(&b->own, label);
        if (b->class_count > IV_CLASS_MOST) /* to look for each among all would take long */
            return iv_csv_refuse(r->files->csv, i, r->err, "more than %d classes, expected %d at "
                                 "most", IV_CLASS_MOST, IV_CLASS_MOST);
    }
    IV_TRY(iv_taken(&b->own, r->err));
    IV_TRY(add_said(r));
    qsort(b->classes, b->class_count, sizeof *b->classes, iv_by_text);
    return IV_OK;
}

static int find_classes(reader *r, const iv_labels_options *o)
{
    built *b = r->to;
    const iv_csv *t = r->files->csv;
    char quoted[IV_QUOTE_SIZE];

    r->bits = o->classes == NULL && o->positive == NULL;
    r->named_positive = o->positive != NULL;
    IV_TRY(o->classes == NULL ? found_classes(r) : list_classes(b, o->classes, r->err));
    b->labels.binary = b->labels.binary || o->positive != NULL;
    if (r->scored && !b->labels.binary)
        return iv_csv_refuse(t, IV_NONE, r->err, "a threshold of scores, and gold has classes; "
                             "name the positive one");
    r->positive = o->positive != NULL ? o->positive : "1";
    if (b->labels.binary && find_class(b, iv_str_of(r->positive)) == IV_NONE)
        return iv_csv_refuse(t, IV_NONE, r->err, "no gold label is %s, the positive label",
                             iv_quote(quoted, iv_str_of(r->positive)));
    if (!b->labels.binary && b->class_count < 2)
        return iv_csv_refuse(t, IV_NONE, r->err, "gold has one label only, %s; list all classes"
                             IV_HINT(" with --classes"),
                             iv_quote(quoted, iv_str_of(b->classes[0])));
    if (b->class_count > IV_CLASS_MOST)
        return iv_csv_refuse(t, IV_NONE, r->err, "%zu classes, expected %d at most",
                             b->class_count, IV_CLASS_MOST);
    return IV_OK;
}

/* --------------------------------------------------------------- labels -- */

static int read_label(int32_t *out, const reader *r, size_t item, size_t column)
{
    const iv_str label = label_of(r, item, column);
    const said_file *f = &r->files[r->file[column]];
    const bool scored = column > 0 && r->scored;
    char quoted[2][IV_QUOTE_SIZE];
    const size_t k = find_class(r->to, label);
    double score;

    if (scored && iv_scan_real(&score, label)) {
        *out = score >= r->threshold;
        r->to->labels.highest = fmax(r->to->labels.highest, score);
        r->to->below = r->to->below || score < 0.0;
        return IV_OK;
    }
    if (k != IV_NONE && !scored) {
        *out = r->to->labels.binary ? (int32_t)equals(label, r->positive) : (int32_t)k;
        return IV_OK;
    }
    (void)iv_quote(quoted[0], iv_str_of(column == 0 ? "gold"
                                                    : r->to->labels.system_names[column - 1]));
    if (label.len == 0)
        return iv_csv_refuse(f->csv, row_of(f, item), r->err, "the label of %s is missing",
                             quoted[0]);
    if (scored)
        return iv_csv_refuse(f->csv, row_of(f, item), r->err, "the score %s of %s, expected a "
                             "number" IV_HINT("; --system names systems, --columns "
                                          "group=NAME groups"),
                             iv_quote(quoted[1], label), quoted[0]);
    return iv_csv_refuse(f->csv, row_of(f, item), r->err, "unknown label %s of %s: it is "
                         "neither a gold label nor a listed class"
                         IV_HINT(" (--classes lists classes, --threshold X reads scores, "
                                 "--system names systems, --columns group=NAME groups)"),
                         iv_quote(quoted[1], label), quoted[0]);
}

static int read_labels(const reader *r)
{
    const iv_csv *t = r->files->csv;
    const size_t wide = r->systems + 1;
    int32_t *at = iv_take(&r->to->own, r->items * wide, sizeof *at);

    IV_TRY(iv_taken(&r->to->own, r->err));
    for (size_t i = 0; i < r->items; i++) {
        if (r->id != IV_NONE && iv_csv_cell(t, i, r->id).len == 0)
            return iv_csv_refuse(t, i, r->err, "the id is missing");
        for (size_t k = 0; k < wide; k++)
            IV_TRY(read_label(&at[i * wide + k], r, i, k));
    }
    r->to->labels.at = at;
    return IV_OK;
}

/* The name of its column; of one that another file has too, its file, and the column if that has
 * several. */
static const char *name_of(const reader *r, size_t system)
{
    iv_arena *own = &r->to->own;
    const said_file *f = &r->files[r->file[system + 1]];
    const iv_str name = iv_csv_column(f->csv, r->column[system + 1]);
    bool repeated = false;

    for (size_t s = 0; s < r->systems; s++)
        repeated = repeated || (r->file[s + 1] != r->file[system + 1]
                          && iv_str_eq(name, iv_csv_column(r->files[r->file[s + 1]].csv,
                                                           r->column[s + 1])));
    if (!repeated)
        return iv_arena_copy(own, name);
    if (f->systems == 1)
        return iv_arena_copy(own, iv_str_of(f->path));
    const size_t size = strlen(f->path) + name.len + 2;
    char *both = iv_arena_alloc(own, size);
    if (both != NULL)
        (void)snprintf(both, size, "%s:%.*s", f->path, (int)name.len, name.ptr);
    return both;
}

static int name_systems(const reader *r)
{
    const char **names = iv_take(&r->to->own, r->systems, sizeof *names);

    for (size_t s = 0; s < r->systems && !r->to->own.failed; s++)
        names[s] = name_of(r, s);
    IV_TRY(iv_taken(&r->to->own, r->err));
    for (size_t s = 0; s < r->systems; s++)
        for (size_t k = 0; k < s && r->file_count > 2; k++)
            if (strcmp(names[k], names[s]) == 0)
                return iv_fail(r->err, IV_EARG, "predictions '%.200s' are given twice", names[s]);
    r->to->labels.system_names = names;
    return IV_OK;
}

/* What columns were taken for, where only their names told. */
static int add_notes(const reader *r, const iv_labels_options *o)
{
    const char **notes = iv_take(&r->to->own, r->file_count + 1, sizeof *notes);
    char text[IV_GOLD_NOTE];
    size_t count = 0;

    IV_TRY(iv_taken(&r->to->own, r->err));
    for (size_t i = 0; i < r->file_count + 1; i++) {
        if (i == 0)
            (void)iv_gold_note(text, iv_csv_column(r->files->csv, r->column[0]), o->gold);
        else
            (void)iv_left_note(text, &r->files[i - 1].left, r->files[i - 1].path);
        if (*text != '\0')
            notes[count++] = iv_arena_copy(&r->to->own, iv_str_of(text));
    }
    r->to->labels.notes = (iv_texts){ notes, count };
    return iv_taken(&r->to->own, r->err);
}

/* The files' ids say which rows are of one item. */
static int join_files(reader *r)
{
    IV_TRY(iv_ids_once(NULL, r->files->csv, r->id, r->err));
    for (size_t f = 1; f < r->file_count; f++) {
        IV_TRY(iv_join_ids(&r->files[f].row, r->files->csv, r->files[f].csv, r->err));
        (void)iv_own(&r->own, r->files[f].row, free);
    }
    return iv_taken(&r->own, r->err);
}

static int build(reader *r, const iv_labels_options *o)
{
    built *b = r->to;
    iv_labels *l = &b->labels;

    IV_TRY(find_columns(r, o));
    IV_TRY(join_files(r));
    r->scored = o->threshold != NULL;
    if (r->scored && !iv_scan_real(&r->threshold, iv_str_of(o->threshold)))
        return iv_fail(r->err, IV_EARG, "threshold '%.40s', expected a number", o->threshold);
    IV_TRY(name_systems(r));
    IV_TRY(find_classes(r, o));
    IV_TRY(read_labels(r));
    IV_TRY(add_notes(r, o));
    l->items = r->items;
    l->systems = r->systems;
    l->classes = l->binary ? 2 : (int32_t)b->class_count;
    l->class_names = l->binary ? NULL : b->classes;
    if (b->below || !(r->threshold > 0.0 && r->threshold <= 1.0))
        l->highest = 0.0;
    l->bytes = iv_csv_bytes(r->files->csv);
    return IV_OK;
}


static int load_others(reader *r, const iv_texts *paths, const iv_work *work)
{
    for (size_t i = 0; i < paths->count; i++) {
        said_file *f = &r->files[r->file_count++];
        f->path = paths->at[i];
        IV_TRY(iv_csv_load(&f->csv, f->path, work, r->err));
        (void)iv_own(&r->own, f->csv, iv_end_csv);
    }
    return iv_taken(&r->own, r->err);
}

/* Frees the table too. */
static int from_table(iv_labels **out, iv_csv *csv, const char *name,
                      const iv_labels_options *options, const iv_work *work, iv_err *err)
{
    const iv_labels_options *o = options != NULL ? options : &none;
    reader r = { .to = calloc(1, sizeof *r.to), .file_count = 1, .items = iv_csv_rows(csv),
                 .err = err };
    int rc = r.to == NULL ? iv_no_memory(err) : IV_OK;

    r.files = iv_take(&r.own, o->predictions.count + 1, sizeof *r.files);
    if (rc == IV_OK)
        rc = iv_taken(&r.own, err);
    if (rc == IV_OK) {
        r.files[0] = (said_file){ .csv = csv, .path = name };
        rc = load_others(&r, &o->predictions, work);
    }
    if (rc == IV_OK)
        rc = build(&r, o);
    iv_csv_free(csv);
    iv_arena_free(&r.own);
    if (rc == IV_OK)
        *out = &r.to->labels;
    else
        iv_labels_free((iv_labels *)r.to);
    return rc;
}

static int check_options(const iv_labels_options *options, iv_err *err)
{
    return IV_CHECK(options, err, IV_PART_OF(iv_labels_options, systems, TEXTS, "name of a system"),
                    IV_PART_OF(iv_labels_options, columns, TEXTS, "name of a column"),
                    IV_PART_OF(iv_labels_options, predictions, PATHS, "file of predictions"));
}

int iv_labels_load(iv_labels **out, const char *path, const iv_labels_options *options,
                   const iv_work *work, iv_err *err)
{
    iv_csv *csv = NULL;
    int rc = check_options(options, err);

    if (rc == IV_OK)
        rc = iv_csv_load(&csv, path, work, err);
    return rc == IV_OK ? from_table(out, csv, path, options, work, err) : rc;
}

int iv_labels_parse(iv_labels **out, const char *name, const void *text, size_t len,
                    const iv_labels_options *options, iv_err *err)
{
    iv_csv *csv = NULL;
    int rc = check_options(options, err);

    if (rc == IV_OK)
        rc = iv_csv_parse(&csv, name, text, len, err);
    return rc == IV_OK ? from_table(out, csv, name, options, NULL, err) : rc;
}

void iv_labels_free(iv_labels *l)
{
    built *b = (built *)l;

    if (b != NULL)
        iv_arena_free(&b->own);
    free(b);
}
