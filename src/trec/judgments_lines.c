/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of judgments, in each of their formats. */
#include "trec/judgments_lines.h"

#include "trec/fields.h"
#include "trec/text.h"

enum { NO_FIELD = -1, MOST_FIELDS = 5 };

/* How many fields, and which is which. */
typedef struct shape {
    iv_judgments_format format;
    size_t fields;
    int docno, grade, stratum, method, pi;
    const char *expected;
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

/* What is wrong with a line: a field, or nothing. */
typedef struct flaw {
    int field; /* NO_FIELD: the line is good */
    const char *name, *expected;
} flaw;

/* Which of the words the field is; -1: none. */
static int word_of(iv_str field, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (iv_str_eq(field, iv_str_of(words[i])))
            return i;
    return -1;
}

static flaw read_nugget(iv_judgment *out, const iv_str *fields, const shape *how)
{
    static const char *const importance[] = { "okay", "vital", NULL };
    static const char *const support[] = { "not_support", "none", "partial_support", "partial",
                                           "support", "full", NULL };
    const int vital = word_of(fields[how->method], importance);
    const int given = word_of(fields[how->grade], support);

    if (vital < 0)
        return (flaw){ how->method, "importance", "vital or okay" };
    if (given < 0)
        return (flaw){ how->grade, "support", "support (or full), partial_support (or partial) "
                       "or not_support (or none)" };
    *out = (iv_judgment){ fields[how->docno], vital == 1 ? 1.0 : 0.5, given / 2, -1 };
    return (flaw){ NO_FIELD, NULL, NULL };
}

/* Lines of the formats in which a document may stand in several groups. */
static flaw read_by_groups(iv_judgment *out, const iv_str *fields, const shape *how)
{
    int64_t grade = -1;
    double level = 0.0;

    if (how->format == IV_JUDGMENTS_NUGGETS)
        return read_nugget(out, fields, how);
    if (how->format == IV_JUDGMENTS_PREFS && !iv_scan_real(&level, fields[how->pi]))
        return (flaw){ how->pi, "level", "a finite number" };
    if (how->format == IV_JUDGMENTS_GROUPS) {
        if (!iv_scan_int(&grade, fields[how->grade], IV_GRADE_MIN, IV_GRADE_MAX))
            return (flaw){ how->grade, "grade", "a whole number between -1000000 and 1000000" };
        level = (double)grade;
    }
    *out = (iv_judgment){ fields[how->docno], level, grade < 0 ? -1 : (int32_t)grade, -1 };
    return (flaw){ NO_FIELD, NULL, NULL };
}

/* Reads the fields of a line, as many as the shape has. */
static flaw read_fields(iv_judgment *out, const iv_str *fields, const shape *how)
{
    int64_t grade = 0, stratum = -1, method = 0;
    double pi = 1.0;

    if (how->format >= IV_JUDGMENTS_GROUPS)
        return read_by_groups(out, fields, how);
    if (!iv_scan_int(&grade, fields[how->grade], IV_GRADE_MIN, IV_GRADE_MAX))
        return (flaw){ how->grade, "grade",
                       "a whole number between -1000000 and 1000000" };
    if (how->stratum != NO_FIELD
        && !iv_scan_int(&stratum, fields[how->stratum], 0, INT32_MAX))
        return (flaw){ how->stratum, "stratum", "a whole number from 0" };
    if (how->method != NO_FIELD
        && !iv_scan_int(&method, fields[how->method], INT32_MIN, INT32_MAX))
        return (flaw){ how->method, "method", "a whole number" };
    if (how->pi != NO_FIELD
        && !(iv_scan_real(&pi, fields[how->pi]) && pi > 0.0 && pi <= 1.0))
        return (flaw){ how->pi, "inclusion probability", "0 < pi <= 1" };
    if (pi < IV_PI_MIN)
        return (flaw){ how->pi, "inclusion probability", "1e-100 or more: it weighs 1/pi" };
    *out = (iv_judgment){ fields[how->docno], pi, (int32_t)grade, (int32_t)stratum };
    return (flaw){ NO_FIELD, NULL, NULL };
}

bool iv_is_beir_header(const iv_str *fields, size_t count)
{
    return count == 3 && iv_str_eq(fields[0], iv_str_of("query-id"))
        && iv_str_eq(fields[1], iv_str_of("corpus-id"))
        && iv_str_eq(fields[2], iv_str_of("score"));
}

/* What the parser of a chunk has to know. */
typedef struct layout {
    const shape *shape;
    const char *header; /* where the header of a BEIR file begins; NULL: none */
} layout;

/* Splits a line that is not like the one before it; false: it has no judgment. */
static bool split(iv_str *fields, iv_likeness *repeated, iv_chunk *c, const char **p,
                  const layout *told)
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
    if (fields[0].ptr == told->header)
        return false;
    if (count != told->shape->fields) {
        iv_complain(&c->problems, c->lines, IV_ERROR, "%zu field%s, expected %s",
                   count, count == 1 ? "" : "s", told->shape->expected);
        return false;
    }
    *repeated = iv_likeness_of(line, fields, (size_t)told->shape->docno, count - 1, *p);
    return true;
}

static void parse(iv_chunk *c, const void *vlayout)
{
    const layout *told = vlayout;
    const shape *how = told->shape;
    const char *p = c->begin;
    iv_str fields[MOST_FIELDS] = { { NULL, 0 } };
    iv_likeness repeated = { .blank = ' ' }; /* of the last line ... */
    bool added = false;                   /* ... of which there is a record */

    const bool nuls = iv_text_has_nul(c->begin, c->end);
    while (p < c->end && !iv_chunk_stopped(c)) {
        iv_judgment read;
        c->lines++;
        if (nuls && iv_line_refuse_nul(&p, c->end, c->lines, &c->problems))
            continue;
        const bool alike = iv_split_alike(fields, (size_t)how->docno, how->fields - 1, &repeated,
                                          &p, c->end);
        const bool goes_on = alike && added;
        added = false;
        if (!alike && !split(fields, &repeated, c, &p, told))
            continue;
        const flaw f = read_fields(&read, fields, how);
        if (f.field != NO_FIELD) {
            char quoted[IV_QUOTE_SIZE];
            iv_complain(&c->problems, c->lines, IV_ERROR, "%s %s, expected %s", f.name,
                       iv_quote(quoted, fields[f.field]), f.expected);
            continue;
        }
        if (iv_refuse_long_id(c, fields[0], read.docno))
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
    r->score += read_fields(&unused, fields, r->shape).field == NO_FIELD;
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

iv_judgments_format iv_judgments_format_told(iv_str text, iv_problems *problems)
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
                        bool collect, const iv_work *work, size_t chunk_bytes,
                        iv_problems *problems)
{
    iv_str fields[MOST_FIELDS];
    uint64_t line;
    layout told = { shape_of(format), NULL };

    if (format == IV_JUDGMENTS_BEIR
        && iv_is_beir_header(fields, iv_first_fields(fields, MOST_FIELDS, text, true, &line)))
        told.header = fields[0].ptr;
    iv_group_records(out, text, sizeof(iv_judgment), parse, &told, collect, work,
                     chunk_bytes, problems);
}
