/* What an auditor reads first, and runs: the commands that check a bundle with openssl, coreutils
 * and, for SSH keys, ssh-keygen alone. @WORDS@ are filled in. */
#include "cli/bundle.h"

static const char text_1[] =
    "# @ACC@ of ledger @ID@\n"
    "\n"
    "`@OUT@` was accepted by `@WHO@`. In this folder is what that stands on, and what vouches"
    " for it:\n"
    "\n"
    "| what | where |\n"
    "|---|---|\n"
    "| the events, octet for octet, as the log holds them | `events/SEQ.json` |\n"
    "| that each stands in the log: RFC 6962 hashes up to the signed root (C2SP tlog-proof) |"
    " `proofs/SEQ.tlog-proof` |\n"
    "| the signed root: a C2SP checkpoint, size @SIZE@ | `checkpoint` |\n"
    "| what actors signed with their own keys, and their signatures | `signed/SEQ.message`,"
    " `signed/SEQ.sig` |\n"
    "| public keys: of the ledger, and of those who signed (`.ssh`: a key of SSH, as"
    " `ssh-keygen` reads it) | `keys/` |\n"
    "| the whole as an in-toto Statement; the same signed, in a DSSE envelope and a Sigstore"
    " bundle | `statement.json`, `statement.dsse.json`, `statement.sigstore.json` |\n"
    "\n"
    "Deliverables are named in `statement.json` by their SHA-256: compare with the file that"
    " you have.\n"
    "\n"
    "## Check it without sov\n"
    "\n"
    "Read these commands, then run them: `sed -n '/^```sh$/,/^```$/p' README.md | grep -v"
    " '^```' | sh`.\n"
    "They need sh, sed, grep, coreutils and OpenSSL 3, and ssh-keygen where somebody signed by"
    " SSH. Compare\n"
    "the first line with the ledger id that you know from elsewhere: all the rest follows from"
    " it, and from\n"
    "nothing that is said here.\n"
    "\n"
    "```sh\n"
    "id=@ID@\n"
    "set -eu\n"
    "t=$(mktemp -d)\n"
    "trap 'rm -r \"$t\"' EXIT\n"
    "no() { echo \"NO: $*\"; exit 1; }\n"
    "digits() { case $1 in '' | *[!0-9]*) no \"$1 is no number\" ;; esac; }\n"
    "hex() { od -An -v -tx1 \"$@\" | tr -d ' \\n'; }\n"
    "sum() { sha256sum <\"$1\" | cut -c 1-64; }\n"
    "hash() { openssl dgst -sha256 -binary; }\n"
    "raw() { openssl pkey -pubin -in \"$1\" -outform DER | tail -c 32 | hex; }\n"
    "signed() { # KEY MESSAGE SIGNATURE\n"
    "    openssl pkeyutl -verify -pubin -inkey \"$1\" -rawin -in \"$2\" -sigfile \"$3\""
    " >\"$t/said\" 2>&1 ||\n"
    "        no \"$2 is not signed by $1\"\n"
    "}\n"
    "ssh_signed() { # ID MESSAGE SIGNATURE: an SSHSIG by that key, for what the message begins"
    " with\n"
    "    [ \"$(sed 's/.* //' \"keys/$1.ssh\" | base64 -d | tail -c 32 | hex)\" = \"$(raw"
    " \"keys/$1.pem\")\" ] ||\n"
    "        no \"keys/$1.ssh is another key\"\n"
    "    ssh-keygen -Y verify -f \"keys/$1.ssh\" -I \"$1\" -n \"$(sed -n 1p \"$2\")\" -s \"$3\""
    " <\"$2\" >\"$t/said\" 2>&1 ||\n"
    "        no \"$2 is not signed by keys/$1.ssh\"\n"
    "    sed '1d;$d' \"$3\" | base64 -d | tail -c 64 >\"$t/sig\"\n"
    "}\n"
    "registered() { # ID of a key whose file is the key of an event here\n"
    "    grep -q \"\\\"public_key\\\":\\\"$(raw"
    " \"keys/$1.pem\")\\\".*\\\"stream\\\":\\\"key/$1\\\"\" events/*.json ||\n"
    "        no \"keys/$1.pem is not registered\"\n"
    "}\n"
    "\n"
    "# 1. The copy is whole.\n"
    "sha256sum --check --quiet SHA256SUMS || no \"a file is not as it was sent\"\n"
    "\n"
    "# 2. Event 1 is the ledger: its hash is the id, and it names the ledger key.\n"
    "[ \"$(sum events/1.json)\" = \"$id\" ] || no \"this is another ledger\"\n"
    "grep -q \"\\\"public_key\\\":\\\"$(raw keys/ledger.pem)\\\"\" events/1.json || no \"that"
    " is not the ledger key\"\n"
    "\n"
    "# 3. That key signed the checkpoint of this very log.\n"
    "sed '/^$/,$d' checkpoint >\"$t/text\"\n"
    "sed -n '$s/.* //p' checkpoint | base64 -d | tail -c 64 >\"$t/sig\"\n"
    "signed keys/ledger.pem \"$t/text\" \"$t/sig\"\n"
    "[ \"$(sed -n '1s|.*/||p' checkpoint)\" = \"$id\" ] || no \"the checkpoint is of another"
    " log\"\n"
    "size=$(sed -n 2p checkpoint)\n"
    "digits \"$size\"\n";
static const char text_2[] =
    "\n"
    "# 4. The statement is signed (DSSE: type and payload, each with its length), and names"
    " these events.\n"
    "sed 's/.*\"payload\":\"\\([^\"]*\\)\".*/\\1/' statement.dsse.json | base64 -d"
    " >\"$t/payload\"\n"
    "sed 's/.*\"sig\":\"\\([^\"]*\\)\".*/\\1/' statement.dsse.json | base64 -d >\"$t/sig\"\n"
    "cmp -s \"$t/payload\" statement.json || no \"statement.json is not what was signed\"\n"
    "{\n"
    "    printf 'DSSEv1 28 application/vnd.in-toto+json %s ' \"$(wc -c <\"$t/payload\" | tr -d"
    " ' ')\"\n"
    "    cat \"$t/payload\"\n"
    "} >\"$t/message\"\n"
    "@REGISTERED@signed keys/@SIGNER@.pem \"$t/message\" \"$t/sig\"\n"
    "sha256sum events/*.json | sed 's|^\\(.*\\) "
    " events/\\(.*\\)\\.json$|{\"seq\":\\2,\"sha256\":\"\\1\"}|' |\n"
    "    sort >\"$t/here\"\n"
    "grep -o '{\"seq\":[0-9]*,\"sha256\":\"[0-9a-f]*\"}' statement.json | sort |\n"
    "    cmp -s - \"$t/here\" || no \"the events are not those of the statement\"\n"
    "\n"
    "# 5. Actors signed their decisions with keys that the log registered.\n"
    "for message in signed/*.message; do\n"
    "    seq=$(basename \"$message\" .message)\n"
    "    digits \"$seq\"\n"
    "    key=$(sed 's/.*\"sig\":{\"key\":\"\\([a-z0-9]*\\)\".*/\\1/' \"events/$seq.json\")\n"
    "    registered \"$key\"\n"
    "    if [ -e \"keys/$key.ssh\" ]; then\n"
    "        ssh_signed \"$key\" \"$message\" \"signed/$seq.sig\"\n"
    "    else\n"
    "        cp \"signed/$seq.sig\" \"$t/sig\"\n"
    "        signed \"keys/$key.pem\" \"$message\" \"$t/sig\"\n"
    "    fi\n"
    "    grep -q \"\\\"signature\\\":\\\"$(hex"
    " \"$t/sig\")\\\",\\\"statement\\\":\\\"$(sum \"$message\")\\\"\" \\\n"
    "        \"events/$seq.json\" || no \"$message is not what event $seq says was signed\"\n"
    "done\n"
    "\n"
    "# 6. Each event leads to the signed root (RFC 9162, 2.1.3.2). N-LAST is a node of the"
    " tree; what\n"
    "#    one event has led from is proven for the next.\n"
    "mkdir \"$t/new\" \"$t/proven\"\n"
    "sed -n 3p checkpoint | base64 -d >\"$t/proven/0-0\"\n"
    "is_proven() { [ -e \"$t/proven/$1\" ] && cmp -s \"$t/new/$1\" \"$t/proven/$1\"; }\n"
    "for event in events/*.json; do\n"
    "    seq=$(basename \"$event\" .json)\n"
    "    digits \"$seq\"\n"
    "    n=$((seq - 1)) last=$((size - 1))\n"
    "    { printf '\\000'; cat \"$event\"; } | hash >\"$t/new/$n-$last\"\n"
    "    sed '1,/^index /d; /^$/,$d' \"proofs/$seq.tlog-proof\" >\"$t/path\"\n"
    "    while ! is_proven \"$n-$last\" && read -r other && [ \"$last\" -gt 0 ]; do\n"
    "        node=$t/new/$n-$last\n"
    "        if [ $((n % 2)) = 1 ] || [ \"$n\" = \"$last\" ]; then\n"
    "            { printf '\\001'; printf %s \"$other\" | base64 -d; cat \"$node\"; }"
    " >\"$t/both\"\n"
    "            while [ $((n % 2)) = 0 ]; do n=$((n / 2)) last=$((last / 2)); done\n"
    "        else\n"
    "            { printf '\\001'; cat \"$node\"; printf %s \"$other\" | base64 -d; }"
    " >\"$t/both\"\n"
    "        fi\n"
    "        n=$((n / 2)) last=$((last / 2))\n"
    "        hash <\"$t/both\" >\"$t/new/$n-$last\"\n"
    "    done <\"$t/path\"\n"
    "    is_proven \"$n-$last\" || no \"$event does not stand in the log\"\n"
    "    mv \"$t/new\"/* \"$t/proven\"\n"
    "done\n"
    "echo \"ok: @ACC@ stands in the log of $size events of ledger $id\"\n"
    "```\n";
static const char text_3[] =
    "\n"
    "What this does not say: whether the checks of the outcome were the right ones, and what"
    " happened after\n"
    "event @SIZE@. The Sigstore bundle verifies with `@sigstore/verify`, the key of"
    " `keys/@SIGNER@.pem` and no\n"
    "transparency log. With sov: `sov prove --check proofs/@SEQ@.tlog-proof --ledger-id @ID@`.\n";
static const char *const texts[] = { text_1, text_2, text_3 };

static void fill(const struct sov_bundle_words *words, const char *word, size_t size,
                 struct sov_buf *out)
{
    const struct {
        const char *word, *text;
    } rows[] = {
        { "ACC", words->acceptance }, { "ID", words->ledger },
        { "OUT", words->outcome },    { "WHO", words->who },
        { "SIZE", words->size },      { "SEQ", words->seq },
        { "SIGNER", words->signer },  { "REGISTERED", words->registered },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].word) == size && memcmp(rows[i].word, word, size) == 0) {
            sov_buf_add_text(out, rows[i].text);
            return;
        }
    sov_buf_add_byte(out, '@'); /* a sign of the text itself */
    sov_buf_add(out, sov_bytes(word, size));
    sov_buf_add_byte(out, '@');
}

void sov_bundle_readme(const struct sov_bundle_words *words, struct sov_buf *out)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *at = texts[i]; *at;) {
            size_t plain = strcspn(at, "@"), size;

            sov_buf_add(out, sov_bytes(at, plain));
            at += plain;
            if (!*at) break;
            size = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
            if (size && at[1 + size] == '@') {
                fill(words, at + 1, size, out);
                at += size + 2;
            } else {
                sov_buf_add_byte(out, '@');
                at++;
            }
        }
}
