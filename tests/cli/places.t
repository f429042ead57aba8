Where a ledger is looked for, in order, and what is not trusted.

  $ sov log 2>&1 | sed "s|$HOME|HOME|"
  sov: not found: there is no ledger in HOME and the folders above it
    why      no ledger was found where this command looks for one [no_ledger]
    inspect  sov doctor
    next     sov init
  $ SOV_DIR=$HOME sov log 2>&1 | sed "s|$HOME|HOME|"
  sov: not found: there is no ledger in HOME (SOV_DIR)
    why      no ledger was found where this command looks for one [no_ledger]
    inspect  sov doctor
    next     sov init

A linked worktree uses the ledger of the common checkout; views and policy source are its own.

  $ git init -q main && cd main && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git worktree add -q ../linked 2>/dev/null
  $ cd main && SOV_TEST_SEED=main sov init -q > ../main-id; ls -A
  .git
  .sovereign
  governance
  sovereign.json
  $ cd linked && sov init -q | cmp - ../main-id; sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'
  [{"seq":12}]
  $ cd linked && sov policy check -q 2>&1 | sed "s|$HOME|HOME|"
  sov: not found: no file HOME/linked/sovereign.json
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  $ cd main && sov policy check -q

From a folder below, upward; SOV_DIR names the folder that holds .sovereign, wherever one is.

  $ sov init -q > id && mkdir -p a/b && sov -C a/b status --json=size | sed 's/.*"data"://; s/,"warn.*//'
  {"size":12}
  $ cd main && SOV_DIR=$HOME sov init -q | cmp - ../id

Who acts: the flag, the environment, the configuration; never the login name.

  $ sov actor suspend operator --reason r
  sov: invalid: who acts? give --actor ID or set SOV_ACTOR
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help actor
    next     give the answer as an option
    usage    sov actor suspend ID --reason TEXT
  ? 2
  $ printf '{"actor":"principal"}' > .sovereign/config.json; sov actor suspend operator --reason r -q
  operator
  $ SOV_ACTOR=master sov actor resume operator --reason r --json 2>&1 | cut -c1-60
  {"schema":"sov.error.v1","error":{"code":"not_authorised","e
  $ SOV_ACTOR=master sov actor resume operator --reason r --actor principal -q
  operator
  $ sov policy adopt --reason "a signed decision does not look at the configuration"
  sov: invalid: who acts? give --actor ID or set SOV_ACTOR
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help policy
    next     give the answer as an option
    usage    sov policy adopt [FILE] --reason TEXT
  ? 2
  $ printf '{\n  "actr": "x"\n}' > .sovereign/config.json; sov log 2>&1 | sed "s|$HOME|HOME|"
  sov: invalid: HOME/.sovereign/config.json:2:3: "actr" is no key of the configuration
    why      the text is not strict JSON [bad_json]
    inspect  sov help formats
    next     mend it at the place named
  $ printf '{"actor":1}' > .sovereign/config.json; sov log 2>&1 | sed "s|$HOME|HOME|" | head -1
  sov: invalid: HOME/.sovereign/config.json:1:2: "actor" is no text
  $ printf '{"actor":' > .sovereign/config.json; sov log 2>&1 | sed "s|$HOME|HOME|" | head -1
  sov: invalid: HOME/.sovereign/config.json: line 1, column 10: the text ends where a value is expected
  $ rm .sovereign/config.json

Inside a run only its assignment's actor acts, and it decides nothing.

  $ SOV_ASSIGNMENT=ASG-1 sov key list
  sov: denied: key is not for an agent inside ASG-1
    why      inside a run only its assignment's actor acts, and it decides nothing [inside_run]
    inspect  sov status
    next     do it outside the run
  ? 4
  $ SOV_ASSIGNMENT=ASG-1 sov heartbeat x --actor principal
  sov: denied: inside ASG-1 only its own actor acts
    why      inside a run only its assignment's actor acts, and it decides nothing [inside_run]
    inspect  sov status
    next     do it outside the run
  ? 4
  $ SOV_ASSIGNMENT=nonsense sov heartbeat x
  sov: denied: SOV_ASSIGNMENT is nonsense, which is no assignment
    why      inside a run only its assignment's actor acts, and it decides nothing [inside_run]
    inspect  sov status
    next     do it outside the run
  ? 4
  $ SOV_ASSIGNMENT=ASG-1 sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'
  [{"seq":14}]
