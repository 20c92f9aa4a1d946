/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about texts of documents and topics, in every form that collections have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

#include "session_fixture.h"
#include "store/bibliography.h"
#include "store/documents.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"

static scratch folder;
static iv_err err;

static int make_folder(void **state)
{
    (void)state;
    return scratch_make(&folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder.path);
    return 0;
}

/* What was found: "id|title|text;" of each, in the order of the file. */
static char found[4000];

static int keep(void *user, uint32_t id, iv_str title, iv_str text, iv_str source, iv_err *e)
{
    const iv_wanted *w = user;
    const size_t n = strlen(found);

    (void)e;
    (void)source;
    (void)snprintf(found + n, sizeof found - n, "%.*s|%.*s|%.*s;", (int)w->ids.names[id].len,
                   w->ids.names[id].ptr, (int)title.len, title.ptr, (int)text.len, text.ptr);
    return IV_OK;
}

/* Reads a file for some ids, separated by blanks. */
static int read_for(const char *at, const char *ids, bool topics)
{
    iv_wanted w = { .topics = topics, .put = keep };
    char words[200];

    w.user = &w;
    found[0] = '\0';
    (void)snprintf(words, sizeof words, "%s", ids);
    for (char *p = strtok(words, " "); p != NULL; p = strtok(NULL, " "))
        assert_true(iv_ids_add(&w.ids, iv_str_of(p)) != IV_NO_ID);
    assert_int_equal(iv_wanted_begin(&w, &err), IV_OK);
    const int rc = iv_documents_read(&w, at, NULL, &err);
    iv_wanted_free(&w);
    return rc;
}

static void reads(const char *text, const char *ids, bool topics, const char *expected)
{
    char at[SCRATCH_PATH];

    assert_int_equal(read_for(put_file(at, &folder, "f", text), ids, topics), IV_OK);
    assert_string_equal(found, expected);
}

static void refuses(const char *text, bool topics, uint64_t line, const char *why)
{
    char at[SCRATCH_PATH];

    assert_int_equal(read_for(put_file(at, &folder, "f", text), "a b", topics), IV_EPARSE);
    assert_non_null(strstr(err.msg, why));
    assert_int_equal(err.line, line);
}

static void json_lines_are_read(void **state)
{
    (void)state;
    reads("{\"_id\": \"a\", \"title\": \"T\", \"text\": \"x\\ny \\u00e9\"}\n{\"_id\":\"b\",\"text\":\"2\"}",
          "a b", false, "a|T|x\ny \xc3\xa9;b||2;");
    /* The name of the id in a text, an escaped id, numbers, other names, a mark, CRLF. */
    reads("{\"text\": \"an \\\"_id\\\": \\\"b\\\" inside\", \"_id\": \"a\"}\n", "a b", false,
          "a||an \"_id\": \"b\" inside;");
    reads("{\"_id\": \"\\u0061\", \"text\": \"escaped\"}\n", "a", false, "a||escaped;");
    reads("{\"_id\": 17, \"text\": \"number\"}\n", "17", false, "17||number;");
    reads("\xef\xbb\xbf{\"id\": \"a\", \"contents\": \"pyserini\"}\r\n\r\n", "a", false,
          "a||pyserini;");
    reads("{\"_id\": \"a\", \"metadata\": {\"_id\": \"b\"}, \"text\": \"outer\"}\n", "a b", false,
          "a||outer;");
    reads("{\"_id\": \"q1\", \"text\": \"what is it\"}\n", "q1", true, "q1||what is it;");
}

static void what_is_no_json_is_told_with_its_line(void **state)
{
    (void)state;
    refuses("{\"_id\": \"a\", \"text\": \"x\"}\n{\"_id\": \"b\", \"text\": \"x\n", false, 2,
            "is not a JSON object");
    refuses("{\"_id\": \"zz\"}\n[1]\n", false, 2, "is not a JSON object");
    refuses("{\"_id\": \"a\", \"text\": x}\n", false, 1, "is not a JSON object");
    refuses("{\"name\": \"a\"}\n", false, 1, "no id");
    refuses("{\"_id\": \"zz\"}\n{\"text\": \"b\"}\n", false, 2, "no id");
    refuses("{\"_id\": \"a\", \"text\": \"x\"}\n\n{\"_id\": \"a\", \"text\": \"y\"}\n", false, 3,
            "occurs twice, first in");
    refuses("  \n", false, 0, "is empty");
}

static void a_record_without_a_text_is_none(void **state)
{
    (void)state;
    reads("{\"_id\": \"a\"}\n{\"_id\": \"b\", \"text\": null}\n", "a b", false, "");
    reads("{\"_id\": \"a\", \"text\": [\"x\"]}\n{\"_id\": \"b\", \"passage\": \"y\"}\n", "a b", false,
          "b||y;");
    reads("a\t\nb\tTitle\t\n", "a b", false, "b|Title|;");
    reads("{\"_id\": \"a\", \"text\": \"\"}\n{\"_id\": \"a\", \"text\": \"found\"}\n", "a", false,
          "a||found;");
}

static void tagged_documents_are_read_as_text(void **state)
{
    (void)state;
    reads("<DOC>\n<DOCNO> zz </DOCNO>\n<TEXT>no</TEXT>\n</DOC>\n"
          "<DOC>\n<DOCNO> a </DOCNO>\n<HEADLINE>\nA   head &amp; line\n</HEADLINE>\n<TEXT>\n"
          "<P>One &lt;b&gt; two.</P>\n<!-- no -->three<b>bold</b> 1 < 2 &hyph; &#233;&unknown;\n"
          "</TEXT>\n</DOC>\n", "a b", false,
          "a|A head & line|One <b> two.\n\nthreebold 1 < 2 - \xc3\xa9&unknown;;");
    /* trecweb: the header and scripts are not read. */
    reads("<DOC>\n<DOCNO>b</DOCNO>\n<DOCHDR>\nhttp://x\nServer: y\n</DOCHDR>\n<html><head>"
          "<title>Page</title><script>var x = '<p>';</script></head><body>Hi<br>there</body></html>"
          "\n</DOC>\n", "a b", false, "b|Page|Hi\nthere;");
}

static void broken_tags_are_told_with_their_line(void **state)
{
    (void)state;
    refuses("<DOC>\n<TEXT>x</TEXT>\n</DOC>\n", false, 1, "without an id");
    refuses("<DOC>\n<DOCNO>zz</DOCNO>\n</DOC>\n\n<DOC>\n<DOCNO>a</DOCNO>\n", false, 5,
            "<DOC> without </DOC>");
    refuses("<DOC><DOCNO>a</DOCNO>x</DOC>\n<DOC><DOCNO>a</DOCNO>x</DOC>\n", false, 2,
            "occurs twice");
    refuses("<html>\n", false, 1, "no <DOC>");
}

static void tab_separated_lines_are_read(void **state)
{
    (void)state;
    reads("zz\tno\na\tpassage text\r\nb\thttp://u\tTitle\tbody of it\n", "a b", false,
          "a||passage text;b|Title|body of it;");
    reads("a\tTitle\tbody\n", "a", false, "a|Title|body;");
    reads("a\tquery\twith tabs\n", "a", true, "a||query\twith tabs;");
    refuses("a\tx\nno tab here\n", false, 2, "no tab");
    refuses("a\tx\na\ty\n", false, 2, "occurs twice");
}

static void topics_of_trec_are_read(void **state)
{
    (void)state;
    reads("<top>\n\n<num> Number: 301\n<title> Crime\n\n<desc> Description:\nWhat is it?\n\n</top>\n"
          "<top>\n<num> Number: 302 </num>\n<title> Polio </title>\n</top>\n", "301 302", true,
          "301||Crime\n\nDescription:\nWhat is it?;302||Polio;");
    reads("<topics>\n<topic number=\"1\" type=\"x\">\n<query>obama</query></topic></topics>\n", "1",
          true, "1||obama;");
}

static void bytes_of_other_encodings_become_text(void **state)
{
    (void)state;
    reads("a\tcaf\xe9 \x01 \x81.\n", "a", false, "a||caf\xc3\xa9 \x01 \xef\xbf\xbd.;");
    reads("a\t\x80 \x93q\x94 \x9f\n", "a", false,
          "a||\xe2\x82\xac \xe2\x80\x9cq\xe2\x80\x9d \xc5\xb8;");
}

static void packed_files_are_read(void **state)
{
    static const char text[] = "a\tpacked\nzz\tx\n";
    char at[SCRATCH_PATH], packed[200];

    (void)state;
    gzFile z = gzopen(scratch_at(at, &folder, "f.gz"), "wb");
    assert_true(gzwrite(z, text, sizeof text - 1) > 0);
    assert_int_equal(gzclose(z), Z_OK);
    assert_int_equal(read_for(at, "a", false), IV_OK);
    assert_string_equal(found, "a||packed;");
    const size_t len = ZSTD_compress(packed, sizeof packed, text, sizeof text - 1, 1);
    assert_false(ZSTD_isError(len));
    FILE *f = fopen(scratch_at(at, &folder, "f.zst"), "wb");
    assert_true(fwrite(packed, 1, len, f) == len && fclose(f) == 0);
    assert_int_equal(read_for(at, "a", false), IV_OK);
    assert_string_equal(found, "a||packed;");
    /* Damaged: one line. */
    f = fopen(at, "wb");
    assert_true(fwrite(packed, 1, len - 4, f) == len - 4 && fclose(f) == 0);
    assert_int_equal(read_for(at, "a", false), IV_EPARSE);
}

static void a_folder_has_a_file_a_document(void **state)
{
    char dir[SCRATCH_PATH], at[SCRATCH_PATH];

    (void)state;
    assert_int_equal(mkdir(scratch_at(dir, &folder, "texts"), 0700), 0);
    (void)put_file(at, &folder, "texts/a", "plain < text\r\n");
    (void)put_file(at, &folder, "texts/b.txt", "");
    (void)put_file(at, &folder, "texts/c.html", "<!DOCTYPE html><p>Hi</p>");
    assert_int_equal(symlink("/etc/passwd", scratch_at(at, &folder, "texts/d")), 0);
    assert_int_equal(read_for(dir, "a b c d ../f ..", false), IV_OK);
    assert_string_equal(found, "a||plain < text\n;c||Hi;" /* b is empty */);
    (void)put_file(at, &folder, "texts/a", "%PDF-1.7 ...");
    assert_int_equal(read_for(dir, "a", false), IV_EPARSE);
    assert_non_null(strstr(err.msg, "convert it first"));
    assert_int_equal(read_for(dir, "a", true), IV_EIO);
    assert_int_equal(read_for("/nowhere", "a", false), IV_EIO);
}

/* Records longer than the window, and cut by it anywhere. */
static void records_of_any_length_are_read(void **state)
{
    const size_t len = 9u << 20;
    char at[SCRATCH_PATH];

    (void)state;
    for (int k = 0; k < 3; k++) {
        static const char *const form[][2] = {
            { "{\"_id\": \"zz\", \"text\": \"", "\"}\n{\"_id\": \"a\", \"text\": \"end\"}\n" },
            { "<DOC><DOCNO>zz</DOCNO>", "</DOC>\n<DOC><DOCNO>a</DOCNO>end</DOC>\n" },
            { "zz\t", "\na\tend\n" } };
        FILE *f = fopen(scratch_at(at, &folder, "long"), "wb");
        assert_true(fputs(form[k][0], f) >= 0);
        for (size_t i = 0; i < len / 9; i++)
            assert_true(fputs("word <b> ", f) >= 0);
        assert_true(fputs(form[k][1], f) >= 0);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(read_for(at, "a", false), IV_OK);
        assert_string_equal(found, "a||end;");
    }
}

static int load(iv_bibliography *out, iv_arena *a, const char *name, const char *text)
{
    char at[SCRATCH_PATH];

    *out = (iv_bibliography){ 0 };
    const char *path = put_file(at, &folder, name, text);
    return iv_bibliography_load(out, a, &(iv_texts){ &path, 1 }, NULL, &err);
}

static void references_are_read_in_three_formats(void **state)
{
    iv_bibliography b;
    iv_arena a = { 0 };

    (void)state;
    assert_int_equal(load(&b, &a, "r.ris", "TY  - JOUR\nID  - a 1\nTI  - Title\nAU  - X, Y\nAU  - Z\n"
                          "PY  - 2019/1\nAB  - one\ntwo\nN1  - ASReview_relevant\nER  - \n"
                          "TY  - JOUR\nPY  - 2000\nER  - \n"), IV_OK);
    assert_int_equal(b.count, 1);
    assert_int_equal(b.skipped, 1);
    assert_string_equal(b.skipped_at, "r.ris:11");
    assert_true(iv_str_eq(b.at[0].id, iv_str_of("a_1")));
    assert_true(iv_str_eq(b.at[0].abstract, iv_str_of("one two")));
    assert_true(iv_str_eq(b.at[0].authors, iv_str_of("X, Y; Z")));
    assert_int_equal(b.at[0].label, 1);
    assert_int_equal(load(&b, &a, "p.nbib", "PMID- 7\nTI  - Long\n      title.\nDP  - 2020 Jan\n"
                          "LID - 10.1/q [doi]\n\nPMID- 8\nAB  - Text\n"), IV_OK);
    assert_int_equal(b.count, 2);
    assert_true(iv_str_eq(b.at[0].title, iv_str_of("Long title.")));
    assert_true(iv_str_eq(b.at[0].doi, iv_str_of("10.1/q")));
    assert_int_equal(load(&b, &a, "c.csv", "Title;Abstract;included\nA;\"b; c\";1\nD;e;\n"), IV_OK);
    assert_true(iv_str_eq(b.at[0].abstract, iv_str_of("b; c")));
    assert_true(b.at[0].label == 1 && b.at[1].label == -1);
    assert_int_equal(load(&b, &a, "t.ris", "TY  - BOOK\nBT  - Book\nAB  - one\nAB  - two\nKW  - x\nER  - \n"
                          "TY  - CHAP\nBT  - Book\nTI  - Chapter\nER  - \n"), IV_OK);
    assert_int_equal(b.count, 2);
    assert_true(iv_str_eq(b.at[0].title, iv_str_of("Book")));
    assert_true(iv_str_eq(b.at[0].abstract, iv_str_of("one two")));
    assert_true(iv_str_eq(b.at[1].title, iv_str_of("Chapter")));
    assert_int_equal(load(&b, &a, "b.csv", "a,b\n1,2\n"), IV_EPARSE);
    assert_non_null(strstr(err.msg, "no column title"));
    assert_int_equal(load(&b, &a, "b.ris", "TY  - JOUR\nER  - \n"), IV_EPARSE);
    iv_arena_free(&a);
}

/* 100 duplicates by a title in other letters; 100 with one DOI and another title, and 200 with one
 * title and another DOI, only look alike. */
static void duplicates_are_removed_and_look_alikes_stay(void **state)
{
    char *text = malloc(200000);
    size_t n = 0, wrong = 0, found_ones = 0, alike = 0;
    iv_bibliography b;
    iv_arena a = { 0 };

    (void)state;
    for (int i = 0; i < 200; i++) {
        n += (size_t)sprintf(text + n, "TY  - JOUR\nTI  - Effects of treatment %d on outcomes\nPY  - 2001\n"
                             "DO  - 10.1/A%d\nER  - \n", i, i);
        if (i % 2 == 0) /* the same DOI, as a link */
            n += (size_t)sprintf(text + n, "TY  - JOUR\nTI  - Effects.\nDO  - https://doi.org/10.1/a%d\n"
                                 "ER  - \n", i);
        else /* the same title */
            n += (size_t)sprintf(text + n, "TY  - JOUR\nTI  - EFFECTS OF TREATMENT %d - ON OUTCOMES.\n"
                                 "ER  - \n", i);
        /* another year and another DOI */
        n += (size_t)sprintf(text + n, "TY  - JOUR\nTI  - Effects of treatment %d on outcomes\nPY  - 1999\n"
                             "DO  - 10.1/B%d\nER  - \n", i, i);
    }
    assert_int_equal(load(&b, &a, "d.ris", text), IV_OK);
    assert_int_equal(b.count, 600);
    for (size_t i = 0; i < b.count; i++) {
        found_ones += i % 6 == 4 && b.at[i].duplicate;
        wrong += i % 6 != 4 && b.at[i].duplicate;
        alike += i % 3 != 0 && i % 6 != 4 && b.at[i].of == i / 3 * 3 + 1;
    }
    assert_int_equal(found_ones, 100);
    assert_int_equal(alike, 300);
    assert_int_equal(b.alike, 300);
    assert_int_equal(wrong, 0);
    iv_arena_free(&a);
    free(text);
}

/* R writes NA, others a dash or the address without a DOI. */
static void what_is_no_doi_makes_no_duplicate(void **state)
{
    static const char *const none[] = { "NA", "n/a", "-", "none", "0", "https://doi.org/", "10.1/" };
    static const char *const same[] = { "10.1/a", "doi: 10.1/A", "http://www.doi.org/10.1/a", "DOI 10.1/a" };
    char text[4000] = "id,title,doi\n";
    size_t n = strlen(text);
    iv_bibliography b;
    iv_arena a = { 0 };

    (void)state;
    for (size_t i = 0; i < 14; i++)
        n += (size_t)sprintf(text + n, "7,Title %zu,%s\n", i, none[i % 7]);
    for (size_t i = 0; i < 4; i++)
        n += (size_t)sprintf(text + n, "%zu,Name %zu,%s\n", 100 + i, i, same[i]);
    n += (size_t)sprintf(text + n, "8,A title that is long enough,NA\n9,A title that is long enough,-\n");
    assert_int_equal(load(&b, &a, "na.csv", text), IV_OK);
    assert_int_equal(b.duplicates, 1);
    assert_int_equal(b.alike, 3);
    assert_true(!b.at[13].duplicate && b.at[17].of == 15 && b.at[19].duplicate);
    assert_int_equal(b.renamed, 13);
    iv_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_lines_are_read),
        cmocka_unit_test(what_is_no_json_is_told_with_its_line),
        cmocka_unit_test(a_record_without_a_text_is_none),
        cmocka_unit_test(tagged_documents_are_read_as_text),
        cmocka_unit_test(broken_tags_are_told_with_their_line),
        cmocka_unit_test(tab_separated_lines_are_read),
        cmocka_unit_test(topics_of_trec_are_read),
        cmocka_unit_test(bytes_of_other_encodings_become_text),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(a_folder_has_a_file_a_document),
        cmocka_unit_test(records_of_any_length_are_read),
        cmocka_unit_test(references_are_read_in_three_formats),
        cmocka_unit_test(duplicates_are_removed_and_look_alikes_stay),
        cmocka_unit_test(what_is_no_doi_makes_no_duplicate),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
