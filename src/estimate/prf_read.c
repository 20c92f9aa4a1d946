/* SPDX-License-Identifier: Apache-2.0 */
/* Systems from counts, in words or as numbers, and from labels. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "estimate/prf_making.h"

int iv_prf_add_note(iv_prf_making *k, const char *text, iv_err *err)
{
    iv_texts *notes = &k->out.notes;
    const char **grown = iv_grow(k->notes, &k->note_room, notes->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(err);
    notes->at = k->notes = grown;
    grown[notes->count] = iv_prf_keep(k, iv_str_of(text));
    return grown[notes->count] != NULL ? (notes->count++, IV_OK) : iv_no_memory(err);
}

int iv_prf_add_input(iv_prf_making *k, const char *path, uint64_t bytes, iv_err *err)
{
    iv_input *grown = iv_grow(k->inputs, &k->input_room, k->out.input_count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(err);
    k->out.inputs = k->inputs = grown;
    grown[k->out.input_count] = (iv_input){ iv_prf_keep(k, iv_str_of(path)), bytes };
    return grown[k->out.input_count].path != NULL ? (k->out.input_count++, IV_OK)
                                                  : iv_no_memory(err);
}

/* The system of that name, which may be new; NULL when memory is out. */
static iv_prf_system *system_of(iv_prf_making *k, const char *name)
{
    const size_t n = k->out.system_count;
    const uint32_t there = iv_ids_find(&k->names, iv_str_of(name));

    if (there != IV_NO_ID)
        return &k->systems[there];
    iv_prf_system *grown = iv_grow(k->systems, &k->system_room, n + 1, sizeof *grown);
    if (grown == NULL)
        return NULL;
    k->out.systems = k->systems = grown;
    grown[n] = (iv_prf_system){ .name = iv_prf_keep(k, iv_str_of(name)) };
    return grown[n].name != NULL && iv_ids_add(&k->names, iv_str_of(grown[n].name)) != IV_NO_ID
        ? &grown[k->out.system_count++] : NULL;
}

int iv_prf_add(iv_prf_making *k, const char *system, const char *category,
               const iv_prf_counts *counts, iv_err *err)
{
    char quoted[2][IV_QUOTE_SIZE];
    iv_prf_system *s = system_of(k, system);

    if (s == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < s->count; i++) {
        const char *there = s->categories[i].name;
        if (there == NULL || category == NULL)
            return iv_fail(err, IV_EARG, "the system %s is there twice",
                           iv_quote(quoted[0], iv_str_of(system)));
        if (strcmp(there, category) == 0)
            return iv_fail(err, IV_EARG, "the category %s of system %s is there twice",
                           iv_quote(quoted[0], iv_str_of(category)),
                           iv_quote(quoted[1], iv_str_of(system)));
    }
    iv_prf_category *grown = realloc(s->categories, (s->count + 1) * sizeof *grown);
    if (grown == NULL)
        return iv_no_memory(err);
    s->categories = grown;
    grown[s->count] = (iv_prf_category){ NULL, *counts };
    if (category != NULL)
        grown[s->count].name = iv_prf_keep(k, iv_str_of(category));
    if (category != NULL && grown[s->count].name == NULL)
        return iv_no_memory(err);
    s->count++;
    return IV_OK;
}

/* ----------------------------------------------------------------- words -- */

/* "TP,FP,FN[,TN]"; `given` names the field in errors. */
static int scan_counts(iv_prf_counts *out, iv_str text, const char *given, iv_err *err)
{
    int64_t value[4] = { 0, 0, 0, -1 };
    char why[IV_QUOTE_SIZE + 128], quoted[IV_QUOTE_SIZE];
    size_t count = 0, at = 0;

    for (;; count++) {
        const char *comma = memchr(text.ptr + at, ',', text.len - at);
        const size_t end = comma != NULL ? (size_t)(comma - text.ptr) : text.len;
        if (count == 4)
            return iv_fail(err, IV_EARG, "%s: %s has more than four counts", given,
                           iv_quote(quoted, text));
        if (!iv_prf_scan_count(&value[count], (iv_str){ text.ptr + at, end - at }, count, why,
                               sizeof why))
            return iv_fail(err, IV_EARG, "%s: %s", given, why);
        if (end == text.len)
            break;
        at = end + 1;
    }
    if (count < 2)
        return iv_fail(err, IV_EARG, "%s: %s is not TP,FP,FN or TP,FP,FN,TN", given,
                       iv_quote(quoted, text));
    *out = (iv_prf_counts){ value[0], value[1], value[2], value[3] };
    return IV_OK;
}

/* "[NAME=]TP,FP,FN[,TN]", or a file if it does not look like counts. */
static int read_word(iv_prf_making *k, const iv_texts *all, size_t i, const iv_work *work,
                     iv_err *err)
{
    const char *text = all->at[i], *equals = strchr(text, '=');
    const char *numbers = equals != NULL ? equals + 1 : text;
    char number[32] = "system";
    iv_prf_counts counts;
    iv_err twice = { .code = IV_OK };

    if (strchr(numbers, ',') == NULL && strspn(numbers, "0123456789.+-eE") != strlen(numbers))
        return iv_prf_read_file(k, text, work, err);
    IV_TRY(scan_counts(&counts, iv_str_of(numbers), "counts", err));
    if (equals == text)
        return iv_fail(err, IV_EARG, "counts: no name before '='");
    if (all->count > 1)
        (void)snprintf(number, sizeof number, "system%zu", i + 1);
    const char *name = equals == NULL ? number
                                      : iv_prf_keep(k, (iv_str){ text, (size_t)(equals - text) });
    if (name == NULL)
        return iv_no_memory(err);
    int rc = iv_prf_add(k, name, NULL, &counts, &twice);
    return rc == IV_OK ? IV_OK : iv_fail(err, rc, "counts: %s", twice.msg);
}

/* Earlier counts, for the system they name or for all. */
static int read_earlier(iv_prf_making *k, const char *text, iv_err *err)
{
    const char *equals = strchr(text, '=');
    const iv_str name = { text, equals != NULL ? (size_t)(equals - text) : 0 };
    char quoted[IV_QUOTE_SIZE];
    iv_prf_counts counts;
    bool used = false;
    IV_TRY(scan_counts(&counts, iv_str_of(equals != NULL ? equals + 1 : text),
                       "prior counts", err));
    for (size_t s = 0; s < k->out.system_count; s++) {
        const iv_prf_system *system = &k->systems[s];
        if (equals != NULL && iv_str_cmp(iv_str_of(system->name), name) != 0)
            continue;
        if (system->count > 1)
            return iv_fail(err, IV_EARG, "prior counts are for systems without categories");
        if (system->categories[0].counts.tn >= 0 && counts.tn < 0)
            return iv_fail(err, IV_EARG, "prior counts: no TN, which the counts have");
        if (k->earlier[s].tp >= 0)
            return iv_fail(err, IV_EARG, "prior counts: %s has them twice",
                           iv_quote(quoted, iv_str_of(system->name)));
        k->earlier[s] = counts;
        used = true;
    }
    if (!used)
        return iv_fail(err, IV_EARG, "prior counts: there is no system %s",
                       iv_quote(quoted, name));
    return IV_OK;
}

static int all_earlier(iv_prf_making *k, const iv_texts *words, iv_err *err)
{
    int rc = IV_OK;

    if (words->count == 0)
        return IV_OK;
    k->out.earlier = true;
    k->earlier = calloc(k->out.system_count, sizeof *k->earlier);
    if (k->earlier == NULL)
        return iv_no_memory(err);
    for (size_t s = 0; s < k->out.system_count; s++)
        k->earlier[s].tp = -1;
    for (size_t i = 0; i < words->count && rc == IV_OK; i++)
        rc = read_earlier(k, words->at[i], err);
    return rc;
}

/* Without TN for all, metrics that need it are for none: nothing half. */
static int agree_on_tn(iv_prf_making *k, iv_err *err)
{
    size_t known = 0, all = 0;
    char note[120];

    for (size_t s = 0; s < k->out.system_count; s++) {
        for (size_t c = 0; c < k->systems[s].count; c++, all++)
            known += k->systems[s].categories[c].counts.tn >= 0;
    }
    if (known == 0 || known == all)
        return IV_OK;
    (void)snprintf(note, sizeof note, "TN is known for %zu of %zu; metrics that need it are "
                   "left out", known, all);
    for (size_t s = 0; s < k->out.system_count; s++) {
        for (size_t c = 0; c < k->systems[s].count; c++)
            k->systems[s].categories[c].counts.tn = -1;
    }
    return iv_prf_add_note(k, note, err);
}

/* ---------------------------------------------------------------- labels -- */

static int count_labels(iv_prf_making *k, const iv_labels *l, iv_err *err)
{
    const size_t cells = (size_t)l->classes * (size_t)l->classes;
    int64_t *all = calloc(l->systems * cells, sizeof *all);
    int rc = all != NULL ? IV_OK : iv_no_memory(err);

    k->items = (iv_prf_items){ l->items, l->systems, l->classes, l->at };
    k->out.multiclass = !l->binary;
    for (size_t s = 0; s < l->systems && rc == IV_OK; s++) {
        int64_t *matrix = all + s * cells;
        iv_prf_confusion(matrix, &k->items, s);
        for (int32_t c = l->binary ? 1 : 0; c < l->classes && rc == IV_OK; c++) {
            const iv_prf_counts counts = iv_prf_one_against_rest(matrix, l->classes, c);
            rc = iv_prf_add(k, l->system_names[s], l->binary ? NULL : l->class_names[c],
                            &counts, err);
        }
    }
    k->confusion = all;
    k->out.confusion = l->binary ? NULL : all;
    return rc;
}

static int read_labels(iv_prf_making *k, const iv_prf_input *in, const iv_work *work,
                       iv_err *err)
{
    int rc = IV_OK;

    if (in->labels != NULL) {
        rc = iv_labels_load(&k->owned, in->labels, &in->labels_as, work, err);
        if (rc == IV_OK)
            rc = iv_prf_add_input(k, in->labels, k->owned->bytes, err);
    }
    const iv_labels *l = in->labels != NULL ? k->owned : in->labelled;
    for (size_t i = 0; rc == IV_OK && i < l->notes.count; i++)
        rc = iv_prf_add_note(k, l->notes.at[i], err);
    return rc == IV_OK ? count_labels(k, l, err) : rc;
}

int iv_prf_read(iv_prf_making *k, const iv_prf_input *in, const iv_work *work, iv_err *err)
{
    int rc = IV_OK;

    for (size_t i = 0; i < in->entry_count && rc == IV_OK; i++)
        rc = in->entries[i].system == NULL
            ? iv_fail(err, IV_EARG, "entry %zu of the counts has no system", i + 1)
            : iv_prf_add(k, in->entries[i].system, in->entries[i].category,
                         &in->entries[i].counts, err);
    for (size_t i = 0; i < in->counts.count && rc == IV_OK; i++)
        rc = read_word(k, &in->counts, i, work, err);
    for (size_t i = 0; i < in->files.count && rc == IV_OK; i++)
        rc = iv_prf_read_file(k, in->files.at[i], work, err);
    if (rc == IV_OK && (in->labels != NULL || in->labelled != NULL))
        rc = read_labels(k, in, work, err);
    if (rc == IV_OK)
        rc = agree_on_tn(k, err);
    return rc == IV_OK ? all_earlier(k, &in->prior_counts, err) : rc;
}
