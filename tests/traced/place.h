#ifndef SOV_TESTS_TRACED_PLACE_H
#define SOV_TESTS_TRACED_PLACE_H
/*
 * A place is a folder with repo/ (where a command runs) and home/ (its HOME); what the command says
 * is kept in out and err beside them. Owns: fresh copies of a place, and the digests by which what
 * is left of one is told apart. Two places with the same octets, modes and names are one state:
 * apart from what chance and the process gave, which are the number in a temporary file's name,
 * the nonce of a journal of SQLite, the checksums that follow from it, all of a journal whose head
 * says that it is over, and who held a lock last. What goes wrong here ends the program.
 */
#include "base/crypto.h"

enum { PATH_SIZE = 4096 };

struct notes; /* which files of a copy nobody has touched */

void die(const char *what);
struct notes *notes_new(void);
void notes_free(struct notes *notes);
/* Makes `place` what `from` is, and keeps of it what it still has. */
void place_renew(const char *from, const char *place, struct notes *notes);
/* notes may be NULL. Without words: of repo/ and home/ alone. */
void place_state(const char *place, bool words, struct notes *notes,
                 char text_out[SOV_HEX_HASH + 1]);
/* The first 16 digits of what was said. */
void place_words(const char *place, char text_out[17]);
/* The exit of a program whose scanf of the next point gave that: 2 where a line is none, since what
 * stands behind it has not been tried. */
int points_end(int got);
#endif
