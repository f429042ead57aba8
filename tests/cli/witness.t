Two departments witness each other: each has a key for that, beside its ledger key, and both put the
lines that it prints into one policy. (Another seed each: the seeded program draws the same twice.)

  $ cat > lib.sh <<'END'
  > hide() { sed "s/$(cat ../a.id)/A/g; s/$(cat ../b.id)/B/g"; }
  > ask() { (cd ../$1 && sov witness answer --witnesses ../policy <../$2 >../$3; echo $?); sed -n '1p;5,$p' ../$3 | tr -d '\r' | cut -c1-20; }
  > state() { find ../.local/share/sov/keys governance -type f | sort | xargs sha256sum | sha256sum; }
  > END
  $ for w in a b; do mkdir $w; cd $w; git init -q -b main; SOV_TEST_SEED=$w sov init --name $w -q >../$w.id; SOV_TEST_SEED=w$w sov witness key >../$w.lines; cd ..; done; cat a.lines b.lines >policy; echo 'group both all a b' >>policy; echo 'quorum both' >>policy; cd a; . ../lib.sh; hide <../policy; stat -c %a ../.local/share/sov/keys/$(cat ../a.id)/witness ../.local/share/sov/keys/$(cat ../a.id)/witness.key; sov witness key | cmp - ../a.lines; sov witness key --json=effect | cut -c1-59
  log a/A+838e8755+ATEhijFV6lr4GyE4hil5rVuZwEdRvfKl9yO5S/i7l4Lo
  witness a a/A/witness+49f60b09+BJoYgWmWlIRPfzuKOAZIALl4M8bSKLDbT5bFPNNv5PlY
  log b/B+4e917a49+AdNzVVTy93US2m4VbmLVF0sf6CqTZWMK3wXIVm6Ev2bf
  witness b b/B/witness+b1c70882+BLv3mDOaogGPdx1Ywql/4BNoYNk4PyMibrFwCUy4auPc
  group both all a b
  quorum both
  700
  600
  {"schema":"sov.witness.key.v1","data":{"effect":"noop"},"wa

Whatever a ledger is called, the line is one of a policy.

  $ for name in 'The store' None; do mkdir named; cd named; git init -q -b main; SOV_TEST_SEED=$name sov init --name "$name" -q >../id; sov witness key >../lines; sed "s/$(cat ../id)/ID/g; s/+.*//" ../lines; { cat ../lines; echo quorum $(sed -n 's/^witness \([^ ]*\) .*/\1/p' ../lines); } >../own; sov witness answer --witnesses ../own | head -n 1 | tr -d '\r'; cd ..; rm -rf named; done
  log the-store/ID
  witness the-store the-store/ID/witness
  HTTP/1.1 400 Bad Request
  log none/ID
  witness none/ID none/ID/witness
  HTTP/1.1 400 Bad Request

One asks, the other answers; what is too little changes nothing.

  $ cd a; . ../lib.sh; sov witness request -o ../request; hide <../request | sed -n '1,4p'; ask b request answer.b; state >../before; sov witness take ../request ../answer.b --witnesses ../policy; state | cmp - ../before
  old 0
  
  a/A
  12
  0
  HTTP/1.1 200 OK
  — b/0a4e71af4a840e
  sov: not possible now: 1 of 2 witnesses cosigned the checkpoint of size 12, and the policy asks for others or more
    why      a checkpoint counts as witnessed by as many as the policy asks for [witness_unavailable]
    inspect  sov help witness
    next     ask those that did not answer again, from the size that they name
  $ cd a; . ../lib.sh; ask a request answer.a; sov witness take ../request ../answer.b ../answer.a --witnesses ../policy -n; ls governance/cosigned 2>&1 | grep -c 'No such'; sov witness take ../request ../answer.b ../answer.a --witnesses ../policy; grep -c '^—' governance/cosigned/12; sov witness take ../request ../answer.a --witnesses ../policy --json=effect,witnesses | cut -c1-75; sov verify --projections --witnesses ../policy | sed -n '/witness/p;$p'
  0
  HTTP/1.1 200 OK
  — a/fb4622d5fb1a01
  governance/cosigned/12 would be written, cosigned by 2 of 2
  1
  governance/cosigned/12 written, cosigned by 2 of 2
  3
  {"schema":"sov.witness.take.v1","data":{"effect":"noop","witnesses":["a","b
  anchor   witness at 12: a prefix of this log
  ok

What a witness signed is what openssl says it is.

  $ cd a; grep '^— b/' governance/cosigned/12 | cut -d' ' -f3 | base64 -d >../line; tail -c 64 ../line >../sig; time=$(head -c 12 ../line | tail -c 8 | od -An -tu1 | awk '{ for (i = 1; i <= 8; i++) n = n * 256 + $i; print n }'); { printf 'cosignature/v1\ntime %s\n' $time; sed '/^$/,$d' governance/cosigned/12; } >../said; { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; grep '^witness b' ../policy | sed 's/.*+//' | base64 -d | tail -c 32; } >../pub.der; openssl pkeyutl -verify -pubin -keyform DER -inkey ../pub.der -rawin -in ../said -sigfile ../sig; sed -n 1,2p ../said
  Signature Verified Successfully
  cosignature/v1
  time 1767225600

The same answers again change nothing; a newer one is taken in the place of the older.

  $ cd a; . ../lib.sh; takes() { sov witness take ../request $@ --witnesses ../policy; sov witness take ../request $@ --witnesses ../policy --json=effect | cut -c1-57; }; state >../before; takes ../answer.b ../answer.b; state | cmp - ../before; SOV_TEST_CLOCK=2026-01-02T00:00:00.000Z; export SOV_TEST_CLOCK; sov witness request --old 12 >../again; ask b again newer; sov witness take ../request ../newer --witnesses ../policy -n --json=effect | cut -c1-58; state | cmp - ../before; takes ../newer; takes ../answer.b; grep -c "^— b/.*$(sed -n '5s/.* //p' ../newer)" governance/cosigned/12
  governance/cosigned/12 stays as it is, cosigned by 2 of 2
  {"schema":"sov.witness.take.v1","data":{"effect":"noop"},
  0
  HTTP/1.1 200 OK
  — b/0a4e71af4a840e
  {"schema":"sov.witness.take.v1","data":{"effect":"would"},
  governance/cosigned/12 written, cosigned by 2 of 2
  {"schema":"sov.witness.take.v1","data":{"effect":"noop"},
  governance/cosigned/12 stays as it is, cosigned by 2 of 2
  {"schema":"sov.witness.take.v1","data":{"effect":"noop"},
  1

What was taken under another policy stays; what is another checkpoint of the size stays, too, and is
said.

  $ cd a; grep -v '^witness a\|^group\|^quorum' ../policy >../narrow; echo 'quorum b' >>../narrow; cp governance/cosigned/12 ../whole; sov witness take ../request ../answer.b --witnesses ../narrow; sort ../whole >../x; sort governance/cosigned/12 | cmp - ../x; sed '2s/12/13/' ../whole >governance/cosigned/12; sov witness take ../request ../answer.b --witnesses ../policy 2>&1 | head -n 2; sed -n 2p governance/cosigned/12; cp ../whole governance/cosigned/12
  governance/cosigned/12 written, cosigned by 1 of 1
  sov: integrity: governance/cosigned/12 holds another checkpoint of this size: it is kept as evidence
    why      a signed root is no prefix of this log, or it is another ledger [fork]
  13

An answer is what HTTP of any version calls one, and what comes before the last head is none.

  $ cd a; heads() { { printf "$1\r\nX: y\r\n\r\n"; sed '1,/^.$/d' ../answer.b; } >../x; sov witness take ../request ../x ../answer.a --witnesses ../policy -n 2>&1 | head -n 1; }; mv governance/cosigned ../aside; for head in 'HTTP/2 200 ' 'HTTP/2 200' 'HTTP/1.0 200 OK' 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/2 200'; do heads "$head"; done; for head in 'HTTP/1.1 100 Continue' 'HTTP/1.1 100 Continue\r\n\r\nHTTP/3 503' HTTP/2 'HTTP/2 20' 'HTTP/2 2000' 'HTTP/1.x 200' 'HTTP/11 200' 'HTTP/ 200'; do heads "$head"; done; printf 'HTTP/2 409 \r\n\r\n12\n' >../x; sov witness take ../request ../x --witnesses ../policy 2>&1 | head -n 1; printf 'HTTP/1.1 200 OK\r\n' >../x; sov witness take ../request ../x --witnesses ../policy 2>&1 | head -n 1; : >../x; sov witness take ../request ../answer.b ../x ../answer.b ../answer.a -n --witnesses ../policy; mv ../aside governance/cosigned
  governance/cosigned/12 would be written, cosigned by 2 of 2
  governance/cosigned/12 would be written, cosigned by 2 of 2
  governance/cosigned/12 would be written, cosigned by 2 of 2
  governance/cosigned/12 would be written, cosigned by 2 of 2
  ../x: no answer of HTTP
  ../x: answered 503
  ../x: no answer of HTTP
  ../x: no answer of HTTP
  ../x: no answer of HTTP
  ../x: no answer of HTTP
  ../x: no answer of HTTP
  ../x: no answer of HTTP
  ../x: cosigned last at 12; ask again with --old
  ../x: no answer of HTTP
  ../x: nothing of a witness that the policy names
  governance/cosigned/12 would be written, cosigned by 2 of 2

The log grew: the witness goes on from where it was, and from nowhere else.

  $ cd a; . ../lib.sh; sov subject declare TEA --fact cost=1 --actor principal -q; sov project -q; sov witness request >../request; ask b request answer; sov witness take ../request ../answer --witnesses ../policy 2>&1 | sed -n 1,2p; sov witness request --old 12 >../request; ask b request answer.b; ask b request answer; ask a request answer.a; sov witness take ../request ../answer.a ../answer.b --witnesses ../policy; sov verify --projections --published --witnesses ../policy | grep '^anchor.*witness\|^ok'
  TEA
  13
  1
  HTTP/1.1 409 Conflic
  12
  ../answer: cosigned last at 12; ask again with --old
  sov: not possible now: 0 of 2 witnesses cosigned the checkpoint of size 13, and the policy asks for others or more
  0
  HTTP/1.1 200 OK
  — b/0a4e71af4a840e
  1
  HTTP/1.1 409 Conflic
  13
  0
  HTTP/1.1 200 OK
  — a/fb4622d5fb1a01
  governance/cosigned/13 written, cosigned by 2 of 2
  anchor   witness at 12: a prefix of this log
  anchor   witness at 13: a prefix of this log
  ok

Requests that are none.

  $ cd b; for bytes in '' 'old 1' 'old 1\n\0\n' 'old 1\r\n\r\nx' 'GET / HTTP/1.1\r\n\r\n'; do printf "$bytes" | sov witness answer --witnesses ../policy | tr -d '\r' | sed -n '1p;$p'; done; head -c 20000 /dev/zero | sov witness answer --witnesses ../policy | tr -d '\r' | sed -n '1p;$p'; sed 's/^13$/14/' ../request | sov witness answer --witnesses ../policy | head -n 1 | tr -d '\r'; grep -v '^log a' ../policy >../deaf; sov witness answer --witnesses ../deaf <../request | head -n 1 | tr -d '\r'
  HTTP/1.1 400 Bad Request
  this is no add-checkpoint request
  HTTP/1.1 400 Bad Request
  this is no add-checkpoint request
  HTTP/1.1 400 Bad Request
  this is no add-checkpoint request
  HTTP/1.1 400 Bad Request
  this is no add-checkpoint request
  HTTP/1.1 400 Bad Request
  this is no add-checkpoint request
  HTTP/1.1 413 Content Too Large
  a request is shorter
  HTTP/1.1 403 Forbidden
  HTTP/1.1 404 Not Found

A witness that does not know what it signed last signs nothing.

  $ cd b; . ../lib.sh; mv ../.local/share/sov/keys/$(cat ../b.id)/witness ../aside; sov witness answer --witnesses ../policy <../request; mv ../aside ../.local/share/sov/keys/$(cat ../b.id)/witness
  sov: not possible now: what this witness remembers is gone
    why      a witness signs nothing while it does not know what it signed last [witness_state]
    inspect  sov help witness
    next     put the folder of before back beside the witness's key; else make a new key under another name

An old copy put back, and another history under the same key: the witness signs neither, and who holds
its cosignatures sees both.

  $ cp -r a old; cd a; . ../lib.sh; sov subject declare JAM --fact cost=1 --actor principal -q; sov project -q; sov witness request --old 13 >../request; ask b request answer.b; ask a request answer.a; sov witness take ../request ../answer.a ../answer.b --witnesses ../policy -q; cd ../old; rm -rf ../.local/state/sov/pins; mkdir -p governance/cosigned; cp ../a/governance/cosigned/14 governance/cosigned; sov verify --witnesses ../policy -q
  JAM
  14
  0
  HTTP/1.1 200 OK
  — b/0a4e71af4a840e
  0
  HTTP/1.1 200 OK
  — a/fb4622d5fb1a01
  governance/cosigned/14 written, cosigned by 2 of 2
  ROLLBACK    seq 14  a checkpoint that 2 of 2 witnesses cosigned knows a larger log than this one
  no: 1 finding (ROLLBACK 1); next: restore governance/, or find who put an old copy back
  ? 6
  $ cd old; . ../lib.sh; sov subject declare RUM --fact cost=1 --actor principal -q; sov project -q; sov witness request --old 13 >../request; ask b request answer; (cd ../b; sed 's/^old 13$/old 14/; 2,/^$/{/=$/d}' ../request | sov witness answer --witnesses ../policy | head -n 1 | tr -d '\r'); rm -rf ../.local/state/sov/pins; sov verify --witnesses ../policy -q
  RUM
  14
  1
  HTTP/1.1 409 Conflic
  14
  HTTP/1.1 409 Conflict
  FORK        seq 14  the root that a checkpoint that 2 of 2 witnesses cosigned holds is no prefix of this log
  no: 1 finding (FORK 1); next: keep both sides
  ? 6

What lies among the cosigned checkpoints and cannot be read hides nothing that the others say.

  $ cd old; for what in 'head -c 70000 /dev/zero >' 'ln -s 14' 'mkdir'; do eval "$what governance/cosigned/1"; sov verify --witnesses ../policy -q | cut -c1-72; rm -r governance/cosigned/1; done
  TAMPER      governance/cosigned/1:1  governance/cosigned/1 has more than
  FORK        seq 14  the root that a checkpoint that 2 of 2 witnesses cos
  no: 2 findings (TAMPER 1, FORK 1); next: keep the file, compare with the
  TAMPER      governance/cosigned/1:1  governance/cosigned/1 is a link or 
  FORK        seq 14  the root that a checkpoint that 2 of 2 witnesses cos
  no: 2 findings (TAMPER 1, FORK 1); next: keep the file, compare with the
  TAMPER      governance/cosigned/1:1  governance/cosigned/1 is not a regu
  FORK        seq 14  the root that a checkpoint that 2 of 2 witnesses cos
  no: 2 findings (TAMPER 1, FORK 1); next: keep the file, compare with the

A cosignature that does not hold, lines of others, a file that belongs to nothing.

  $ cd a; cp -r governance/cosigned ../kept; sed -i '/^— b/s/AAAA/AAAB/' governance/cosigned/14; sov verify --projections --witnesses ../policy -q; rm -r governance/cosigned; sov verify --projections --witnesses ../policy -q; cp -r ../kept governance/cosigned; echo x >governance/cosigned/13; touch governance/cosigned/more; sov verify --projections -q; rm -r governance/cosigned; mv ../kept governance/cosigned; sov verify --projections -q; sed 's/^quorum.*/quorum c/' ../policy >../other; sov verify --witnesses ../other 2>&1 | head -n 1
  TAMPER      governance/cosigned/14:1  the cosignature of witness b does not hold
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  UNANCHORED  no anchor outside the ledger vouches for it
  UNANCHORED  no checkpoint was cosigned by as many witnesses as the policy asks for
  no: 2 findings (UNANCHORED 2); next: sov verify --pin, or --no-anchor to accept it
  DRIFT       governance/cosigned/13:1  is not what the events give
              found     x
  DRIFT       governance/cosigned/more  does not belong there
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 3 findings (DRIFT 2, UNANCHORED 1); next: sov rebuild
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  sov: invalid: line 6 of the witness policy names nobody of a line before it
