/* SPDX-License-Identifier: Apache-2.0 */
/* A result as one HTML page: tables, charts, glossary and signatures, without other files. */

#include "base/ids.h"
#include "base/listing.h"
#include "report/cells.h"
#include "report/page.h"
#include "report/vega.h"
#include "result/result_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURES_SHOWN = 4 }; /* the others are folded */

static const iv_escapes *const html = &iv_escapes_html;

/* What --title says, which stands above the headline; NULL: nothing. */
static const char *html_title(const iv_result *r)
{
    for (size_t i = 0; i < r->details.count; i++)
        if (strcmp(r->detail_names.at[i], "title") == 0)
            return r->details.at[i];
    return NULL;
}

/* Parts of a page to hand over: whose it is, its words, and where to sign, which only
 * prints show. */
static void html_details(FILE *out, const iv_result *r)
{
    bool any = false;

    for (size_t i = 0; i < r->details.count; i++) {
        if (strcmp(r->detail_names.at[i], "title") == 0)
            continue; /* it is above the headline */
        fputs(any ? "" : "<dl class=\"matter\">\n", out);
        any = true;
        iv_put(out, html, strcmp(r->detail_names.at[i], "date") == 0
               ? "<dt>%s, as given</dt><dd>%s</dd>\n" : "<dt>%s</dt><dd>%s</dd>\n",
               r->detail_names.at[i], r->details.at[i]);
    }
    fputs(any ? "</dl>\n" : "", out);
}

/* ------------------------------------------------------------ glossary -- */

/* A word, and what it means. */
static const char *const glossary[][2] = {
    { "AP", "average precision: the mean of the precisions at all relevant or positive items of a "
      "ranking; larger is better" },
    { "AUC", "area under the ROC curve: how often a positive item has a higher score than a "
      "negative one; larger is better, 0.5 is chance" },
    { "assurance",
      "the probability that a plan reaches its goal, if the assumed values are right" },
    { "adjudicate", "decide a document on which assessors disagree" },
    { "Bonferroni", "several limits that have the stated confidence together, as their errors are "
      "added" },
    { "Brier", "the mean squared difference between the probability and the label, 1 or 0; smaller "
      "is better" },
    { "bootstrap", "repeating the computation on data resampled with replacement, to see how "
      "much the result varies" },
    { "Buehler", "Buehler's lower limit is the smallest recall that the sample does not contradict "
      "at the stated confidence" },
    { "certified", "demonstrated by a method whose confidence is guaranteed" },
    { "confidence", "how often intervals of a method should contain the true value" },
    { "control sample", "documents sampled at random before the review; how many of its relevant "
      "documents the review finds shows its recall" },
    { "coverage", "how often intervals of a method do contain the true value" },
    { "double sampling", "judging a random part of a sample again, to correct for errors" },
    { "ECE", "expected calibration error: the mean difference between the probabilities of a bin "
      "and its proportion of positive items; smaller is better" },
    { "e-value", "evidence against the opposite of a claim, valid whenever one stops; 20 or more "
      "demonstrates the claim with 95 % confidence" },
    { "elusion", "the proportion of relevant documents among those that were not retrieved" },
    { "guaranteed", "the stated confidence is reached whatever the true value is; other methods "
      "reach it on average" },
    { "hypergeometric", "the distribution of the number of relevant documents in a random sample "
      "without replacement" },
    { "interim", "an interim analysis decides, before all is judged, whether judging may stop" },
    { "interval", "a range that contains the true value with the stated confidence; simultaneous "
      "intervals contain all their true values with that confidence" },
    { "jackknife", "repeating the computation without one unit at a time, to see how much the "
      "result varies" },
    { "kappa", "agreement beyond chance: 1 is perfect agreement, 0 is that of chance" },
    { "log loss", "the mean of -log(p), where p is the probability of an item's true class; "
      "smaller is better" },
    { "O'Brien", "O'Brien and Fleming's bounds leave most of the allowed error to late interim "
      "analyses" },
    { "one-sided", "in one direction only: a one-sided 95 % limit says 'at least this "
      "much', or 'at most', with 95 % confidence" },
    { "p-value", "how often data would support a claim at least as strongly as these data do, if "
      "the claim were false" },
    { "posterior", "how probable each value is after the sample was seen" },
    { "precision", "the proportion of retrieved documents that are relevant; for a classifier, the "
      "proportion of positive predictions that are correct" },
    { "PRISMA", "the standard for reporting how many records a review found, screened and "
      "excluded" },
    { "prior", "how probable each value was assumed to be before the sample was seen" },
    { "QBCB", "quantile binomial confidence bound: a review may stop when it has passed the "
      "ranks of enough relevant documents of a control sample" },
    { "ranker", "a program that orders documents by how likely they are relevant" },
    { "recall", "the proportion of relevant documents that were retrieved; for a classifier, the "
      "proportion of positive items that were predicted positive" },
    { "relevant", "what the search should find; in legal reviews: responsive" },
    { "rounded outwards", "a lower limit is rounded down and an upper limit up; numbers in tables "
      "are rounded to the nearest digit shown" },
    { "segment", "the retrieved documents, or the unretrieved documents" },
    { "SHA-256", "a checksum: a file that was changed has another one" },
    { "stopping rule", "what decides when judging may stop" },
    { "stratum", "a part of the collection that was sampled separately" },
    { "two-sided", "in both directions: a two-sided 95 % interval should miss the true value in "
      "5 % of its uses, above and below together" },
    { "topic", "in search, one query or information need; elsewhere, one item" },
    { "yield", "the number of relevant documents" },
};

static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/* Is the word in the text, not inside another?  In any case and with any ending, unless it is a
 * name, in capitals. */
static bool text_holds(iv_str text, const char *word)
{
    const size_t len = strlen(word);
    const int any = word[0] >= 'a' ? 32 : 0;

    for (size_t at = 0; at + len <= text.len; at++) {
        size_t i = 0;
        while (i < len && (text.ptr[at + i] | any) == (word[i] | any))
            i++;
        if (i == len && (at == 0 || !is_letter(text.ptr[at - 1]))
            && (any != 0 || at + len == text.len || !is_letter(text.ptr[at + len])))
            return true;
    }
    return false;
}

static bool holds(const char *text, const char *word)
{
    return text != NULL && text_holds(iv_str_of(text), word);
}

/* Has the column no value?  Then a reader does not see it. */
static bool is_empty(const iv_table *t, size_t c)
{
    return iv_table_rows(t) > 0 && !iv_table_has_any(t, c);
}

/* Columns that are only saved: the others are shown, as in a terminal. */
static bool is_hidden(const iv_report_view *view, const iv_table *t, size_t c)
{
    const bool splits = t->split != NULL && strcmp(t->columns[c].name, t->split) == 0;

    return (!splits && !iv_table_seen(t, c, view->options->verbose)) || is_empty(t, c);
}

static bool cells_hold(const iv_table *t, size_t c, const char *word)
{
    for (size_t row = 0; t->columns[c].kind == IV_TEXT && row < iv_table_rows(t)
                         && row < IV_HTML_ROWS; row++) {
        const iv_cell cell = iv_table_cell(t, row, c);
        if (!cell.missing && text_holds(cell.text, word))
            return true;
    }
    return false;
}

static bool list_holds(const iv_words *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (holds(list->at[i], word))
            return true;
    return false;
}

static bool page_holds(const iv_report_view *view, const char *word)
{
    const iv_result *r = view->result;

    if (holds(r->answer, word) || holds(r->method_text, word))
        return true;
    if (list_holds(&r->methods, word) || list_holds(&r->used_texts, word)
        || list_holds(&r->assumptions, word))
        return true;
    for (size_t i = 0; i < view->note_count; i++)
        if (holds(view->notes[i].text, word))
            return true;
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        for (size_t c = 0; c < t->column_count; c++)
            if (!is_hidden(view, t, c)
                && (holds(t->columns[c].name, word) || holds(t->columns[c].about, word)
                    || cells_hold(t, c, word)))
                return true;
    }
    return false;
}

static void html_glossary(FILE *out, const iv_report_view *view)
{
    bool any = false;

    for (size_t i = 0; i < sizeof glossary / sizeof *glossary; i++) {
        if (!page_holds(view, glossary[i][0]))
            continue;
        fputs(any ? "" : "<section id=\"glossary\">\n<h2>Glossary</h2>\n<dl>\n", out);
        any = true;
        fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", glossary[i][0], glossary[i][1]);
    }
    fputs(any ? "</dl>\n</section>\n" : "", out);
}

/* ------------------------------------------------------------ html table -- */

/*
 * Tables of a report, twice: as rows to read, rounded, which need no script;
 * and as columns of exact fields for sorting, saving and drawing.  A column is
 * one string of fields with a space between, so that a missing value takes no
 * more than that space; texts are places in a list of words.
 */

/* A cell; whole numbers from 1,000 on have separators and no decimals of 0. */
static void put_cell(FILE *out, const iv_column *column, iv_cell cell)
{
    char text[IV_CELL_SIZE];
    const char *shown = cell.missing || column->kind != IV_REAL ? ""
        : iv_cell_rounded(text, column, cell);
    const char *behind = shown + strspn(shown, "-0123456789");
    const double whole = strtod(shown, NULL);

    if (fabs(whole) < 1000.0 || behind[strspn(behind, ".0")] != '\0')
        (void)iv_cell_show(out, column, cell, html, "–");
    else
        fputs(IV_COUNT(whole), out);
}

static const char *class_of(const iv_report_view *view, const iv_table *t, size_t c)
{
    const bool hidden = is_hidden(view, t, c);

    return t->columns[c].kind == IV_TEXT ? (hidden ? " class=\"unseen\"" : "")
        : hidden ? " class=\"n unseen\"" : " class=\"n\"";
}

/* What the heads say to who points at them, for those who cannot: on a phone, on paper. */
static void put_meanings(FILE *out, const iv_report_view *view, const iv_table *t, bool hidden)
{
    bool any = false;

    for (size_t c = 0; c < t->column_count; c++) {
        const iv_column *is = &t->columns[c];
        if (is->about == NULL || is_empty(t, c) || is_hidden(view, t, c) != hidden
            || (hidden && is->audience == IV_FOR_PEOPLE))
            continue;
        fputs(any ? "" : "<details class=\"columns\"><summary>", out);
        fputs(any ? "" : hidden ? "More columns in the CSV file" : "What the columns mean", out);
        fputs(any ? "" : "</summary><dl>\n", out);
        any = true;
        iv_put(out, html, "<dt>%s</dt><dd>%s</dd>\n", hidden ? is->name : iv_column_heading(is),
               is->about);
    }
    fputs(any ? "</dl></details>\n" : "", out);
}

/* A text so long is read, not looked up: it is wrapped. */
enum { SENTENCE = 40 };

static void put_rows(FILE *out, const iv_report_view *view, const iv_table *t)
{
    const char *classes[256];

    fputs("<thead><tr>", out);
    for (size_t c = 0; c < t->column_count; c++) {
        const char *about = t->columns[c].about, *class = class_of(view, t, c);
        fprintf(out, "<th scope=\"col\"%s>", class);
        iv_put(out, html, "<button type=\"button\" title=\"%s\">%s</button></th>",
               about != NULL ? about : "", is_hidden(view, t, c) ? t->columns[c].name
               : iv_column_heading(&t->columns[c]));
        classes[c < 256 ? c : 255] = class;
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t row = 0; row < iv_table_rows(t) && row < IV_HTML_ROWS; row++) {
        fputs("<tr>", out);
        for (size_t c = 0; c < t->column_count; c++) {
            const iv_cell cell = iv_table_cell(t, row, c);
            fprintf(out, "<td%s>", c >= 256 ? "" : !cell.missing && t->columns[c].kind == IV_TEXT
                    && classes[c][0] == '\0' && cell.text.len > SENTENCE ? " class=\"long\""
                    : classes[c]);
            put_cell(out, &t->columns[c], cell);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>", out);
}

/* A table to read: its first rows, and what sorts and saves it. */
static void html_table(FILE *out, const iv_report_view *view, size_t number)
{
    const iv_table *t = &view->tables[number];
    const size_t rows = iv_table_rows(t);
    const char *s = rows == 1 ? "" : "s";

    fprintf(out, "<section class=\"table\" id=\"table-%zu\">\n", number);
    if (t->showing >= IV_FOLDED)
        iv_put(out, html, "<details><summary>%s (%z row%s)</summary>\n", t->name, rows, s);
    iv_put(out, html, "<div class=\"head\"><h3>%s%s</h3><button type=\"button\" class=\"csv\">"
           "Save CSV (%z row%s)</button></div>\n<div class=\"scroll\" role=\"region\" "
           "tabindex=\"0\" aria-label=\"table %s\">", t->name,
           t->caption != NULL ? " (for a publication)" : "", rows, s, t->name);
    fputs(rows == 1 ? "<table class=\"one\">\n" : "<table>\n", out);
    put_rows(out, view, t);
    fputs("</table></div>\n", out);
    if (t->caption != NULL)
        iv_put(out, html, "<p class=\"soft\">%s</p>\n", t->caption);
    put_meanings(out, view, t, false);
    put_meanings(out, view, t, true);
    if (rows == 0)
        fputs("<p class=\"soft\">No rows.</p>\n", out);
    if (rows > IV_HTML_ROWS)
        fprintf(out, "<p class=\"more soft\">The first %d of %zu rows. "
                "<button type=\"button\">Show more</button></p>\n", (int)IV_HTML_ROWS, rows);
    fputs(t->showing >= IV_FOLDED ? "</details></section>\n" : "</section>\n", out);
}

/* A field of the column's string; "" stands for a missing value. */
static const char *field_of(char out[IV_CELL_SIZE], const iv_table *t, size_t row, size_t c,
                            const iv_ids *words)
{
    const iv_cell cell = iv_table_cell(t, row, c);

    if (cell.missing)
        return "";
    if (t->columns[c].kind != IV_TEXT)
        return iv_cell_exact(out, &t->columns[c], cell);
    (void)snprintf(out, IV_CELL_SIZE, "%" PRIu32, iv_ids_find(words, cell.text));
    return out;
}

static void put_fields(iv_json *j, const iv_table *t, size_t c, const iv_ids *words)
{
    const size_t rows = iv_table_rows(t);
    const bool same = rows > 0 && !iv_table_varies(t, c);
    char field[IV_CELL_SIZE];

    if (same)
        iv_json_put(j, "same", "true");
    iv_json_key(j, "data");
    putc('"', j->out);
    for (size_t row = 0; row < (same ? 1 : rows); row++) {
        fputs(row == 0 ? "" : " ", j->out);
        fputs(field_of(field, t, row, c, words), j->out);
    }
    putc('"', j->out);
}

/* Rows of a column of reals that are counts: from, to, from, to. */
static void put_counts(iv_json *j, const iv_table *t, size_t c)
{
    const size_t rows = iv_table_rows(t);
    bool any = false, inside = false;

    for (size_t row = 0; row <= rows; row++) {
        const bool count = row < rows && iv_table_cell(t, row, c).count;
        if (count == inside)
            continue;
        if (!any)
            iv_json_array(j, "counts");
        iv_json_int(j, NULL, (int64_t)row);
        any = true;
        inside = count;
    }
    if (any)
        iv_json_close(j);
}

/* False: memory is out. */
static bool put_column(iv_json *j, const iv_table *t, size_t c)
{
    const iv_column *column = &t->columns[c];
    iv_ids words = { 0 };
    bool fine = true;

    iv_json_put(j, NULL, "{'name': %s", column->name);
    if (column->audience == IV_FOR_PEOPLE)
        iv_json_put(j, "shown", "true");
    if (column->kind == IV_TEXT) {
        iv_json_array(j, "words");
        for (size_t row = 0; row < iv_table_rows(t); row++) {
            const iv_cell cell = iv_table_cell(t, row, c);
            if (!cell.missing && iv_ids_find(&words, cell.text) == IV_NO_ID) {
                fine = iv_ids_add(&words, cell.text) != IV_NO_ID && fine;
                iv_json_put(j, NULL, "%S", cell.text);
            }
        }
        iv_json_close(j);
    } else if (column->kind == IV_REAL) {
        iv_json_int(j, "digits", column->digits);
        put_counts(j, t, c);
    }
    put_fields(j, t, c, &words);
    iv_json_close(j);
    iv_ids_free(&words);
    return fine;
}

/* ------------------------------------------------------------------ html -- */

/*
 * A report as one file that needs nothing else: the answer, charts, tables,
 * notes, method and where it all came from.
 *
 * Text of others is escaped wherever it stands, and a content security policy
 * lets the browser run one script only, the one whose hash it names.
 */

static void put_pieces(FILE *out, const char *const *pieces)
{
    for (; *pieces != NULL; pieces++)
        fputs(*pieces, out);
}

static void put_head(FILE *out, const iv_result *r)
{
    const char *answer = iv_result_answer_text(r);

    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data: blob:; script-src '", out);
    iv_put(out, html, "%s'\">\n<meta name=\"generator\" content=\"intervale %s\">\n<title>%s%s",
           iv_page_script_hash, iv_version(), html_title(r) != NULL ? "" : "intervale ",
           html_title(r) != NULL ? html_title(r) : r->command);
    if (answer != NULL)
        iv_put(out, html, ": %s", answer);
    fputs("</title>\n<style>\n", out);
    put_pieces(out, iv_page_style);
    fputs("</style>\n</head>\n<body>\n", out);
}

/* Warnings stand under the answer, legends with the methods, other notes behind the tables. */
enum { WARNINGS, LEGENDS, OTHERS };

static bool stands(const iv_note *n, int where)
{
    return where == (n->legend ? LEGENDS : n->severity == IV_WARNING ? WARNINGS : OTHERS);
}

static size_t count_notes(const iv_report_view *view, int where)
{
    size_t count = 0;

    for (size_t i = 0; i < view->note_count; i++)
        count += stands(&view->notes[i], where);
    return count;
}

static void put_notes(FILE *out, const iv_report_view *view, int where, const char *template)
{
    for (size_t i = 0; i < view->note_count; i++)
        if (stands(&view->notes[i], where))
            iv_put(out, html, template, view->notes[i].text);
}

/* A section that is a list, if there is something in it. */
static void begin_list(FILE *out, const char *id, const char *title, size_t count)
{
    if (count > 0)
        fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<ul>\n", id, title);
}

static void end_list(FILE *out, size_t count)
{
    fputs(count > 0 ? "</ul>\n</section>\n" : "", out);
}

enum { VERDICT_MOST = 40 };

/* The verdict, a few words up to the first stop or colon, is bold. */
static void put_answer(FILE *out, const char *answer)
{
    size_t len = strcspn(answer, ".:");

    while (answer[len] != '\0' && answer[len + 1] != ' ' && answer[len + 1] != '\0')
        len += 1 + strcspn(answer + len + 1, ".:"); /* inside a number or a name */
    len = len > VERDICT_MOST ? 0 : len;
    iv_put(out, html, len > 0 ? "<strong>%S</strong>%s" : "%S%s", (iv_str){ answer, len },
           answer + len);
}

static void put_lead(FILE *out, const iv_report_view *view)
{
    const iv_result *r = view->result;
    const char *answer = iv_result_answer_text(r);
    const size_t count = count_notes(view, OTHERS);

    fputs("<header>\n", out);
    if (html_title(r) != NULL)
        iv_put(out, html, "<h1>%s</h1>\n<p class=\"answer\">", html_title(r));
    else
        iv_put(out, html, answer == NULL ? "<h1>intervale %s"
               : "<p class=\"command\">intervale %s</p>\n<h1 class=\"answer\">",
               r->command);
    if (answer != NULL)
        put_answer(out, answer);
    fputs(html_title(r) != NULL ? "</p>\n" : "</h1>\n", out);
    html_details(out, r);
    put_notes(out, view, WARNINGS, "<p class=\"warning\">Warning: %s</p>\n");
    if (count > 0)
        fprintf(out, "<p class=\"lead\"><a href=\"#notes\">%zu note%s</a> below.</p>\n", count,
                count == 1 ? "" : "s");
    fputs("</header>\n<main>\n", out);
}

static void put_figure(FILE *out, const iv_plot *p, size_t number)
{
    const size_t pictures = iv_plot_pictures(p);

    iv_put(out, html, "<figure id=\"chart-%z\">\n<h3>%s</h3>\n", number, p->chart.title);
    for (size_t k = 0; k < pictures; k++) {
        if (pictures > 1)
            iv_put(out, html, "<h4>%S</h4>\n", p->panels.names[k]);
        fputs("<div class=\"chart\"></div><div class=\"tools\"></div>\n", out);
    }
    iv_put(out, html, "<figcaption>%s The values are in <a href=\"#table-%z\">table %s</a>."
           "</figcaption>\n</figure>\n", p->chart.caption != NULL ? p->chart.caption : "",
           p->number, p->table->name);
}

/* Methods, and what was said on how to read the numbers. */
static void put_methods(FILE *out, const iv_report_view *view)
{
    const iv_result *r = view->result;
    const bool any = r->methods.count + count_notes(view, LEGENDS) > 0 || r->method_text != NULL;

    if (any)
        fputs("<section id=\"method\">\n<h2>Method</h2>\n", out);
    fputs(r->used_texts.count > 0 ? "<ul>\n" : "", out);
    for (size_t i = 0; i < r->used_texts.count; i++)
        iv_put(out, html, "<li>%s</li>\n", r->used_texts.at[i]);
    fputs(r->used_texts.count > 0 ? "</ul>\n" : "", out);
    for (size_t i = 0; i < r->methods.count; i++)
        iv_put(out, html, "<p>%s</p>\n", r->methods.at[i]);
    put_notes(out, view, LEGENDS, "<p>%s</p>\n");
    if (any)
        fputs("</section>\n", out);
    begin_list(out, "assumptions", "Assumptions", r->assumptions.count);
    for (size_t i = 0; i < r->assumptions.count; i++)
        iv_put(out, html, "<li>%s</li>\n", r->assumptions.at[i]);
    end_list(out, r->assumptions.count);
    begin_list(out, "references", "References", r->citation_count);
    for (size_t i = 0; i < r->citation_count; i++)
        iv_put(out, html, "<li>%s</li>\n", r->citations[i].text);
    end_list(out, r->citation_count);
}

/* A word as a shell would want it back. */
static void put_word(FILE *out, const char *word)
{
    const bool plain = *word != '\0' && word[strspn(word,
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%")] == '\0';

    putc(' ', out);
    iv_put(out, html, plain ? "" : "%s", "'");
    for (const char *at = word; *at != '\0';) {
        const size_t len = strcspn(at, "'");
        iv_put(out, html, "%S%s", (iv_str){ at, len }, at[len] == '\'' ? "'\\''" : "");
        at += len + (at[len] == '\'');
    }
    iv_put(out, html, plain ? "" : "%s", "'");
}

static void put_inputs(FILE *out, const iv_result *r)
{
    const iv_input *inputs = r->inputs;
    const size_t count = r->input_count;

    if (count == 0)
        return;
    fputs("<dt>Inputs</dt><dd>", out);
    if (count > 8)
        fprintf(out, "<details><summary>%zu files</summary>", count);
    for (size_t i = 0; i < count; i++) {
        iv_put(out, html, i == 0 ? "<code>%s</code>" : "<br><code>%s</code>", inputs[i].path);
        fprintf(out, " (%s bytes", IV_COUNT(inputs[i].bytes));
        if (inputs[i].sha256 != NULL)
            fprintf(out, ", SHA-256 <code>%s</code>", inputs[i].sha256);
        putc(')', out);
    }
    fputs(count > 8 ? "</details></dd>\n" : "</dd>\n", out);
}

static void put_provenance(FILE *out, const iv_result *r)
{
    const size_t count = r->arguments.count;

    fputs("<section id=\"made\">\n<h2>How this was made</h2>\n<dl>\n", out);
    fprintf(out, "<dt>Version</dt><dd>intervale %s</dd>\n<dt>Command</dt><dd>", iv_version());
    if (count > 40)
        fprintf(out, "<details><summary>%zu words</summary>", count);
    iv_put(out, html, "<code>intervale %s", r->command);
    for (size_t i = 0; i < count; i++)
        put_word(out, r->arguments.at[i]);
    fputs(count > 40 ? "</code></details></dd>\n" : "</code></dd>\n", out);
    if (r->has_seed && r->seed != 1) /* the usual one: the command repeats it */
        fprintf(out, "<dt>Seed</dt><dd>%" PRIu64 ", for methods that draw random numbers</dd>\n",
                r->seed);
    put_inputs(out, r);
    fputs("</dl>\n</section>\n", out);
}

/* Which rows and columns of its table a chart takes, and its pictures. */
static void put_chart(iv_json *j, const iv_report_view *view, size_t number)
{
    const iv_plot *p = view->plots[number];

    iv_json_put(j, NULL, "{'table': %d, 'columns': [", (int64_t)p->number);
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++)
        if (p->at[r] != SIZE_MAX)
            iv_json_int(j, NULL, (int64_t)p->at[r]);
    iv_json_close(j);
    if (p->at[IV_ROLE_WHERE] != SIZE_MAX) {
        iv_json_int(j, "where", (int64_t)p->at[IV_ROLE_WHERE]);
        if (p->chart.is != NULL)
            iv_json_put(j, "is", "%S", iv_str_of(p->chart.is));
        else if (p->chart.is_not != NULL)
            iv_json_put(j, "isNot", "%S", iv_str_of(p->chart.is_not));
    }
    if (p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_VALUE] != SIZE_MAX)
        iv_json_int(j, "noCounts", (int64_t)p->at[IV_ROLE_VALUE]);
    iv_json_put(j, NULL, "'pages': %d, 'specs': [",
                (int64_t)(p->pages.count > 1 ? p->pages.count : 1));
    for (size_t k = 0; k < iv_plot_pictures(p); k++) {
        iv_json_object(j, NULL);
        iv_vega_choice(j, view, number, 1);
        iv_vega_picture(j, p, k, number);
        iv_json_close(j);
    }
    iv_json_put(j, NULL, "]}");
}

/* What the script works with. */
static void put_store(FILE *out, iv_report_view *view)
{
    iv_json j = { .out = out, .in_page = true };

    fputs("<script type=\"application/json\" id=\"data\">", out);
    iv_json_put(&j, NULL, "{'command': %s, 'shown': %d, 'schema': %s, 'tables': [",
                view->result->command, (int64_t)IV_HTML_ROWS, IV_VEGA_SCHEMA);
    for (size_t i = 0; i < view->count; i++) {
        const iv_table *t = &view->tables[i];
        /* All cells, column by column, exact. */
        iv_json_put(&j, NULL, "{'name': %s, 'rows': %d, 'columns': [", t->name,
                    (int64_t)iv_table_rows(t));
        for (size_t c = 0; c < t->column_count; c++)
            view->memory.failed = !put_column(&j, t, c) || view->memory.failed;
        iv_json_put(&j, NULL, "]}");
    }
    iv_json_put(&j, NULL, "], 'charts': [");
    for (size_t i = 0; i < view->plot_count; i++)
        put_chart(&j, view, i);
    iv_json_close(&j);
    iv_vega_config(&j);
    iv_json_close(&j);
    fputs("</script>\n<script>", out);
    put_pieces(out, iv_page_drawing);
    put_pieces(out, iv_page_script);
    fputs("</script>\n</body>\n</html>\n", out);
}

static void put_charts(FILE *out, const iv_report_view *view)
{
    size_t pictures = 0;
    bool folded = false;

    fputs("<section id=\"charts\">\n<h2>Charts</h2>\n"
          "<noscript><p class=\"soft\">Charts need JavaScript; the tables below contain "
          "all values.</p></noscript>\n", out);
    for (size_t i = 0; i < view->plot_count; i++) {
        const size_t left = view->plot_count - i;
        pictures += iv_plot_pictures(view->plots[i]);
        if (!folded && i > 0 && pictures > PICTURES_SHOWN) {
            fprintf(out, "<details class=\"more-charts\"><summary>%zu more chart%s</summary>\n",
                    left, left == 1 ? "" : "s");
            folded = true;
        }
        put_figure(out, view->plots[i], i);
    }
    fputs(folded ? "</details>\n</section>\n" : "</section>\n", out);
}

void iv_render_html(FILE *out, iv_report_view *view)
{
    const size_t notes = count_notes(view, OTHERS);

    put_head(out, view->result);
    put_lead(out, view);
    if (view->plot_count > 0)
        put_charts(out, view);
    fputs("<section id=\"tables\">\n<h2>Tables</h2>\n", out);
    for (size_t i = 0; i < view->count; i++)
        html_table(out, view, i);
    fputs("</section>\n", out);
    begin_list(out, "notes", "Notes", notes);
    put_notes(out, view, OTHERS, "<li>%s</li>\n");
    end_list(out, notes);
    put_methods(out, view);
    html_glossary(out, view);
    put_provenance(out, view->result);
    if (view->result->details.count > 0)
        fputs("<section id=\"signatures\" class=\"printed\">\n<div>Place and date</div>"
              "<div>Signature</div>\n</section>\n", out);
    fputs("</main>\n", out);
    put_store(out, view);
}
