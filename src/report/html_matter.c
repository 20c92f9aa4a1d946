/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a page one to hand over: whose it is, a glossary of its words, signatures. */
#include <string.h>

#include "report/report_parts.h"
#include "base/charts_private.h"

static void put_text(FILE *out, const char *text)
{
    iv_html_text(out, iv_str_of(text));
}

const char *iv_html_title(const iv_result *r)
{
    const iv_detail *details;

    for (size_t i = 0, n = iv_result_details(&details, r); i < n; i++)
        if (strcmp(details[i].name, "title") == 0)
            return details[i].text;
    return NULL;
}

void iv_html_details(FILE *out, const iv_result *r)
{
    const iv_detail *details;
    const size_t count = iv_result_details(&details, r);

    if (count == 0 || (count == 1 && iv_html_title(r) != NULL))
        return;
    fputs("<dl class=\"matter\">\n", out);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(details[i].name, "title") == 0)
            continue; /* above the headline */
        fputs("<dt>", out);
        put_text(out, details[i].name);
        fputs("</dt><dd>", out);
        put_text(out, details[i].text);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

void iv_html_signatures(FILE *out, const iv_result *r)
{
    const iv_detail *details;

    if (iv_result_details(&details, r) > 0)
        fputs("<section id=\"signatures\" class=\"printed\">\n<div>Place and date</div>"
              "<div>Signature</div>\n</section>\n", out);
}

/* ------------------------------------------------------------ glossary -- */

static const struct {
    const char *word, *means;
} words[] = {
    { "assurance", "the probability that a plan reaches its goal, if the guess of the truth is "
      "right" },
    { "bootstrap", "repeating the computation on topics resampled with replacement, to see "
      "how far the result may move" },
    { "confidence", "how often intervals made in this way hold the truth: of a hundred at 95 % "
      "about 95" },
    { "elusion", "the proportion of relevant documents among those that were not retrieved" },
    { "interval", "from the lowest to the highest value that the data leave open, at the stated "
      "confidence" },
    { "one-sided", "one limit by itself: at least so much, or at most" },
    { "p-value", "how often so large a difference would be seen if there were none" },
    { "posterior", "how probable each value is, after the sample was seen" },
    { "precision", "the proportion of the retrieved documents that are relevant" },
    { "prior", "how probable each value was taken to be before the sample was seen" },
    { "recall", "the proportion of the relevant documents that were retrieved" },
    { "relevant", "what the search was to find; responsive, in reviews for production" },
    { "segment", "one of the two sides: the documents retrieved, or those not retrieved" },
    { "stratum", "a part of the collection that was sampled by itself" },
    { "topic", "one question that was asked of the systems" },
    { "yield", "the number of relevant documents" },
};

/* Is the word in the text, in any case and not inside another? */
static bool holds(const char *text, const char *word)
{
    const size_t len = strlen(word);

    for (const char *at = text; text != NULL && *at != '\0'; at++) {
        const bool begins = at == text || !((at[-1] | 32) >= 'a' && (at[-1] | 32) <= 'z');
        size_t i = 0;
        while (begins && i < len && (at[i] | 32) == (word[i] | 32))
            i++;
        if (begins && i == len)
            return true;
    }
    return false;
}

static bool any_holds(const char *const *texts, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (holds(texts[i], word))
            return true;
    return false;
}

static bool page_holds(const iv_report_view *view, const char *word)
{
    const char *const *texts;
    const iv_column *columns;
    const size_t methods = iv_result_methods(&texts, view->result);

    if (holds(iv_result_answer_text(view->result), word) || any_holds(texts, methods, word)
        || holds(iv_result_method_text(view->result), word))
        return true;
    for (size_t i = 0; i < view->note_count; i++)
        if (holds(view->notes[i].text, word))
            return true;
    for (size_t t = 0; t < view->count; t++) {
        const size_t n = iv_table_columns(&columns, &view->tables[t]);
        for (size_t c = 0; c < n; c++)
            if (holds(columns[c].name, word) || holds(columns[c].about, word))
                return true;
    }
    return false;
}

void iv_html_glossary(FILE *out, const iv_report_view *view)
{
    bool any = false;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!page_holds(view, words[i].word))
            continue;
        if (!any)
            fputs("<section id=\"glossary\">\n<h2>Words</h2>\n<dl>\n", out);
        any = true;
        fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", words[i].word, words[i].means);
    }
    if (any)
        fputs("</dl>\n</section>\n", out);
}
