// Judges checkpoints and proofs with the packages that Go's own checksum database is read with:
// golang.org/x/mod/sumdb/note and tlog. Built without a module, from what Debian ships.
//
//	tlog NAME+ID+KEY CHECKPOINT               the note is signed by that key
//	tlog NAME+ID+KEY CHECKPOINT PROOF EVENT   and the event stands under it
//	tlog -between NAME+ID+KEY PROOF           the older checkpoint is a prefix of the newer one
//	tlog -key NAME HEX                        that key as Go spells it
package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		fmt.Println("NO:", err)
		os.Exit(1)
	}
}

func read(name string) []byte {
	text, err := os.ReadFile(name)
	must(err)
	return text
}

func tree(text []byte, key string) tlog.Tree {
	verifier, err := note.NewVerifier(key)
	must(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		must(fmt.Errorf("the text is no checkpoint of %s", verifier.Name()))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: size, Hash: root}
}

func hashes(lines []string) []tlog.Hash {
	var all []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		must(err)
		all = append(all, hash)
	}
	return all
}

// The part before the first empty line, and all behind it.
func split(text []byte) ([]string, []byte) {
	head, rest, found := bytes.Cut(text, []byte("\n\n"))
	if !found {
		must(fmt.Errorf("the proof has no checkpoint"))
	}
	return strings.Split(string(head), "\n"), rest
}

func inclusion(head tlog.Tree, proof, event []byte) {
	lines, checkpoint := split(proof)
	if lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "extra ") {
		must(fmt.Errorf("the file is no proof"))
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	must(err)
	if !bytes.Contains(checkpoint, []byte(head.Hash.String())) {
		must(fmt.Errorf("the proof is under another checkpoint"))
	}
	must(tlog.CheckRecord(hashes(lines[3:]), head.N, head.Hash, index, tlog.RecordHash(event)))
}

func between(key string, proof []byte) {
	lines, rest := split(proof)
	// A note has one empty line inside; the next one ends it.
	body, rest, _ := bytes.Cut(rest, []byte("\n\n"))
	signature, newer, found := bytes.Cut(rest, []byte("\n\n"))
	if lines[0] != "sov.consistency-proof@v1" || !found {
		must(fmt.Errorf("the file is no proof of consistency"))
	}
	older := append(append(append(body, "\n\n"...), signature...), '\n')
	from, to := tree(older, key), tree(newer, key)
	must(tlog.CheckTree(hashes(lines[2:]), to.N, to.Hash, from.N, from.Hash))
}

func main() {
	words := os.Args[1:]
	switch {
	case len(words) == 3 && words[0] == "-key":
		raw, err := hex.DecodeString(words[2])
		must(err)
		key, err := note.NewEd25519VerifierKey(words[1], raw)
		must(err)
		_, err = note.NewVerifier(key)
		must(err)
		fmt.Println(key)
	case len(words) == 3 && words[0] == "-between":
		between(words[1], read(words[2]))
	case len(words) == 2 || len(words) == 4:
		head := tree(read(words[1]), words[0])
		if len(words) == 4 {
			inclusion(head, read(words[2]), read(words[3]))
		}
	default:
		must(fmt.Errorf("called with %d words", len(words)))
	}
}
