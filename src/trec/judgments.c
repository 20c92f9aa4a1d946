/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of judgments, in each of their formats. */

#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "trec/chunks.h"
#include "trec/docset.h"
#include "trec/duplicates.h"
#include "trec/fields.h"
#include "trec/judgments.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/text.h"

#include <stdlib.h>
#include <string.h>

enum { NO_FIELD = -1, MOST_FIELDS = 5 };
#define GRADES "a whole number between -1000000 and 1000000"

/* How many fields, and which is which. */
typedef struct shape {
    iv_judgments_format format;
    size_t fields;
    int docno, grade, stratum, method, pi;
    const char *expected;
    const char *header; /* where that of a BEIR file begins; NULL: none */
} shape;

static const shape shapes[] = {
    { IV_JUDGMENTS_QRELS, 4, 2, 3, NO_FIELD, NO_FIELD, NO_FIELD,
      "4: topic iter docno grade" },
    { IV_JUDGMENTS_PRELS, 5, 1, 2, NO_FIELD, 3, 4,
      "5: topic docno grade method pi" },
    { IV_JUDGMENTS_STRATIFIED, 5, 2, 4, 3, NO_FIELD, NO_FIELD,
      "5: topic iter docno stratum grade" },
    { IV_JUDGMENTS_BEIR, 3, 1, 2, NO_FIELD, NO_FIELD, NO_FIELD,
      "3: query-id corpus-id score" },
    { IV_JUDGMENTS_GROUPS, 4, 2, 3, NO_FIELD, NO_FIELD, NO_FIELD,
      "4: topic group docno grade"
      IV_HINT("; --judgments-format prefs reads preferences") },
    { IV_JUDGMENTS_PREFS, 5, 3, NO_FIELD, NO_FIELD, NO_FIELD, 4,
      "5: topic group subgroup docno level" },
    { IV_JUDGMENTS_NUGGETS, 5, 3, 4, NO_FIELD, 2, NO_FIELD,
      "5: topic nugget importance answer support" },
};

static const shape *shape_of(iv_judgments_format format)
{
    return &shapes[format - IV_JUDGMENTS_QRELS];
}

/* Refuses a field; c NULL: nobody asks why. */
static bool refuse(iv_chunk *c, iv_str field, const char *name, const char *expected)
{
    char quoted[IV_QUOTE_SIZE];

    if (c != NULL)
        iv_complain(&c->problems, c->lines, IV_ERROR, "%s %s, expected %s", name,
                    iv_quote(quoted, field), expected);
    return false;
}

/* Which of the words the field is; -1: none. */
static int word_of(iv_str field, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (iv_str_eq(field, iv_str_of(words[i])))
            return i;
    return -1;
}

static bool read_nugget(iv_judgment *out, const iv_str *fields, const shape *how, iv_chunk *c)
{
    static const char *const importance[] = { "okay", "vital", NULL };
    static const char *const support[] = { "not_support", "none", "partial_support", "partial",
                                           "support", "full", NULL };
    const int vital = word_of(fields[how->method], importance);
    const int given = word_of(fields[how->grade], support);

    if (vital < 0)
        return refuse(c, fields[how->method], "importance", "vital or okay");
    if (given < 0)
        return refuse(c, fields[how->grade], "support", "support (or full), partial_support (or "
                      "partial) or not_support (or none)");
    *out = (iv_judgment){ fields[how->docno], vital == 1 ? 1.0 : 0.5, given / 2, -1 };
    return true;
}

/* Lines of the formats in which a document may stand in several groups. */
static bool read_by_groups(iv_judgment *out, const iv_str *fields, const shape *how, iv_chunk *c)
{
    int64_t grade = -1;
    double level = 0.0;

    if (how->format == IV_JUDGMENTS_NUGGETS)
        return read_nugget(out, fields, how, c);
    if (how->format == IV_JUDGMENTS_PREFS && !iv_scan_real(&level, fields[how->pi]))
        return refuse(c, fields[how->pi], "level", "a finite number");
    if (how->format == IV_JUDGMENTS_GROUPS) {
        if (!iv_scan_int(&grade, fields[how->grade], IV_GRADE_MIN, IV_GRADE_MAX))
            return refuse(c, fields[how->grade], "grade", GRADES);
        level = (double)grade;
    }
    *out = (iv_judgment){ fields[how->docno], level, grade < 0 ? -1 : (int32_t)grade, -1 };
    return true;
}

/* Reads the fields of a line, as many as the shape has. */
static bool read_fields(iv_judgment *out, const iv_str *fields, const shape *how, iv_chunk *c)
{
    int64_t grade = 0, stratum = -1, method = 0;
    double pi = 1.0;

    if (how->format >= IV_JUDGMENTS_GROUPS)
        return read_by_groups(out, fields, how, c);
    if (!iv_scan_int(&grade, fields[how->grade], IV_GRADE_MIN, IV_GRADE_MAX))
        return refuse(c, fields[how->grade], "grade", GRADES);
    if (how->stratum != NO_FIELD
        && !iv_scan_int(&stratum, fields[how->stratum], 0, INT32_MAX))
        return refuse(c, fields[how->stratum], "stratum", "a whole number from 0");
    if (how->method != NO_FIELD
        && !iv_scan_int(&method, fields[how->method], INT32_MIN, INT32_MAX))
        return refuse(c, fields[how->method], "method", "a whole number");
    if (how->pi != NO_FIELD
        && !(iv_scan_real(&pi, fields[how->pi]) && pi > 0.0 && pi <= 1.0))
        return refuse(c, fields[how->pi], "inclusion probability", "0 < pi <= 1");
    if (pi < IV_PI_MIN)
        return refuse(c, fields[how->pi], "inclusion probability",
                      "1e-100 or more: it weighs 1/pi");
    *out = (iv_judgment){ fields[how->docno], pi, (int32_t)grade, (int32_t)stratum };
    return true;
}

bool iv_is_beir_header(const iv_str *fields, size_t count)
{
    return count == 3 && iv_str_eq(fields[0], iv_str_of("query-id"))
        && iv_str_eq(fields[1], iv_str_of("corpus-id"))
        && iv_str_eq(fields[2], iv_str_of("score"));
}

/* Splits a line that is not like the one before it; false: it has no judgment. */
static bool split(iv_str *fields, iv_likeness *repeated, iv_chunk *c, const char **p,
                  const shape *how)
{
    const char *const line = *p;
    const bool comment = *line == '#';
    const size_t count = iv_split_line(fields, MOST_FIELDS, p, c->end);

    repeated->behind.len = 0;
    if (comment || count == 0) {
        c->comment_lines += comment;
        c->empty_lines += !comment;
        return false;
    }
    if (fields[0].ptr == how->header)
        return false;
    if (count != how->fields) {
        iv_complain(&c->problems, c->lines, IV_ERROR, "%zu field%s, expected %s",
                   count, count == 1 ? "" : "s", how->expected);
        return false;
    }
    *repeated = iv_likeness_of(line, fields, (size_t)how->docno, count - 1, *p);
    return true;
}

static void parse(iv_chunk *c, const void *vshape)
{
    const shape *how = vshape;
    const char *p = c->begin;
    iv_str fields[MOST_FIELDS] = { { NULL, 0 } };
    iv_likeness repeated = { .blank = ' ' }; /* of the last line ... */
    bool added = false;                   /* ... of which there is a record */

    const bool nuls = iv_text_has_nul(c->begin, c->end);
    while (p < c->end && !c->problems.no_memory) {
        iv_judgment read;
        c->lines++;
        if (nuls && iv_line_refuse_nul(&p, c->end, c->lines, &c->problems))
            continue;
        const bool alike = iv_split_alike(fields, (size_t)how->docno, how->fields - 1, &repeated,
                                          &p, c->end);
        const bool goes_on = alike && added;
        added = false;
        if (!alike && !split(fields, &repeated, c, &p, how))
            continue;
        if (!read_fields(&read, fields, how, c) || iv_refuse_long_id(c, fields[0], read.docno))
            continue;
        iv_judgment *record = iv_chunk_add(c, fields[0],
                                           !goes_on && !iv_chunk_goes_on(c, fields[0]));
        if (record == NULL)
            return;
        added = true;
        *record = read;
    }
}

/*
 * How well a shape reads the lines of five fields: +1 for a line that it reads,
 * -2 for one whose docno stood in the topic shortly before.  A document stands
 * once in a topic, so a column that repeats itself holds no docnos: it is the
 * grade of prels, or the iteration of strata.
 */
typedef struct reading {
    const shape *shape;
    int64_t score;
    uint64_t lines;
    iv_str topic, recent[8]; /* the last docnos of the topic, in a ring */
    size_t held;
} reading;

static void try_line(reading *r, const iv_str *fields)
{
    enum { RING = sizeof r->recent / sizeof *r->recent };
    const iv_str docno = fields[r->shape->docno];
    iv_judgment unused;
    bool again = false;

    if (r->lines++ == 0 || !iv_str_eq(fields[0], r->topic)) {
        r->topic = fields[0];
        r->held = 0;
    }
    for (size_t k = 0; k < RING && k < r->held && !again; k++)
        again = iv_str_eq(r->recent[k], docno);
    r->recent[r->held++ % RING] = docno;
    r->score += read_fields(&unused, fields, r->shape, NULL);
    r->score -= again ? 2 : 0;
}

/* Which of the two formats with five fields? */
static iv_judgments_format tell_five(iv_str text, const iv_str *first, uint64_t line,
                                     iv_problems *problems)
{
    reading prels = { .shape = shape_of(IV_JUDGMENTS_PRELS) };
    reading strata = { .shape = shape_of(IV_JUDGMENTS_STRATIFIED) };
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;
    int64_t grade;

    while (p < end) {
        iv_str fields[MOST_FIELDS];
        const bool comment = *p == '#';
        if (iv_split_line(fields, MOST_FIELDS, &p, end) != 5 || comment)
            continue;
        try_line(&prels, fields);
        try_line(&strata, fields);
    }
    if (prels.score != strata.score)
        return prels.score > strata.score ? IV_JUDGMENTS_PRELS : IV_JUDGMENTS_STRATIFIED;
    if (prels.score <= 0) /* neither reads a line: name the flaw of the likelier one */
        return iv_scan_int(&grade, first[2], IV_GRADE_MIN, IV_GRADE_MAX)
            ? IV_JUDGMENTS_PRELS : IV_JUDGMENTS_STRATIFIED;
    iv_complain(problems, line, IV_ERROR,
               "these lines could be prels (topic docno grade method pi) or stratified "
               "(topic iter docno stratum grade), expected one"
               IV_HINT(": say which with --judgments-format"));
    return IV_JUDGMENTS_ANY;
}

/*
 * The format the text is in, by its first line and, for the two formats of
 * five fields, by all of them; IV_JUDGMENTS_ANY, with an error told, when it
 * is none or could be two.
 */
static iv_judgments_format judgments_format_detected(iv_str text, iv_problems *problems)
{
    iv_str fields[MOST_FIELDS];
    uint64_t line;
    const size_t count = iv_first_fields(fields, MOST_FIELDS, text, true, &line);

    if (count == 4)
        return IV_JUDGMENTS_QRELS;
    if (count == 5)
        return tell_five(text, fields, line, problems);
    if (iv_is_beir_header(fields, count))
        return IV_JUDGMENTS_BEIR;
    if (iv_text_refuse_nul(text, problems))
        return IV_JUDGMENTS_ANY; /* it is no text, whatever its fields are */
    if (count == 6) {
        iv_complain(problems, line, IV_ERROR, "this looks like a run, not judgments: did you swap "
                    "them? Judgments come before runs");
        return IV_JUDGMENTS_ANY;
    }
    iv_complain(problems, count == 0 ? 1 : line, IV_ERROR,
               "%zu field%s, expected judgments: 4 (topic iter docno grade), 5 (topic "
               "docno grade method pi; or topic iter docno stratum grade) or the header "
               "'query-id corpus-id score'%s", count, count == 1 ? "" : "s",
               count > 0 ? iv_text_instead(fields[0]) : "");
    return IV_JUDGMENTS_ANY;
}

void iv_judgments_group(iv_grouped *out, iv_str text, iv_judgments_format format,
                        const iv_work *work, size_t chunk_bytes, iv_problems *problems)
{
    iv_str fields[MOST_FIELDS];
    uint64_t line;
    shape told = *shape_of(format);

    if (format == IV_JUDGMENTS_BEIR
        && iv_is_beir_header(fields, iv_first_fields(fields, MOST_FIELDS, text, true, &line)))
        told.header = fields[0].ptr;
    iv_group_records(out, text, sizeof(iv_judgment), parse, &told, work, chunk_bytes,
                     problems);
}

/* ------------------------------------------------------ judgments groups -- */

/*
 * Judgments by groups: several judges, or subtopics.  The names of the groups are
 * not kept with the records: they stand before the docno in the text.
 */

/* A record with the names that stand before its docno. */
typedef struct named {
    iv_judgment record;
    iv_str group, subgroup;
} named;

static int by_group(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int groups = iv_str_cmp(x->group, y->group);
    const int subgroups = iv_str_cmp(x->subgroup, y->subgroup);
    const char *const p = x->record.docno.ptr, *const q = y->record.docno.ptr;

    return groups != 0 ? groups : subgroups != 0 ? subgroups : (p > q) - (p < q);
}

static int by_docno(const void *a, const void *b)
{
    const iv_judgment *x = &((const named *)a)->record, *y = &((const named *)b)->record;
    const int docnos = iv_str_cmp(x->docno, y->docno);

    if (docnos != 0)
        return docnos;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    if (x->pi != y->pi || x->grade != y->grade) /* subgroups are numbered downwards */
        return x->grade != y->grade ? (x->grade < y->grade) - (x->grade > y->grade)
                                    : (x->pi > y->pi) - (x->pi < y->pi);
    return (x->docno.ptr > y->docno.ptr) - (x->docno.ptr < y->docno.ptr);
}

static void number(named *all, size_t n, bool subgroups)
{
    int32_t group = -1, subgroup = -1;

    qsort(all, n, sizeof *all, by_group);
    for (size_t i = 0; i < n; i++) {
        const bool fresh = i == 0 || !iv_str_eq(all[i].group, all[i - 1].group);
        group += fresh;
        subgroup += fresh || !iv_str_eq(all[i].subgroup, all[i - 1].subgroup);
        all[i].record.stratum = group;
        if (subgroups)
            all[i].record.grade = -1 - subgroup;
    }
    qsort(all, n, sizeof *all, by_docno);
}

/* A document twice in a group, or in a subgroup where there are some. */
static bool repeats(const named *a, const named *b, bool subgroups)
{
    return iv_str_eq(a->record.docno, b->record.docno)
        && a->record.stratum == b->record.stratum
        && (!subgroups || a->record.grade == b->record.grade);
}

/* A nugget is vital or okay, whatever the answer. */
static void check_nuggets(const iv_judgments *j, named *all, size_t n, iv_problems *problems)
{
    char name[IV_QUOTE_SIZE];

    qsort(all, n, sizeof *all, by_group);
    for (size_t i = 1; i < n; i++)
        if (all[i].record.stratum == all[i - 1].record.stratum
            && all[i].record.pi != all[i - 1].record.pi)
            iv_complain(problems, iv_line_of(j->text, all[i].record.docno.ptr), IV_ERROR,
                        "nugget %s is both vital and okay, expected one",
                        iv_quote(name, all[i].group));
}

/*
 * Numbers groups and subgroups of each topic and sorts its records by docno, group
 * and subgroup; tells of what stands there twice.  Returns how many lines do.
 */
static uint64_t judgments_number(iv_judgments *j, iv_problems *problems)
{
    const bool subgroups = j->format == IV_JUDGMENTS_PREFS;
    const bool five = subgroups || j->format == IV_JUDGMENTS_NUGGETS;
    uint64_t again = 0;

    for (size_t t = 0; t < j->grouped.topic_count; t++) {
        const iv_topic_records *topic = &j->grouped.topics[t];
        iv_judgment *records = topic->records;
        named *all = malloc((topic->count + 1) * sizeof *all);
        if (all == NULL) {
            problems->no_memory = true;
            break;
        }
        for (size_t i = 0; i < topic->count; i++) {
            const iv_str before = iv_field_before(records[i].docno.ptr);
            all[i] = (named){ records[i], five ? iv_field_before(before.ptr) : before,
                              subgroups ? before : (iv_str){ "", 0 } };
        }
        number(all, topic->count, subgroups);
        for (size_t i = 0; i < topic->count; i++) {
            char docno[IV_QUOTE_SIZE], name[IV_QUOTE_SIZE], id[IV_QUOTE_SIZE];
            records[i] = all[i].record;
            if (i == 0 || !repeats(&all[i - 1], &all[i], subgroups))
                continue;
            again++;
            const char *later = all[i].record.docno.ptr > all[i - 1].record.docno.ptr
                ? all[i].record.docno.ptr : all[i - 1].record.docno.ptr;
            iv_complain(problems, iv_line_of(j->text, later), IV_ERROR,
                        "document %s is repeated in group %s of topic %s; expected one line per "
                        "document",
                        iv_quote(docno, all[i].record.docno),
                        iv_quote(name, subgroups ? all[i].subgroup : all[i].group),
                        iv_quote(id, topic->id));
        }
        if (five && !subgroups)
            check_nuggets(j, all, topic->count, problems);
        free(all);
    }
    return again;
}

/* ------------------------------------------------------------- judgments -- */

IV_NAMES(iv_unjudged_names, "refuse", "nonrelevant", "drop")
IV_NAMES(iv_judgments_format_names, "any", "qrels", "prels", "stratified", "beir", "groups",
         "prefs",
         "nuggets", "qrels_jg", "qrels_prefs")

/* ----------------------------------------------------------- looking up -- */

static iv_str name_of(const void *record)
{
    return ((const iv_judgment *)record)->docno;
}

/* Puts a topic's documents into its slots; false if one stands there twice. */
static bool index_topic(iv_judgments *j, size_t topic)
{
    const iv_topic_records *t = &j->grouped.topics[topic];
    const iv_judgment *items = t->records;
    iv_slot *slots = j->slots + j->first_slot[topic];
    const size_t mask = iv_docset_slots(t->count) - 1;
    bool unique = true;

    memset(slots, 0, (mask + 1) * sizeof *slots);
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t hash = (uint32_t)iv_hash(items[i].docno);
        size_t s = hash & mask;
        for (; slots[s].index != 0; s = (s + 1) & mask) {
            if (slots[s].hash == hash
                && iv_str_eq(items[slots[s].index - 1].docno, items[i].docno)) {
                unique = false;
                break;
            }
        }
        if (slots[s].index == 0)
            slots[s] = (iv_slot){ hash, (uint32_t)i + 1 };
    }
    return unique;
}

static int index_item(void *user, void *memory, size_t topic, iv_err *err)
{
    iv_judgments *j = user;

    (void)memory, (void)err;
    if (!index_topic(j, topic))
        j->repeats = true;
    return IV_OK;
}

/* True if every document stands once in its topic. */
static bool index_all(iv_judgments *j, const iv_work *work, iv_problems *problems)
{
    const size_t topics = j->grouped.topic_count;
    size_t total = 0;

    free(j->slots);
    free(j->first_slot);
    j->slots = NULL;
    j->first_slot = malloc((topics + 1) * sizeof *j->first_slot);
    if (j->first_slot == NULL) {
        problems->no_memory = true;
        return true;
    }
    for (size_t t = 0; t < topics; t++) {
        j->first_slot[t] = total;
        total += iv_docset_slots(j->grouped.topics[t].count);
    }
    j->slots = iv_alloc_filled(total, sizeof *j->slots);
    if (j->slots == NULL) {
        problems->no_memory = true;
        return true;
    }
    j->repeats = false;
    const iv_loop loop = { .count = topics, .item = index_item, .user = j };
    iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    return !j->repeats;
}

iv_docset iv_judgments_docset(const iv_judgments *j, size_t topic)
{
    const iv_topic_records *t = &j->grouped.topics[topic];

    return (iv_docset){ t->records, j->slots + j->first_slot[topic],
                        iv_docset_slots(t->count) - 1 };
}

const iv_judgment *iv_judgments_find(const iv_judgments *j, size_t topic, iv_str docno)
{
    const iv_docset set = iv_judgments_docset(j, topic);
    const uint32_t hash = (uint32_t)iv_hash(docno);

    return iv_docset_find_from(&set, docno, hash, hash & set.mask);
}

/* ------------------------------------------------------------ reading -- */

/* Judged for certain: "topic docno grade 0 1". */
static bool is_certain(const iv_judgment *x)
{
    const char *p = x->docno.ptr + x->docno.len;

    for (int field = 0; field < 2; field++) { /* the grade, then the method */
        p += strspn(p, " \t");
        if (field == 0)
            p += strcspn(p, " \t\r\n");
    }
    return x->pi == 1.0 && x->grade >= 0 && p[0] == '0' && (p[1] == ' ' || p[1] == '\t');
}

/* A sampled document may have a second line that says that it was also judged for certain, in
 * a pool for instance: that line counts.  Returns how many were found. */
static size_t merge_topic(iv_topic_records *topic, iv_named *order)
{
    iv_judgment *x = topic->records;
    size_t found = 0, kept = 0;

    for (size_t i = 0; i < topic->count; i++)
        order[i] = (iv_named){ x[i].docno, i };
    qsort(order, topic->count, sizeof *order, iv_by_name);
    for (size_t i = 1; i < topic->count; i++) {
        iv_judgment *a = &x[order[i - 1].at], *b = &x[order[i].at];
        if (!iv_str_eq(a->docno, b->docno) || is_certain(a) == is_certain(b)
            || (a->grade >= 0 && b->grade >= 0 && a->grade != b->grade))
            continue;
        if (is_certain(b))
            *a = *b;
        b->docno.ptr = NULL;
        found++;
        i++;
    }
    for (size_t i = 0; i < topic->count; i++)
        if (x[i].docno.ptr != NULL)
            x[kept++] = x[i];
    topic->count = kept;
    return found;
}

static size_t merge_certain(iv_judgments *j, iv_problems *problems)
{
    size_t longest = 0, found = 0;

    for (size_t t = 0; t < j->grouped.topic_count; t++)
        longest = j->grouped.topics[t].count > longest ? j->grouped.topics[t].count : longest;
    iv_named *order = malloc((longest + 1) * sizeof *order);
    if (order == NULL) {
        problems->no_memory = true;
        return 0;
    }
    for (size_t t = 0; t < j->grouped.topic_count; t++)
        found += merge_topic(&j->grouped.topics[t], order);
    free(order);
    j->grouped.records -= found;
    return found;
}

uint64_t iv_judgments_settle(iv_judgments *j, bool collect, const iv_work *work,
                             iv_problems *problems)
{
    const bool index = !collect && problems->errors == 0;
    iv_work room;

    if (problems->no_memory)
        return 0;
    if (j->format >= IV_JUDGMENTS_GROUPS) { /* a document may stand in a topic several times */
        const uint64_t repeats = judgments_number(j, problems);
        if (index && !problems->no_memory)
            (void)index_all(j, work, problems);
        return repeats;
    }
    bool once = index && index_all(j, iv_work_for(&room, work, j->text.len), problems);
    if (!once && j->rows == 0 && j->format == IV_JUDGMENTS_PRELS && merge_certain(j, problems) > 0
        && index)
        once = index_all(j, &room, problems);
    if (!once)
        return iv_find_duplicates(&j->grouped, sizeof(iv_judgment), j->text, name_of,
                                  j->format == IV_JUDGMENTS_QRELS && j->rows == 0, work, problems);
    return 0;
}

uint64_t iv_judgments_read(iv_judgments *j, iv_judgments_format format, bool collect,
                           const iv_work *work, size_t chunk_bytes, iv_problems *problems)
{
    iv_stage parsed, settled;

    j->text = iv_text_of(&j->bytes);
    if (!iv_text_usable(j->text, problems))
        return 0;
    j->format = format != IV_JUDGMENTS_ANY
        ? format : judgments_format_detected(j->text, problems);
    if (j->format == IV_JUDGMENTS_ANY)
        return 0;
    if (j->format == IV_JUDGMENTS_QRELS_JG || j->format == IV_JUDGMENTS_QRELS_PREFS)
        j->format = IV_JUDGMENTS_GROUPS;
    iv_judgments_group(&j->grouped, j->text, j->format,
                       iv_work_part(&parsed, work, 0.0, 0.7), chunk_bytes, problems);
    if (!problems->no_memory && j->grouped.records == 0 && problems->errors == 0)
        iv_complain(problems, j->grouped.lines + (j->grouped.lines == 0), IV_ERROR,
                   "the file ends without a judgment, expected at least one");
    return iv_judgments_settle(j, collect, iv_work_part(&settled, work, 0.7, 1.0), problems);
}

void iv_judgments_forget(iv_judgments *j)
{
    iv_grouped_free(&j->grouped);
    free(j->slots);
    free(j->first_slot);
    j->slots = NULL;
    j->first_slot = NULL;
    j->format = IV_JUDGMENTS_ANY;
}

/* Takes over the bytes, also when it fails. */
static int judgments_from(iv_judgments **out, iv_bytes *bytes, const char *name,
                          iv_judgments_format format, const iv_work *work, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_judgments *j = calloc(1, sizeof *j);

    if (j == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    j->bytes = *bytes;
    (void)iv_judgments_read(j, format, false, work, 0, &problems);
    const int rc = iv_problems_verdict(&problems, name, err);
    if (rc < 0)
        iv_judgments_free(j);
    else
        *out = j;
    return rc;
}

/* Are these lines judgments, as far as they can be read by themselves?  Of comments alone, and of
 * five fields that could be either, what follows says it. */
static bool are_sound(const iv_bytes *first, const void *format)
{
    iv_problems problems = { .most = 1 };
    iv_judgments j = { .bytes = *first };
    iv_str field;
    uint64_t line;
    const size_t fields = iv_first_fields(&field, 1, iv_text_of(first), true, &line);

    (void)iv_judgments_read(&j, *(const iv_judgments_format *)format, false, NULL, 0,
                            &problems);
    const bool sound = problems.errors == 0 || fields == 0
        || (fields == 5 && j.format == IV_JUDGMENTS_ANY);
    iv_judgments_forget(&j);
    iv_problems_free(&problems);
    return sound;
}

int iv_judgments_load(iv_judgments **out, const char *path, iv_judgments_format format,
                      const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments",
                           err));
    iv_bytes bytes;
    const int rc = iv_bytes_load_sound(&bytes, path, are_sound, &format, work, err);

    return rc < 0 ? rc : judgments_from(out, &bytes, path, format, work, err);
}

int iv_judgments_parse(iv_judgments **out, const char *name, const void *text, size_t len,
                       iv_judgments_format format, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments",
                           err));
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, work, err);

    return rc < 0 ? rc : judgments_from(out, &bytes, name, format, work, err);
}

void iv_judgments_free(iv_judgments *j)
{
    if (j == NULL)
        return;
    iv_judgments_forget(j);
    iv_judgments_free(j->also);
    iv_bytes_free(&j->bytes);
    free(j);
}

/* --------------------------------------------------- additional judgments -- */

/* The additional judgment of a document, or NULL. */
static const iv_judgment *find_judged(const iv_judgments *j, size_t topic, iv_str docno)
{
    const iv_judgment *found = topic == IV_NONE ? NULL : iv_judgments_find(j, topic, docno);

    return found != NULL && found->grade >= 0 ? found : NULL;
}

/* Puts a topic's judgments at `to`, then those of documents that only the additional ones have;
 * returns the end, or NULL after an error.  stratum: of what is judged for certain. */
static iv_judgment *add_topic(iv_judgment *to, iv_judgments *j, size_t t, int32_t stratum,
                              const char *name, const char *also_name, iv_err *err)
{
    iv_topic_records *topic = &j->grouped.topics[t];
    const size_t at = iv_judgments_find_topic(j->also, topic->id);
    const iv_judgment *all, *more = NULL;
    const size_t count = iv_judgments_of(&all, j, t);
    const size_t others = at == IV_NONE ? 0 : iv_judgments_of(&more, j->also, at);
    iv_judgment *end = to;
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < count; i++) {
        const iv_judgment *new = find_judged(j->also, at, all[i].docno);
        if (new != NULL && all[i].grade >= 0 && all[i].grade != new->grade) {
            (void)iv_fail_at(err, IV_EPARSE, name, iv_judgments_line(j, &all[i]), "document %s has "
                             "grade %d, and %d in %s; expected one grade",
                             iv_quote(quoted, all[i].docno), (int)all[i].grade, (int)new->grade,
                             also_name);
            return NULL;
        }
        *end++ = new == NULL ? all[i] : (iv_judgment){ all[i].docno, 1.0, new->grade, stratum };
    }
    for (size_t i = 0; i < others; i++)
        if (more[i].grade >= 0 && iv_judgments_find(j, t, more[i].docno) == NULL)
            *end++ = (iv_judgment){ more[i].docno, 1.0, more[i].grade, stratum };
    topic->records = to;
    topic->count = (size_t)(end - to);
    return end;
}

/* The records of all topics, in an array of their own; documents are then looked up anew. */
static int add_all(iv_judgments *j, const char *name, const char *also, const iv_work *work,
                   iv_err *err)
{
    const size_t most = (size_t)(j->grouped.records + j->also->grouped.records);
    iv_judgment *records = iv_alloc_filled(most, sizeof *records), *end = records;
    iv_problems problems = { .most = 1 };
    int32_t stratum = -1; /* behind all others, where there are some */

    for (size_t t = 0; t < j->grouped.topic_count; t++) {
        const iv_judgment *all;
        const size_t count = iv_judgments_of(&all, j, t);
        for (size_t i = 0; i < count && j->format == IV_JUDGMENTS_STRATIFIED; i++)
            stratum = all[i].stratum >= stratum ? all[i].stratum + 1 : stratum;
    }
    for (size_t t = 0; end != NULL && t < j->grouped.topic_count; t++)
        end = add_topic(end, j, t, stratum, name, also, err);
    if (end == NULL) {
        free(records);
        return records == NULL ? iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory") : IV_EPARSE;
    }
    free(j->grouped.gathered);
    j->grouped.gathered = (char *)records;
    j->grouped.records = (uint64_t)(end - records);
    (void)index_all(j, work, &problems);
    return iv_problems_verdict(&problems, name, err);
}

int iv_judgments_also(iv_judgments *j, const char *name, const char *also, const iv_work *work,
                      iv_err *err)
{
    if (j->format != IV_JUDGMENTS_QRELS && j->format != IV_JUDGMENTS_PRELS
        && j->format != IV_JUDGMENTS_STRATIFIED)
        return iv_fail_at(err, IV_EARG, name, 0, "judgments in the format %s cannot be merged with "
                          "others; expected qrels, prels or strata",
                          iv_judgments_format_names()[j->format]);
    IV_TRY(iv_judgments_load(&j->also, also, IV_JUDGMENTS_ANY, work, err));
    const iv_judgments_format format = j->also->format;
    return format == IV_JUDGMENTS_QRELS || format == IV_JUDGMENTS_BEIR
        ? add_all(j, name, also, work, err)
        : iv_fail_at(err, IV_EPARSE, also, 0, "additional judgments in the format %s; expected "
                     "qrels", iv_judgments_format_names()[format]);
}

/* ------------------------------------------------------------- asking -- */

iv_judgments_format iv_judgments_format_of(const iv_judgments *j) { return j->format; }

uint64_t iv_judgments_bytes(const iv_judgments *j) { return j->bytes.stored; }

size_t iv_judgments_topics(const iv_judgments *j) { return j->grouped.topic_count; }

iv_str iv_judgments_topic(const iv_judgments *j, size_t topic)
{
    return j->grouped.topics[topic].id;
}

size_t iv_judgments_find_topic(const iv_judgments *j, iv_str id)
{
    return iv_grouped_find(&j->grouped, id);
}

size_t iv_judgments_of(const iv_judgment **out, const iv_judgments *j, size_t topic)
{
    *out = j->grouped.topics[topic].records;
    return j->grouped.topics[topic].count;
}

/* ------------------------------------------------------ lines of the file -- */

bool iv_judgments_next_comment(iv_comment *c, const iv_judgments *j)
{
    const char *const end = j->text.ptr + j->text.len;
    const char *p = j->text.ptr + c->at;

    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf != NULL ? lf : end;
        c->line++;
        c->at = (size_t)((lf != NULL ? lf + 1 : end) - j->text.ptr);
        if (*p == '#' && c->line > j->rows) {
            while (stop > p && stop[-1] == '\r')
                stop--;
            c->text = (iv_str){ p, (size_t)(stop - p) };
            return true;
        }
        p = j->text.ptr + c->at;
    }
    return false;
}

uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment)
{
    const char *at = judgment->docno.ptr;

    return at >= j->text.ptr && at < j->text.ptr + j->text.len ? iv_line_of(j->text, at) : 0;
}

int32_t iv_largest_grade(const iv_judgments *j)
{
    int32_t largest = 0;

    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        for (size_t i = 0; i < count; i++)
            largest = judged[i].grade > largest ? judged[i].grade : largest;
    }
    return largest;
}
