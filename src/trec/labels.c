/* SPDX-License-Identifier: Apache-2.0 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/ids.h"
#include "base/memory.h"
#include "intervale/trec.h"
#include "trec/class_list.h"
#include "trec/csv.h"
#include "trec/gold.h"
#include "trec/trec_private.h"

/* Its number; IV_NONE: it is not there. */
static size_t iv_class_find(const iv_class_list *all, iv_str name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (iv_str_eq(name, iv_str_of(all->names[i])))
            return i;
    }
    return IV_NONE;
}

static int iv_class_add(iv_class_list *all, iv_str name, iv_arena *texts, iv_err *err)
{
    const char **grown = iv_grow(all->names, &all->capacity, all->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    all->names = grown;
    grown[all->count] = iv_arena_copy(texts, name);
    return grown[all->count] != NULL ? (all->count++, IV_OK)
                                     : iv_fail(err, IV_ENOMEM, "out of memory");
}

/* Names between commas, of which none is empty or there already. */
static int iv_class_read(iv_class_list *all, const char *names, iv_arena *texts, iv_err *err)
{
    for (const char *p = names;; p++) {
        const iv_str name = { p, strcspn(p, ",") };
        if (name.len == 0 || iv_class_find(all, name) != IV_NONE)
            return iv_fail(err, IV_EARG, "classes: a name is empty or occurs twice");
        const int rc = iv_class_add(all, name, texts, err);
        p += name.len;
        if (rc < 0 || *p == '\0')
            return rc;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In byte order. */
static void iv_class_sort(iv_class_list *all)
{
    if (all->count > 1)
        qsort(all->names, all->count, sizeof *all->names, by_name);
}

/* ---------------------------------------------------------------- labels -- */

/* Labels of items, from a table or from arrays. */

enum { MOST_CLASSES = 1000 };

static const iv_labels_options none = { 0 };

/* What is built, and the memory of its texts. */
typedef struct built {
    iv_labels labels; /* first: the caller holds its address */
    iv_arena texts;
    int32_t *at;
    const char **systems, **notes;
    bool below; /* a score is below 0 */
    iv_class_list classes;
} built;

/* A file of predictions. */
typedef struct said_file {
    iv_csv *csv;
    const char *path;
    size_t *row;    /* of each item */
    size_t systems; /* columns that are */
    iv_listing left; /* columns that are not, by their names */
} said_file;

/* Cells with columns gold, systems; from a file, or from arrays. */
typedef struct reader {
    built *to;
    const char *path; /* NULL: from arrays */
    const iv_csv *csv;
    said_file *others; /* with the predictions; none: they are in csv */
    size_t other_count;
    size_t id;        /* columns of the file; IV_NONE: items are known by their rows */
    size_t *column;   /* gold's, then the systems' ... */
    size_t *file;     /* ... and in which of the others */
    iv_listing left;  /* as of the others */
    const char *const *gold;
    const iv_said *said;
    size_t items, systems;
    const char *positive;
    bool bits;        /* labels are 0 and 1, however they are written */
    bool scored;      /* systems' cells are scores, positive from the threshold on */
    double threshold;
    iv_err *err;
} reader;

static int no_memory(const reader *r)
{
    return iv_fail(r->err, IV_ENOMEM, "out of memory");
}

static bool is(iv_str s, const char *text)
{
    return iv_str_cmp(s, iv_str_of(text)) == 0;
}

/* The label of gold (0) or of a system (from 1); empty: missing. */
static iv_str said_of(const reader *r, size_t item, size_t k)
{
    if (r->other_count > 0 && k > 0) {
        const said_file *f = &r->others[r->file[k]];
        return iv_csv_cell(f->csv, f->row[item], r->column[k]);
    }
    if (r->csv != NULL)
        return iv_csv_cell(r->csv, item, r->column[k]);
    const char *text = k == 0 ? r->gold[item] : r->said[k - 1].labels[item];
    return iv_str_of(text != NULL ? text : "");
}

static iv_str label_of(const reader *r, size_t item, size_t k)
{
    const iv_str label = said_of(r, item, k);

    return r->bits ? iv_bit_of(label) : label;
}

static int refuse(const reader *r, size_t item, const char *what)
{
    if (r->csv == NULL)
        return iv_fail(r->err, IV_EARG, "item %zu: %s", item + 1, what);
    return iv_fail_at(r->err, IV_EPARSE, r->path, iv_csv_line(r->csv, item), "%s", what);
}

/* Of the whole, where it begins. */
static int refuse_all(const reader *r, const char *what)
{
    if (r->csv == NULL)
        return iv_fail(r->err, IV_EARG, "%s", what);
    return iv_fail_at(r->err, IV_EPARSE, r->path, 1, "%s", what);
}

/* -------------------------------------------------------------- columns -- */

/* Those of one table, behind the ones there are: of files of predictions, of `file`. */
static int add_systems(reader *r, const iv_csv *t, const char *path, const size_t taken[2],
                       size_t file, iv_listing *left, const iv_labels_options *o)
{
    const size_t room = r->systems + iv_csv_columns(t) + 1, before = r->systems;
    size_t *column = realloc(r->column, room * sizeof *column), count = 0;

    if (column == NULL)
        return no_memory(r);
    r->column = column;
    size_t *files = realloc(r->file, room * sizeof *files);
    if (files == NULL)
        return no_memory(r);
    r->file = files;
    IV_TRY(iv_system_columns(r->column + 1 + before, &count, t, &o->systems, taken, 2, path,
                             r->err));
    if (o->systems.count == 0)
        IV_TRY(iv_drop_gold_names(left, r->column + 1 + before, &count, t,
                                  iv_csv_column(r->csv, r->column[0]), path, r->err));
    for (size_t k = 0; k < count; k++)
        r->file[1 + before + k] = file;
    r->systems += count;
    return count > 0 ? IV_OK : iv_fail_at(r->err, IV_EPARSE, path, 1,
                                          "no column of a system beside "
                                          "%s", r->other_count > 0 ? "id" : "id and gold");
}

static int find_columns(reader *r, const iv_labels_options *o)
{
    r->id = iv_id_column(r->csv);
    r->column = calloc(1, sizeof *r->column);
    if (r->column == NULL)
        return no_memory(r);
    IV_TRY(iv_gold_column(&r->column[0], r->csv, o->gold,
                          r->other_count == 0 ? &o->systems : &none.systems, r->path, r->err));
    if (r->other_count == 0)
        return add_systems(r, r->csv, r->path, (size_t[]){ r->id, r->column[0] }, 0, &r->left, o);
    if (r->other_count > 1 && o->systems.count > 0)
        return iv_fail(r->err, IV_EARG, "columns of systems are named, and there are %zu files of "
                       "predictions, expected one", r->other_count);
    for (size_t f = 0; f < r->other_count; f++) {
        said_file *other = &r->others[f];
        const size_t before = r->systems, id = iv_id_column(other->csv);
        if (r->id == IV_NONE)
            return iv_no_ids(r->csv, r->err);
        if (id == IV_NONE)
            return iv_no_ids(other->csv, r->err);
        if (iv_csv_columns(r->csv) > 2)
            return refuse_all(r, "columns beside id and gold, which are of predictions, and these "
                              "have a file of their own");
        IV_TRY(add_systems(r, other->csv, other->path, (size_t[]){ id, IV_NONE }, f, &other->left,
                           o));
        other->systems = r->systems - before;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- classes -- */

/* Is gold 0 or 1 everywhere? */
static bool are_bits(const reader *r)
{
    bool bits = true;

    for (size_t i = 0; i < r->items && bits; i++) {
        const iv_str label = label_of(r, i, 0);
        bits = is(label, "0") || is(label, "1");
    }
    return bits;
}

/* The labels gold gives, in byte order; "0" and "1" are there together. */
static int found_classes(reader *r)
{
    built *b = r->to;
    char quoted[IV_QUOTE_SIZE], what[IV_QUOTE_SIZE + 96];
    int rc = IV_OK;

    b->labels.binary = are_bits(r);
    r->bits = r->bits && b->labels.binary;
    if (b->labels.binary)
        return iv_class_read(&b->classes, "0,1", &b->texts, r->err);
    for (size_t i = 0; i < r->items && rc == IV_OK; i++) {
        const iv_str label = label_of(r, i, 0);
        if (iv_csv_is_missing(label)) {
            (void)snprintf(what, sizeof what, "the gold label is missing%s%s%s",
                           label.len > 0 ? ": " : "", label.len > 0 ? iv_quote(quoted, label) : "",
                           label.len > 0 ? "; a class of that name must be listed" : "");
            return refuse(r, i, what);
        }
        if (iv_class_find(&b->classes, label) == IV_NONE)
            rc = iv_class_add(&b->classes, label, &b->texts, r->err);
        if (b->classes.count > MOST_CLASSES) { /* to look for each among all would take long */
            (void)snprintf(what, sizeof what, "more than %d classes, expected %d at most",
                           MOST_CLASSES, MOST_CLASSES);
            return refuse(r, i, what);
        }
    }
    if (rc == IV_OK)
        iv_class_sort(&b->classes);
    return rc;
}

static int find_classes(reader *r, const iv_labels_options *o)
{
    built *b = r->to;
    char quoted[IV_QUOTE_SIZE], what[IV_QUOTE_SIZE + 96];

    r->bits = o->classes == NULL && o->positive == NULL;
    IV_TRY(o->classes == NULL ? found_classes(r)
           : iv_class_read(&b->classes, o->classes, &b->texts, r->err));
    b->labels.binary = b->labels.binary || o->positive != NULL;
    if (r->scored && !b->labels.binary)
        return refuse_all(r, "a threshold of scores, and gold has classes; name the positive one");
    r->positive = o->positive != NULL ? o->positive : "1";
    if (b->labels.binary && iv_class_find(&b->classes, iv_str_of(r->positive)) == IV_NONE) {
        (void)snprintf(what, sizeof what, "no gold label is %s, which should be positive",
                       iv_quote(quoted, iv_str_of(r->positive)));
        return refuse_all(r, what);
    }
    if (!b->labels.binary && b->classes.count < 2) {
        (void)snprintf(what, sizeof what, "gold has one label only, %s; list all classes"
                       IV_HINT(" with --classes"),
                       iv_quote(quoted, iv_str_of(b->classes.names[0])));
        return refuse_all(r, what);
    }
    if (b->classes.count > MOST_CLASSES) {
        (void)snprintf(what, sizeof what, "%zu classes, expected %d at most", b->classes.count,
                       MOST_CLASSES);
        return refuse_all(r, what);
    }
    return IV_OK;
}

/* --------------------------------------------------------------- labels -- */

static int read_label(int32_t *out, const reader *r, size_t item, size_t column)
{
    const iv_str label = label_of(r, item, column);
    char what[3 * IV_QUOTE_SIZE], quoted[2][IV_QUOTE_SIZE];
    const size_t k = iv_class_find(&r->to->classes, label);
    double score;

    if (column > 0 && r->scored && iv_scan_real(&score, label)) {
        *out = score >= r->threshold;
        r->to->labels.highest = fmax(r->to->labels.highest, score);
        r->to->below = r->to->below || score < 0.0;
        return IV_OK;
    }
    if (k != IV_NONE && (column == 0 || !r->scored)) {
        *out = r->to->labels.binary ? (int32_t)is(label, r->positive) : (int32_t)k;
        return IV_OK;
    }
    (void)iv_quote(quoted[0], iv_str_of(column == 0 ? "gold" : r->to->systems[column - 1]));
    if (label.len == 0)
        (void)snprintf(what, sizeof what, "the label of %s is missing", quoted[0]);
    else if (column > 0 && r->scored)
        (void)snprintf(what, sizeof what, "the score %s of %s, expected a number"
                       IV_HINT("; --system names the columns of systems"),
                       iv_quote(quoted[1], label), quoted[0]);
    else
        (void)snprintf(what, sizeof what, "unknown label %s of %s: it is neither a gold label "
                       "nor a listed class" IV_HINT(" (--classes lists classes, "
                                                          "--threshold X reads scores, --system "
                                                          "names the columns of systems)"),
                       iv_quote(quoted[1], label), quoted[0]);
    if (column > 0 && r->other_count > 0) {
        const said_file *f = &r->others[r->file[column]];
        return iv_fail_at(r->err, IV_EPARSE, f->path, iv_csv_line(f->csv, f->row[item]), "%s",
                          what);
    }
    return refuse(r, item, what);
}

static int read_labels(const reader *r)
{
    built *b = r->to;
    const size_t wide = r->systems + 1;
    int rc = IV_OK;

    b->at = calloc(r->items * wide, sizeof *b->at);
    if (b->at == NULL)
        return no_memory(r);
    for (size_t i = 0; i < r->items && rc == IV_OK; i++) {
        if (r->csv != NULL && r->id != IV_NONE && iv_csv_cell(r->csv, i, r->id).len == 0)
            return refuse(r, i, "the id is missing");
        for (size_t k = 0; k < wide && rc == IV_OK; k++)
            rc = read_label(&b->at[i * wide + k], r, i, k);
    }
    return rc;
}

/* The name of its column; of one that another file has too, its file, and the column if that has
 * several. */
static const char *name_of(const reader *r, size_t system)
{
    built *b = r->to;

    if (r->csv == NULL)
        return iv_arena_copy(&b->texts, iv_str_of(r->said[system].name));
    if (r->other_count == 0)
        return iv_arena_copy(&b->texts, iv_csv_column(r->csv, r->column[system + 1]));
    const said_file *own = &r->others[r->file[system + 1]];
    const iv_str name = iv_csv_column(own->csv, r->column[system + 1]);
    bool again = false;
    for (size_t s = 0; s < r->systems; s++)
        again = again || (r->file[s + 1] != r->file[system + 1]
                          && iv_str_eq(name, iv_csv_column(r->others[r->file[s + 1]].csv,
                                                           r->column[s + 1])));
    if (!again)
        return iv_arena_copy(&b->texts, name);
    if (own->systems == 1)
        return iv_arena_copy(&b->texts, iv_str_of(own->path));
    const size_t size = strlen(own->path) + name.len + 2;
    char *both = iv_arena_alloc(&b->texts, size);
    if (both != NULL)
        (void)snprintf(both, size, "%s:%.*s", own->path, (int)name.len, name.ptr);
    return both;
}

static int name_systems(const reader *r)
{
    built *b = r->to;

    b->systems = calloc(r->systems, sizeof *b->systems);
    if (b->systems == NULL)
        return no_memory(r);
    for (size_t s = 0; s < r->systems; s++) {
        b->systems[s] = name_of(r, s);
        if (b->systems[s] == NULL)
            return no_memory(r);
        for (size_t k = 0; k < s && r->other_count > 1; k++)
            if (strcmp(b->systems[k], b->systems[s]) == 0)
                return iv_fail(r->err, IV_EARG, "predictions '%.200s' are given twice",
                               b->systems[s]);
    }
    return IV_OK;
}

/* What columns were taken for, where only their names told. */
static int add_notes(const reader *r, const iv_labels_options *o)
{
    built *b = r->to;
    iv_texts *notes = &b->labels.notes;
    char text[IV_GOLD_NOTE];

    b->notes = calloc(r->other_count + 2, sizeof *b->notes);
    if (b->notes == NULL)
        return no_memory(r);
    notes->at = b->notes;
    for (size_t i = 0; r->csv != NULL && i < r->other_count + 2; i++) {
        iv_listing left = i == 1 ? r->left : i > 1 ? r->others[i - 2].left : (iv_listing){ 0 };
        if (i == 0)
            (void)iv_gold_note(text, iv_csv_column(r->csv, r->column[0]), o->gold);
        else
            (void)iv_left_note(text, &left, i == 1 ? r->path : r->others[i - 2].path);
        if (*text == '\0')
            continue;
        b->notes[notes->count] = iv_arena_copy(&b->texts, iv_str_of(text));
        if (b->notes[notes->count++] == NULL)
            return no_memory(r);
    }
    return IV_OK;
}

/* All that is the same from a file and from arrays. */
static int build(iv_labels **out, reader *r, const iv_labels_options *options)
{
    built *b = calloc(1, sizeof *b);
    int rc = b != NULL ? IV_OK : no_memory(r);

    r->to = b;
    r->scored = options != NULL && options->threshold != NULL;
    if (rc == IV_OK && r->scored && !iv_scan_real(&r->threshold, iv_str_of(options->threshold)))
        rc = iv_fail(r->err, IV_EARG, "threshold '%.40s', expected a number", options->threshold);
    if (rc == IV_OK)
        rc = name_systems(r);
    if (rc == IV_OK)
        rc = find_classes(r, options != NULL ? options : &none);
    if (rc == IV_OK)
        rc = read_labels(r);
    if (rc == IV_OK)
        rc = add_notes(r, options != NULL ? options : &none);
    if (rc < 0) {
        iv_labels_free((iv_labels *)b);
        return rc;
    }
    iv_labels *l = &b->labels;
    l->items = r->items;
    l->systems = r->systems;
    l->classes = l->binary ? 2 : (int32_t)b->classes.count;
    l->at = b->at;
    l->system_names = b->systems;
    l->class_names = l->binary ? NULL : b->classes.names;
    if (b->below || !(r->threshold > 0.0 && r->threshold <= 1.0))
        l->highest = 0.0;
    l->bytes = r->csv != NULL ? iv_csv_bytes(r->csv) : 0;
    *out = l;
    return IV_OK;
}

static int load_others(reader *r, const iv_texts *paths, const iv_work *work)
{
    r->others = calloc(paths->count + 1, sizeof *r->others);
    if (r->others == NULL)
        return no_memory(r);
    for (size_t i = 0; i < paths->count; i++, r->other_count++) {
        r->others[i].path = paths->at[i];
        IV_TRY(iv_csv_load(&r->others[i].csv, paths->at[i], work, r->err));
    }
    return IV_OK;
}

/* Frees the table too. */
static int from_table(iv_labels **out, iv_csv *csv, const char *name,
                      const iv_labels_options *options, const iv_work *work, iv_err *err)
{
    const iv_labels_options *o = options != NULL ? options : &none;
    reader r = { .path = name, .csv = csv, .items = iv_csv_rows(csv), .err = err };
    int rc = load_others(&r, &o->predictions, work);

    if (rc == IV_OK)
        rc = find_columns(&r, o);
    if (rc == IV_OK)
        rc = iv_ids_once(NULL, r.csv, r.id, r.path, r.err);
    for (size_t f = 0; f < r.other_count && rc == IV_OK; f++)
        rc = iv_join_ids(&r.others[f].row, csv, name, r.others[f].csv, r.others[f].path, err);
    if (rc == IV_OK)
        rc = build(out, &r, options);
    free(r.column);
    free(r.file);
    for (size_t f = 0; f < r.other_count; f++) {
        free(r.others[f].row);
        iv_csv_free(r.others[f].csv);
    }
    free(r.others);
    iv_csv_free(csv);
    return rc;
}

static int check_options(const iv_labels_options *options, iv_err *err)
{
    return IV_CHECK(options, err, IV_PART_OF(iv_labels_options, systems, TEXTS, "name of a system"),
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

int iv_labels_build(iv_labels **out, const char *const *gold, const iv_said *systems,
                    size_t system_count, size_t items, const iv_labels_options *options,
                    iv_err *err)
{
    IV_TRY(iv_check_list(gold, items, "label", err));
    IV_TRY(iv_check_list(systems, system_count, "system", err));
    for (size_t s = 0; s < system_count; s++) {
        IV_TRY(iv_check_given(systems[s].name, "the name of a system", err));
        IV_TRY(iv_check_list(systems[s].labels, items, "label", err));
    }
    reader r = { .gold = gold, .said = systems, .systems = system_count, .items = items,
                 .err = err };

    if (items == 0 || system_count == 0)
        return iv_fail(err, IV_ENODATA, "no items or no systems");
    return build(out, &r, options);
}

void iv_labels_free(iv_labels *l)
{
    built *b = (built *)l;

    if (b == NULL)
        return;
    iv_arena_free(&b->texts);
    free(b->at);
    free(b->systems);
    free(b->classes.names);
    free(b->notes);
    free(b);
}
