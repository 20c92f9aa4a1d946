/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when memory or the disk gives out; the name of a test is the claim. */
#include "fault.h"

#include <dirent.h>
#include <unistd.h>

char fault_folder[] = "/tmp/intervale-fault-XXXXXX";

const char *fault_path(const char *name)
{
    static char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", fault_folder, name);
    return path;
}

const char *fault_file(const char *name, const char *bytes, size_t len)
{
    FILE *f = fopen(fault_path(name), "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
    return fault_path(name);
}

size_t fault_files(void)
{
    size_t count = 0;
    DIR *dir = opendir(fault_folder);

    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        count += e->d_name[0] != '.';
    (void)closedir(dir);
    return count;
}

/* Without an argument: the library.  With `some` or `many`: command lines, and as many
 * of their allocations; with `system` its faults. */
int main(int argc, char **argv)
{
    if (mkdtemp(fault_folder) == NULL)
        return 1;
    const char *what = argc > 1 ? argv[1] : "";
    const int failures = strcmp(what, "system") == 0 ? system_tests()
        : argc > 1 ? command_tests(strcmp(what, "many") == 0)
                   : memory_tests() + writing_tests() + estimate_memory_tests();
    return failures + (rmdir(fault_folder) != 0); /* nothing is left behind */
}
