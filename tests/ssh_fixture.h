#ifndef SOV_TESTS_SSH_FIXTURE_H
#define SOV_TESTS_SSH_FIXTURE_H
/* What ssh-keygen wrote: a key pair made for these tests and of no other use, and its signature
 * over "sov.accept.v1\n{}" in the namespace sov.accept.v1. */
#define SSH_BEGIN "-----BEGIN OPENSSH PRIVATE KEY-----\n"
#define SSH_END "-----END OPENSSH PRIVATE KEY-----\n"
#define SSH_PRIVATE                                                                                \
    SSH_BEGIN "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"           \
              "QyNTUxOQAAACAtHrJ5uWzpDuUJw/Q6Rts/IGsTOoH8fLR4CS82jcREowAAAJCu0el7rtHp\n"           \
              "ewAAAAtzc2gtZWQyNTUxOQAAACAtHrJ5uWzpDuUJw/Q6Rts/IGsTOoH8fLR4CS82jcREow\n"           \
              "AAAECc1mstn9XRCRw0uLLtHupSslgzpG2POYjCQR3haD0dbS0esnm5bOkO5QnD9DpG2z8g\n"           \
              "axM6gfx8tHgJLzaNxESjAAAACGEgcGVyc29uAQIDBAU=\n" SSH_END
#define SSH_PUBLIC                                                                                 \
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC0esnm5bOkO5QnD9DpG2z8gaxM6gfx8tHgJLzaNxESj"
#define SSH_MESSAGE "sov.accept.v1\n{}"
#define SSH_SIGNATURE                                                                              \
    "-----BEGIN SSH SIGNATURE-----\n"                                                              \
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgLR6yebls6Q7lCcP0OkbbPyBrEz\n"                     \
    "qB/Hy0eAkvNo3ERKMAAAANc292LmFjY2VwdC52MQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtz\n"                     \
    "c2gtZWQyNTUxOQAAAEBBdbFAQfyn93zNTIGyvsn6vHX8Ra7mRDw08Sj654WnDkEoFUPIH6\n"                     \
    "tNhe+Lz4JNr1c5Y5AyiZaW2+3JCcsp5xUG\n"                                                         \
    "-----END SSH SIGNATURE-----\n"
#endif
