#ifndef SOV_CLI_VERSION_H
#define SOV_CLI_VERSION_H
/* The release, in one place. */
#define SOV_VERSION "0.1.0"
#endif
