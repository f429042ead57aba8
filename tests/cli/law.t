Actors, keys and the policy: who may act, with which key, by which law.

  $ sov init -q > id
  $ sov actor list
  master     robot    master     scripted  -  active
  operator   robot    operator   scripted  -  active
  principal  person   principal  human     -  active
  sparring   robot    sparring   scripted  -  active
  verifier   service  verifier   builtin   -  active
  $ sov actor add alice --role principal --kind person --provider human --actor principal
  alice registered (seq 13)
  $ sov actor add alice --role principal --kind person --provider human --actor principal
  sov: conflict: there is an actor alice
    why      the name is taken [exists]
    inspect  sov show alice
    next     choose another
  ? 5
  $ sov actor add bob --role nobody --kind person --provider human --actor principal
  sov: invalid: the policy has no role nobody
    why      the policy in force has no such role [role_unknown]
    inspect  sov policy show
    next     use a role of the policy
  ? 2
  $ sov actor add "Bob" --role principal --kind person --provider human --actor principal
  sov: invalid: an actor's id is a-z, then a-z 0-9 . _ -, at most 63, and not host
    why      a value is not one that this field may have [bad_value]
    inspect  sov help actor
    next     correct the value
  ? 2
  $ sov actor add bob --role principal --kind cat --provider human --actor principal
  sov: invalid: kind is not one of its words
    why      a value is not one that this field may have [bad_value]
    inspect  sov help actor
    next     correct the value
  ? 2
  $ sov actor add bob --role principal --kind person --provider human --actor operator
  sov: denied: operator, whose role is operator, lacks administer
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov actor add bob --role principal --kind person --provider human --actor nobody
  sov: not found: there is no actor nobody
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov actor revise alice --represents team/finance --reason "she answers for it" --actor principal
  alice revised (seq 14)
  $ sov actor revise alice --reason "" --actor principal
  sov: invalid: the value of --reason is empty
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov actor suspend alice --reason "on leave" --actor principal
  alice suspended (seq 15)
  $ sov actor suspend alice --reason "again" --actor principal
  sov: conflict: alice is suspended
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show alice
    next     sov why alice
  ? 5
  $ sov heartbeat till --actor alice
  sov: denied: alice is suspended
    why      a suspended or retired actor may do nothing [actor_inactive]
    inspect  sov show alice
    next     sov actor resume alice --reason TEXT
  ? 4
  $ sov actor resume alice --reason "back" --actor principal
  alice resumed (seq 16)
  $ sov show alice
  alice  actor  active
  kind        person
  provider    human
  role        principal
  reason      back
  represents  team/finance
  history
        13  2026-01-01T00:00:00.000Z  principal  actor.registered  kind=person role=principal
        14  2026-01-01T00:00:00.000Z  principal  actor.revised  (she answers for it)
        15  2026-01-01T00:00:00.000Z  principal  actor.suspended  (on leave)
        16  2026-01-01T00:00:00.000Z  principal  actor.resumed  (back)

Keys. The secret stays in the key folder; a key is another actor's never.

  $ SOV_TEST_SEED=alice sov key new alice --actor principal | sed 's/k[0-9a-f]\{24\}/KEY/'
  KEY registered (seq 17)
  $ SOV_TEST_SEED=alice sov key new verifier --actor principal | sed 's/k[0-9a-f]\{24\}/KEY/'
  sov: conflict: the key kafb80bda8ada2204146effd3 is registered for alice
    why      a key belongs to one actor [key_in_use]
    inspect  sov key list
    next     register another key
  $ SOV_TEST_SEED=alice2 sov key rotate alice --reason "a year is over" --actor alice | sed 's/k[0-9a-f]\{24\}/KEY/'
  KEY rotated (seq 18)
  $ sov key list --json=actor,from_seq,to_seq | sed 's/.*"data"://; s/,"warn.*//' | tr '}' '\n' | grep alice
  ,{"actor":"alice","from_seq":17,"to_seq":18
  ,{"actor":"alice","from_seq":19,"to_seq":null
  $ sov key rotate nobody --reason r --actor principal
  sov: not found: there is no actor nobody
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov key revoke k000000000000000000000000 --reason r --actor principal
  sov: not found: there is no key k000000000000000000000000
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov key new alice --actor operator
  sov: denied: operator, whose role is operator, lacks administer
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4

The policy: what is not strict is refused, what locks everybody out too.

  $ sov policy check -q
  $ sed 's/"signers": 1/"signers": 2/' sovereign.json > two.json; sov policy diff two.json
  /acceptance/signers  1  2  -
  ? 1
  $ sov policy adopt two.json --reason "two signers" --actor operator
  sov: denied: operator, whose role is operator, lacks administer
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov policy adopt two.json --reason "two signers" --actor principal -n
  policy would be adopted
    policy.adopted  self
  $ sov policy adopt two.json --reason "two signers" --actor principal
  policy adopted (seq 20)
  $ sov status 2>/dev/null | tail -1 | cut -c1-8; sov policy diff
  size 20 
  /acceptance/signers  2  1  -
  ? 1
  $ sed 's/"signers": 1/"signers": 9/' sovereign.json > nine.json; sov policy adopt nine.json --reason r --actor principal
  sov: invalid: 2 active actors, 2 of them persons, could sign an acceptance; it asks for 9 and 1
    why      someone active must keep administer, and enough active actors must be able to sign [policy_locks_out]
    inspect  sov actor list
    next     keep such an actor
  ? 2
  $ sed 's/"signers": 1/"signrs": 1/' sovereign.json > bad.json; sov policy check bad.json
  no: "/acceptance/signrs" is nothing that this build enforces
  ? 1
  $ printf '{"a":1,"a":2}' > twice.json; sov policy check twice.json
  sov: invalid: twice.json: line 1, column 8: a key comes twice in its object
    why      the text is not strict JSON [bad_json]
    inspect  sov help formats
    next     mend it at the place named
  ? 2
  $ sov policy check nowhere.json
  sov: not found: no file nowhere.json
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
  $ chmod 644 .local/share/sov/keys/*/principal.*.key; sov policy adopt --reason "back to one" --actor principal 2>&1 | sed "s|$HOME|HOME|; s/[0-9a-f]\{64\}/ID/; s/k[0-9a-f]\{24\}/KEY/"
  sov: denied: others can reach the key file principal.KEY.key (mode 644)
    why      a key file that others can read is not used [key_exposed]
    inspect  ls -l
    next     chmod 600 the file and rotate the key
  $ chmod 600 .local/share/sov/keys/*/principal.*.key; sov policy adopt --reason "back to one" --actor principal
  policy adopted (seq 21)

The last person with administer stays.

  $ sov actor retire alice --reason "left" --actor principal
  alice retired (seq 22)
  $ sov actor retire principal --reason "the last one" --actor principal
  sov: invalid: no active person would keep administer
    why      someone active must keep administer, and enough active actors must be able to sign [policy_locks_out]
    inspect  sov actor list
    next     keep such an actor
  ? 2
  $ sov actor suspend principal --reason "the last one" --actor principal
  sov: invalid: no active person would keep administer
    why      someone active must keep administer, and enough active actors must be able to sign [policy_locks_out]
    inspect  sov actor list
    next     keep such an actor
  ? 2

Erasing a blob cannot be undone, so it asks for its object's name.

  $ D=$(printf x | sha256sum | cut -c1-64); sov blob erase $D --reason r --actor principal
  sov: invalid: erase for good? type the digest, or give --confirm=DIGEST: 
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help blob
    next     give the answer as an option
    usage    sov blob erase DIGEST --reason TEXT [--confirm DIGEST]
  ? 2
  $ D=$(printf x | sha256sum | cut -c1-64); sov blob erase $D --reason r --actor principal --confirm other
  sov: denied: what was confirmed is another blob
    why      this cannot be undone and needs its object's name [confirm_required]
    inspect  sov show 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
    next     repeat it with --confirm=NAME
  ? 4
  $ D=$(printf x | sha256sum | cut -c1-64); sov blob erase $D --reason r --actor principal --confirm $D
  sov: not found: there is no content of the blob 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov blob erase abc --reason r --actor principal
  sov: invalid: abc is no digest of 64 hex digits
    why      a value is not one that this field may have [bad_value]
    inspect  sov help blob
    next     correct the value
  ? 2
