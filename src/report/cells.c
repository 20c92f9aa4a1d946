/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_parts.h"
#include "base/base_private.h"
#include "base/listing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * printf's number with a point, whatever the locale of the program we are
 * linked into: what is neither digit nor sign nor exponent is the separator.
 */
static void with_point(char *out, const char *printed)
{
    bool inside = false;

    for (; *printed != '\0'; printed++) {
        const bool plain = strchr("0123456789+-e", *printed) != NULL;
        if (plain)
            *out++ = *printed;
        else if (!inside)
            *out++ = '.';
        inside = !plain;
    }
    *out = '\0';
}

/*
 * Rounds without printf, which takes most of a long table's time: where the number times the
 * power of ten, exact to 1e-7 below 1e9, is not near the middle of two whole ones.  False: it
 * is, or the number is large, or rounds to 0.
 */
static bool round_quickly(char out[IV_CELL_SIZE], double value, int digits)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    const double near = 1e-6, most = 1e9;
    char *at = out;
    char reversed[IV_CELL_SIZE];
    int count = 0;

    if (digits > 9 || !(fabs(value) * powers[digits] < most))
        return false;
    const double raised = fabs(value) * powers[digits] + 0.5;
    uint32_t whole = (uint32_t)raised;
    const double behind = raised - (double)whole;
    if (behind < near || behind > 1.0 - near || (whole == 0 && value != 0.0))
        return false;
    for (; whole > 0 || count <= digits; whole /= 10)
        reversed[count++] = (char)('0' + whole % 10);
    if (value < 0.0)
        *at++ = '-';
    while (count > 0) {
        *at++ = reversed[--count];
        if (count == digits && digits > 0)
            *at++ = '.';
    }
    *at = '\0';
    return true;
}

static void round_real(char out[IV_CELL_SIZE], double value, int digits)
{
    enum { MOST_DIGITS = 17 };
    const double huge = 1e15;
    char printed[IV_CELL_SIZE];

    if (value == 0.0)
        value = 0.0; /* without its sign */
    if (digits < 0) {
        (void)iv_format_real(out, value);
        return;
    }
    if (round_quickly(out, value, digits))
        return;
    if (digits > MOST_DIGITS)
        digits = MOST_DIGITS;
    if (fabs(value) >= huge)
        (void)snprintf(printed, sizeof printed, "%.*e", digits, value);
    else
        (void)snprintf(printed, sizeof printed, "%.*f", digits, value);
    /* A p-value of 3e-9 is not 0.0000. */
    if (value != 0.0 && strpbrk(printed, "123456789") == NULL)
        (void)snprintf(printed, sizeof printed, "%.1e", value);
    with_point(out, printed);
}

/* By its name, which says so in every table. */
static bool is_probability(const char *name)
{
    return strncmp(name, "p_", 2) == 0 || strcmp(name, "probability") == 0
        || strcmp(name, "power") == 0;
}

const char *iv_cell_rounded(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell)
{
    if (column->kind == IV_INTEGER && fabs((double)cell.integer) < 1e15) /* exact as a real */
        (void)iv_thousands(out, (double)cell.integer);
    else if (column->kind == IV_INTEGER)
        (void)snprintf(out, IV_CELL_SIZE, "%" PRId64, cell.integer);
    else if (is_probability(column->name) && cell.real < 1.0
             && cell.real > 1.0 - 0.5 * pow(10.0, -column->digits))
        (void)snprintf(out, IV_CELL_SIZE, ">%.*f", column->digits,
                       1.0 - pow(10.0, -column->digits)); /* nothing is certain */
    else
        round_real(out, cell.real, cell.count ? 0 : column->digits);
    return out;
}

const char *iv_cell_exact(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell)
{
    if (column->kind == IV_INTEGER)
        (void)snprintf(out, IV_CELL_SIZE, "%" PRId64, cell.integer);
    else
        (void)iv_format_real(out, cell.real);
    return out;
}

size_t iv_cell_show(FILE *out, const iv_column *column, iv_cell cell,
                    const iv_escapes *e, const char *missing)
{
    char number[IV_CELL_SIZE];

    if (!cell.missing && column->kind == IV_TEXT)
        return iv_escape(out, cell.text, e);
    const char *text = cell.missing ? missing : iv_cell_rounded(number, column, cell);
    if (out != NULL)
        fputs(text, out);
    return strlen(text);
}

size_t iv_cell_aligned(FILE *out, const iv_column *column, iv_cell cell, const iv_escapes *e,
                       const char *missing, size_t width)
{
    char number[IV_CELL_SIZE];

    if (column->kind == IV_TEXT)
        return width - iv_cell_show(out, column, cell, e, missing);
    const char *text = cell.missing ? missing : iv_cell_rounded(number, column, cell);
    iv_cell_pad(out, width - strlen(text));
    fputs(text, out);
    return 0;
}

size_t *iv_cell_widths(const iv_table *t, const iv_escapes *e, const char *missing)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, t);
    size_t *widths = calloc(count + 1, sizeof *widths);

    if (widths == NULL)
        return NULL;
    for (size_t c = 0; c < count; c++)
        widths[c] = iv_escape(NULL, iv_str_of(iv_column_heading(&columns[c])), e);
    for (size_t row = 0; row < iv_table_rows(t); row++) {
        for (size_t c = 0; c < count; c++) {
            const size_t width = iv_cell_show(NULL, &columns[c], iv_table_cell(t, row, c),
                                              e, missing);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
    return widths;
}

void iv_cell_pad(FILE *out, size_t columns)
{
    static const char blanks[] = "                ";
    const size_t most = sizeof blanks - 1;

    for (; columns > most; columns -= most)
        fwrite(blanks, 1, most, out);
    fwrite(blanks, 1, columns, out);
}
