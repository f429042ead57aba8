#ifndef SOV_TESTS_REMOVE_H
#define SOV_TESTS_REMOVE_H
/* Removes a test's own folder and all in it; follows no link. */
#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *at)
{
    (void)facts;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
#endif
