/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines made of words that mean something: each byte of the input chooses one.
 * Whatever they say together, the tool ends with status 0, 1 or 2.  No word writes.
 */
#include "fuzz_answer.h"

#include <fcntl.h>

#include "frame/frame.h"

static const cmd *const commands[] = {
    &cmd_eval, &cmd_compare, &cmd_incomplete, &cmd_prf, &cmd_recall, &cmd_sample, &cmd_next,
    &cmd_check, &cmd_measures, &cmd_plan_power, &cmd_plan_recall, NULL };

static const char *const words[] = {
    "@qrels", "@run", "@other", "@prels", "@table", "-m", "AP", "nDCG@10", "P@5,10", "RR",
    "all_trec", "-q", "-n", "-c", "-l", "-M", "--level", "0", "1", "2", "5", "-1", "0.5",
    "0.95", "1e9", "x", "", "--bounds", "--ties", "--ci", "t", "none", "bootstrap",
    "--confidence", "--seed", "--threads", "--format", "json", "tsv", "csv", "latex",
    "markdown", "vega", "trec", "text", "--table", "pairs", "runs", "measures", "topics",
    "--quiet", "--cite", "--help", "--baseline", "--correct", "holm", "tukey", "none", "auto",
    "--test", "t", "sign", "randomisation", "--groups", "--matrix", "--by", "topics",
    "--permutations", "20", "--counts", "8,2,3", "A=80,20,40", "B=75,10,45", "--compare",
    "--labels", "--strata", "--retrieved", "100,50,20", "--unretrieved", "900,50,3",
    "--beta", "--prior", "--target", "--one-sided", "--budget", "--total", "--design",
    "stratified", "--depth", "--weights", "--pool-depth", "--judged", "--relevance", "--count",
    "--until", "--oracle", "--effect", "--power", "0.8", "--topics", "--sides", "two",
    "--population", "1000", "--recall", "--precision", "--width", "0.3", "--estimator",
    "--unjudged", "drop", "nonrelevant", "--judgments-format", "qrels", "prels",
    "--run-format", "msmarco", "--max-input", "--force", "--", "-", "--complete" };

static const char *const texts[] = {
    "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 0\n2 0 d 1\n3 0 a 1\n",
    "1 Q0 a 1 9 r\n1 Q0 b 2 8 r\n1 Q0 e 3 7 r\n2 Q0 d 1 9 r\n2 Q0 a 2 9 r\n3 Q0 z 1 1 r\n",
    "1 Q0 b 1 9 o\n1 Q0 a 2 8 o\n2 Q0 a 1 9 o\n2 Q0 d 2 8 o\n3 Q0 a 1 3 o\n",
    "1 a 1 1 0.5\n1 b 0 1 0.25\n2 d 1 2 1\n3 a 0 1 0.5\n",
    "id,gold,one,two\n1,yes,yes,no\n2,no,yes,no\n3,yes,no,yes\n" };
static const char *const names[] = { "@qrels", "@run", "@other", "@prels", "@table" };
enum { FILES = 5, MOST = 24 };

/* The files, made once; the tool's own output goes nowhere. */
static char (*paths(void))[FUZZ_PATH]
{
    static char at[FILES][FUZZ_PATH];

    for (size_t i = 0; i < FILES && at[i][0] == '\0'; i++) {
        FILE *file; /* stays open, which keeps its name */
        PROMISE(fuzz_file(at[i], &file, texts[i], strlen(texts[i])));
    }
    return at;
}

static char *copy_of(const char *word)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(word, names[i]) == 0)
            return strdup(paths()[i]);
    return strdup(word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[MOST + 3] = { strdup("intervale") };
    int argc = 1;

    if (size == 0)
        return 0;
    const cmd *c = commands[data[0] % (sizeof commands / sizeof *commands - 1)];
    char first[32];
    (void)snprintf(first, sizeof first, "%s", c->name);
    char *blank = strchr(first, ' ');
    if (blank != NULL)
        *blank = '\0';
    argv[argc++] = strdup(first);
    if (blank != NULL)
        argv[argc++] = strdup(blank + 1);
    for (size_t i = 1; i < size && argc < MOST; i++)
        argv[argc++] = copy_of(words[data[i] % (sizeof words / sizeof *words)]);
    argv[argc] = NULL;
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), in = dup(STDIN_FILENO);
    const int nowhere = open("/dev/null", O_RDWR);
    (void)fflush(stdout);
    for (int fd = 0; fd < 3; fd++)
        (void)dup2(nowhere, fd);
    const int status = frame_main(commands, argc, argv);
    (void)fflush(stdout);
    (void)dup2(in, STDIN_FILENO), (void)dup2(out, STDOUT_FILENO), (void)dup2(err, STDERR_FILENO);
    (void)close(in), (void)close(out), (void)close(err), (void)close(nowhere);
    PROMISE(status >= FRAME_OK && status <= FRAME_USAGE);
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    return 0;
}
