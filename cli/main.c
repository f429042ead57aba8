/* Binds the program to the system: nowhere else are the clock and the random source chosen. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };

    return sov_cli(argc, argv, &seams);
}
