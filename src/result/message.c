/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from their rows, and checks of what a caller passes. */
#include "base/listing.h"
#include "result/message.h"
#include "result/result_state.h"

#include <math.h>
#include <string.h>

enum { NUMBER_SIZE = 48, TEXT_SIZE = 640 };

/* Whole numbers with separators, others with three significant digits. */
static const char *number(char out[NUMBER_SIZE], double x, bool percent)
{
    const double shown = percent ? 100.0 * x : x;
    const bool whole = shown == floor(shown) && fabs(shown) < 1e15;
    char digits[IV_FIGURE_SIZE];

    if (!whole)
        (void)snprintf(digits, sizeof digits, "%.3g", shown);
    (void)snprintf(out, NUMBER_SIZE, "%s%s", whole ? iv_thousands(digits, shown) : digits,
                   percent ? " %" : "");
    return out;
}

/* What stands for one place, the text between its braces; NULL: there is no such place. */
static const char *place(char out[NUMBER_SIZE], iv_str name, iv_found f)
{
    const char c = name.len > 0 ? name.ptr[0] : '\0';
    const bool percent = name.len == 2 && name.ptr[1] == '%';

    if (name.len == 1 && c == 'n')
        (void)number(out, (double)f.count, false);
    else if ((name.len == 1 || percent) && c >= 'a' && c <= 'c')
        (void)number(out, f.value[c - 'a'], percent);
    else if (name.len == 2 && memcmp(name.ptr, "do", 2) == 0)
        return "\x01"; /* where advice begins */
    else if (name.len == 1 && c >= 's' && c <= 'u')
        return f.text[c - 's'] == NULL ? "" : f.text[c - 's'];
    else
        return NULL;
    return out;
}

/* Writes the text of a row, as much as there is room for. */
static void message_text(char *out, size_t size, const iv_message *m, iv_found found)
{
    bool choosing = false, kept = true; /* within "[one|many]"; on the side that counts */
    size_t len = 0;

    for (const char *s = m->text, *end; *s != '\0'; s = end) {
        char tmp[NUMBER_SIZE];
        const char *piece = NULL;
        end = *s == '{' ? strchr(s, '}') : NULL;
        if (end != NULL)
            piece = place(tmp, (iv_str){ s + 1, (size_t)(end - s - 1) }, found);
        end = piece != NULL ? end + 1 : s + 1;
        const bool choice = *s == '[' && s[strcspn(s, "|]")] == '|'; /* no bracket of the text */
        if (choice || (choosing && (*s == '|' || *s == ']'))) {
            choosing = *s != ']';
            kept = !choosing || (*s == '[') == (found.count == 1);
            continue;
        }
        const size_t n = !kept ? 0 : piece != NULL ? strlen(piece) : 1;
        for (size_t i = 0; i < n && len + 1 < size; i++)
            out[len++] = piece != NULL ? piece[i] : *s;
    }
    out[len] = '\0';
}

static void tell(iv_result *r, const iv_message *m, iv_found found)
{
    char text[TEXT_SIZE];

    if (found.count == 0)
        return;
    message_text(text, sizeof text, m, found);
    iv_drop_signs(text);
    char *mark = strchr(text, '\x01');
    const size_t advice = mark == NULL ? 0 : strlen(mark + 1);
    if (mark != NULL)
        memmove(mark, mark + 1, advice + 1);
    if (m->severity == IV_ERROR)
        iv_result_lead(r, text);
    iv_result_add_note(r, &(iv_note){ .id = m->id, .text = text, .tables = m->tables,
                                      .severity = m->severity == IV_ERROR ? IV_WARNING
                                                                          : m->severity,
                                      .advice = advice });
}

void iv_found_add(iv_found *f, double n, const char *run)
{
    f->count += n > 0.0;
    f->text[0] = n > f->value[0] ? run : f->text[0];
    f->value[0] = fmax(f->value[0], n);
}

void iv_result_say(iv_result *r, const iv_message *rows, const char *id, iv_found found)
{
    for (const iv_message *m = rows; m->id != NULL; m++)
        if (strcmp(m->id, id) == 0) {
            tell(r, m, found);
            return;
        }
    if (r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "no message '%s'", id);
}
