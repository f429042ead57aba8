People sign with the keys they have: an SSH key registers by a proof, signs every kind of decision from its file or its agent, and ends as any key does.

  $ sov init -q > id; mkdir ssh; for who in alice bob; do ssh-keygen -q -t ed25519 -N '' -C $who -f ssh/$who; done; ssh-keygen -q -t ecdsa -N '' -f ssh/curve; ssh-keygen -q -t ed25519 -N locked -f ssh/locked
  $ cat > with-agent <<'END'
  > # with-agent KEY... -- COMMAND: by an agent that has these keys
  > keys=; while [ "$1" != -- ]; do keys="$keys ssh/$1"; shift; done; shift
  > exec ssh-agent sh -c 'keys=$1; shift; [ -z "$keys" ] || ssh-add -q $keys 2>/dev/null; exec "$@"' sh "$keys" "$@"
  > END
  $ cat > short <<'END'
  > "$@" 2>&1 | head -n 2 | sed "s|$HOME|HOME|g; s/k[0-9a-f]\{24\}/KEY/g"
  > END
  $ sov actor add alice --role principal --kind person --provider human --actor principal -q; sov actor add bob --role sparring --kind person --provider human --actor principal -q
  alice
  bob

The proof: by the agent for a public file, by the private file itself, which nobody else may read.

  $ sh short sh with-agent alice -- sov key register alice --ssh ssh/alice.pub --actor principal
  KEY registered (seq 15)
  $ sh short sov key register bob --ssh ssh/bob --actor principal
  KEY registered (seq 16)
  $ sov key list --json=actor,algorithm,fingerprint | tr '}' '\n' | grep '"ssh"' | grep -o '"actor":"[a-z]*"\|SHA256:' | wc -l
  4
  $ sh short sov key register bob --ssh ssh/alice --actor principal
  sov: conflict: the key KEY is registered for alice
    why      a key belongs to one actor [key_in_use]
  $ sh short sov key register bob --ssh ssh/bob --actor bob
  sov: denied: bob, whose role is sparring, lacks administer
    why      only a role whose row in the policy has this authority may do it [not_authorised]
  $ sh short sov key register bob --actor principal
  sov: invalid: key register needs --ssh
    why      the command was not called as its synopsis says [usage]
  $ sh short sh with-agent -- sov key register bob --ssh ssh/bob.pub --actor principal
  sov: not found: the agent does not have the key of ssh/bob.pub
    why      a signed decision needs a registered key that is valid now [no_key]
  $ sh short sov key register bob --ssh ssh/bob.pub --actor principal; SSH_AUTH_SOCK=$HOME/none sh short sov key register bob --ssh ssh/bob.pub --actor principal
  sov: not possible now: SSH_AUTH_SOCK names no agent
    why      an SSH agent is asked, not trusted, and not waited for for ever [agent_unavailable]
  sov: not possible now: the agent cannot be reached: No such file or directory
    why      an SSH agent is asked, not trusted, and not waited for for ever [agent_unavailable]
  $ for f in curve curve.pub locked none ../id; do sh short sov key register bob --ssh ssh/$f --actor principal; done
  sov: invalid: ssh/curve is no ssh-ed25519 key
    why      of SSH only ssh-ed25519 signs here, from an open file or by an agent [key_unsupported]
  sov: invalid: ssh/curve.pub is no ssh-ed25519 key
    why      of SSH only ssh-ed25519 signs here, from an open file or by an agent [key_unsupported]
  sov: invalid: ssh/locked is locked: ssh-add it, and sign by the agent
    why      of SSH only ssh-ed25519 signs here, from an open file or by an agent [key_unsupported]
  sov: not found: no file ssh/none
    why      the file is not there [no_such_file]
  sov: invalid: ssh/../id is no public key of SSH
    why      a value is not one that this field may have [bad_value]
  $ mkfifo -m 600 ssh/pipe; sh short sov key register bob --ssh ssh/pipe --actor principal; sh short sov ruling Q --decision yes --reason fine --applies-to actor/bob --actor bob --sign-key ssh/pipe
  sov: denied: ssh/pipe is no regular file
    why      the path leads over a link, a special file or out of its folder [file_unsafe]
  sov: denied: ssh/pipe is no regular file
    why      the path leads over a link, a special file or out of its folder [file_unsafe]
  $ chmod 640 ssh/bob; sh short sov key register bob --ssh ssh/bob --actor principal; sh short sov ruling Q --decision yes --reason fine --applies-to actor/bob --actor bob --sign-key ssh/bob; chmod 600 ssh/bob
  sov: denied: others can reach the key file ssh/bob (mode 640)
    why      a key file that others can read is not used [key_exposed]
  sov: denied: others can reach the key file ssh/bob (mode 640)
    why      a key file that others can read is not used [key_exposed]

Each kind of decision.

  $ sov subject declare IT --actor principal -q; sov outcome new It --subject IT --desired it --check '{"id":"f","kind":"file-exists","params":{"path":"f"}}' --actor principal -q; sov outcome activate OUT-1 --actor master -q; sov sow new OUT-1 --title t --scope s --role operator --done-when d --actor master -q; sov sow ready SOW-1 --actor master -q; sov assign SOW-1 --to operator --actor master -q; touch f
  IT
  OUT-1
  OUT-1
  SOW-1
  SOW-1
  ASG-1
  $ printf '#!/bin/sh\nwhile read -r l; do :; done\nprintf %%s "{\\"assignment\\":\\"ASG-1\\",\\"blockers\\":[],\\"checks\\":[],\\"deliverables\\":[],\\"kind\\":\\"sov.report.v1\\",\\"notes\\":null,\\"proposals\\":[],\\"questions\\":[],\\"status\\":\\"completed\\",\\"summary\\":\\"Done.\\"}"\n' > work; chmod 755 work; sov run ASG-1 --actor operator -- $HOME/work | head -n 1 | cut -d' ' -f1-2; sov check SOW-1 --actor verifier -q; sov check OUT-1 --actor verifier -q
  RCP-1 completed
  VER-1
  VER-2
  $ sh short sov review SOW-1 --pass --reason fine --actor bob --sign-key ssh/alice
  sov: denied: SOW-1 is refused at 1 of 14 gates
    why      the key is not valid here [key_invalid]
  $ sh short sh with-agent alice -- sov review SOW-1 --pass --reason fine --actor bob --sign-key agent
  sov: not found: the agent has no valid SSH key of bob
    why      a signed decision needs a registered key that is valid now [no_key]
  $ sh short sh with-agent alice bob -- sov review SOW-1 --pass --reason fine --actor bob --sign-key agent
  REV-1 accepted SOW-1 (seq 36)
  $ sh short sov ruling Q --decision yes --reason fine --applies-to OUT-1 --actor alice --sign-key ssh/alice
  RUL-1 decided on OUT-1 (seq 38)
  $ sh short sh with-agent alice -- sov ruling revoke RUL-1 --reason fine --actor alice --sign-key agent
  RUL-1 revoked (seq 39)
  $ sh short sh with-agent alice -- sov policy adopt --reason again --actor alice --sign-key agent
  policy adopted (seq 40)
  $ echo '{"a":1}' | sov approval request deploy --resource OUT-1 --args - --actor master -q; sh short sh with-agent alice -- sov approve APR-1 --grant --reason fine --actor alice --sign-key agent
  APR-1
  APR-1 granted by alice, GRANTED (seq 42)
  $ sh short sh with-agent alice -- sov accept OUT-1 --actor alice --sign-key agent
  ACC-1 accepted OUT-1 (seq 44)
    f                     holds
  $ sov project -q; sov verify --projections -q && echo verified
  45
  verified

An export is signed with the ledger's key or one of ours; what SSH signed is checked with ssh-keygen, by its own README.

  $ sh short sov export ACC-1 --format intoto -o out --sign-key ssh/alice; sov export ACC-1 --format intoto -o out -q; ls out/keys | sed 's/k[0-9a-f]*/KEY/' | sort | uniq -c; cd out && sed -n '/^```sh$/,/^```$/p' README.md | grep -v '^```' | sh | cut -d' ' -f1-3; for f in signed/*.message; do head -n 1 $f; done
  sov: invalid: an SSH key signs what is in the ledger, not what leaves it
    why      of SSH only ssh-ed25519 signs here, from an open file or by an agent [key_unsupported]
        3 KEY.pem
        2 KEY.ssh
        1 ledger.pem
  ok: ACC-1 stands
  sov.adopt.v1
  sov.review.v1
  sov.ruling.v1
  sov.ruling.v1
  sov.adopt.v1
  sov.accept.v1

Rotations between kinds, and the end of a key.

  $ sh short sov key rotate alice --reason routine --ssh ssh/alice --sign-key ssh/alice --actor alice
  sov: conflict: the key KEY is registered for alice
    why      a key belongs to one actor [key_in_use]
  $ ssh-keygen -q -t ed25519 -N '' -f ssh/next; sh short sh with-agent alice next -- sov key rotate alice --reason routine --ssh ssh/next.pub --sign-key agent --actor alice
  KEY rotated (seq 46)
  $ sh short sov ruling Q --decision yes --reason fine --applies-to OUT-1 --actor alice --sign-key ssh/alice
  sov: denied: the key KEY is not valid here
    why      the key was registered and not revoked where it signed [key_invalid]
  $ SOV_TEST_SEED=own sh short sov key rotate alice --reason routine --sign-key ssh/next --actor alice; sh short sov ruling Q --decision yes --reason fine --applies-to OUT-1 --actor alice
  KEY rotated (seq 48)
  RUL-2 decided on OUT-1 (seq 50)
  $ ssh-keygen -q -t ed25519 -N '' -f ssh/last; sh short sov key rotate alice --reason routine --ssh ssh/last --actor alice; sh short sov key rotate alice --reason routine --actor alice
  KEY rotated (seq 51)
  sov: not found: the key KEY is not at hand
    why      a signed decision needs a registered key that is valid now [no_key]
  $ id=$(sov key list | grep alice | tail -n 1 | cut -d' ' -f1); sh short sov key revoke $id --reason lost --actor alice; sh short sov ruling Q --decision yes --reason fine --applies-to OUT-1 --actor alice --sign-key ssh/last; sh short sh with-agent last -- sov ruling Q --decision yes --reason fine --applies-to OUT-1 --actor alice --sign-key agent
  KEY revoked (seq 53)
  sov: denied: the key KEY is not valid here
    why      the key was registered and not revoked where it signed [key_invalid]
  sov: not found: the agent has no valid SSH key of alice
    why      a signed decision needs a registered key that is valid now [no_key]

What was signed stands, each at its seq: our verifier says so, and one that shares no code with it.

  $ sov verify -q && echo verified; sov project -q; PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/second/verify.py" --no-anchor . | tail -n 1
  verified
  53
  ok
