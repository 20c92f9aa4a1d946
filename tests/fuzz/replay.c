/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs fuzz targets without libFuzzer: every file of a target's corpus, and of
 * small files every beginning and every byte changed in a few ways.
 *
 * usage: replay CORPUS [TARGET...]
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int target_run(const uint8_t *data, size_t size);

target_run fuzz_command, fuzz_csv, fuzz_groups, fuzz_inspect, fuzz_judgments, fuzz_labels,
    fuzz_matrix, fuzz_number, fuzz_options, fuzz_parts, fuzz_run, fuzz_sampled, fuzz_scores,
    fuzz_strata, fuzz_unpack;
#if INTERVALE_JUDGE
target_run fuzz_archive, fuzz_documents, fuzz_references, fuzz_session;
#endif

static const struct { const char *name; target_run *run; } targets[] = {
    { "command", fuzz_command }, { "csv", fuzz_csv }, { "groups", fuzz_groups },
    { "inspect", fuzz_inspect }, { "judgments", fuzz_judgments }, { "labels", fuzz_labels },
    { "matrix", fuzz_matrix }, { "number", fuzz_number }, { "options", fuzz_options },
    { "parts", fuzz_parts }, { "run", fuzz_run }, { "sampled", fuzz_sampled }, { "scores", fuzz_scores },
    { "strata", fuzz_strata }, { "unpack", fuzz_unpack },
#if INTERVALE_JUDGE
    { "archive", fuzz_archive }, { "documents", fuzz_documents },
    { "references", fuzz_references }, { "session", fuzz_session },
#endif
};

enum { SMALL = 200, LARGEST = 1 << 20 };

static unsigned long runs;

static void run_on(target_run *run, const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1); /* a read beyond it is seen */

    if (exact == NULL)
        abort();
    if (size > 0)
        memcpy(exact, data, size);
    (void)run(exact, size);
    free(exact);
    runs++;
}

static void vary(target_run *run, uint8_t *data, size_t size)
{
    static const uint8_t others[] = { '\0', '\n', ' ', '"', '0', 0xff };

    for (size_t len = 0; len < size; len++)
        run_on(run, data, len);
    for (size_t i = 0; i < size; i++) {
        const uint8_t was = data[i];
        for (size_t k = 0; k < sizeof others; k++) {
            data[i] = others[k];
            run_on(run, data, size);
        }
        data[i] = was;
    }
}

static bool replay_file(target_run *run, const char *path)
{
    static uint8_t data[LARGEST];
    FILE *f = fopen(path, "rb");

    if (f == NULL)
        return false;
    const size_t size = fread(data, 1, sizeof data, f);
    const bool ok = !ferror(f) && size < sizeof data;
    (void)fclose(f);
    if (!ok)
        return false;
    run_on(run, data, size);
    if (size <= SMALL)
        vary(run, data, size);
    return true;
}

static int replay(const char *corpus, const char *name, target_run *run)
{
    char folder[2048], path[4096];
    unsigned long files = 0;

    (void)snprintf(folder, sizeof folder, "%s/%s", corpus, name);
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        (void)fprintf(stderr, "%s: no corpus\n", folder);
        return 1;
    }
    runs = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!replay_file(run, path)) {
            (void)fprintf(stderr, "%s: cannot be read\n", path);
            (void)closedir(dir);
            return 1;
        }
        files++;
    }
    (void)closedir(dir);
    (void)printf("%s: %lu files, %lu runs\n", name, files, runs);
    return files == 0;
}

int main(int argc, char **argv)
{
    int failures = 0;

    if (argc < 2)
        return 2;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        bool asked = argc == 2;
        for (int k = 2; k < argc; k++)
            asked = asked || strcmp(argv[k], targets[i].name) == 0;
        if (asked)
            failures += replay(argv[1], targets[i].name, targets[i].run);
    }
    return failures;
}
