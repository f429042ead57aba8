git and CI are told of sov by files between markers; what was there stays there, octet for octet.

  $ cat > .gitconfig <<END
  > [user]
  >   name = a
  >   email = a@b
  > END
  $ cat > same <<'END'
  > # every file that setup may touch, with its mode; run before and behind
  > find . -path ./governance -prune -o -path ./.sovereign -prune -o -path ./.git -prune -o -type f -printf '%m ' -exec cksum {} +
  > find .git/config .git/hooks .github -printf '%m %y %l ' -type f -exec cksum {} \; -o -printf '\n' 2>/dev/null | sort
  > END
  $ mkdir shop; cd shop; git init -q -b main --template=; mkdir .git/hooks; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; git add governance; git commit -q -m founded; sh ../same > ../before

Without a terminal nothing is written until somebody says --yes; what would be is shown.

  $ cd shop; sov setup git
  --- .git/config
  +++ .git/config
  +[merge "sov"]
  +        driver = sov merge-driver %O %A %B %P
  --- /dev/null
  +++ .git/hooks/pre-commit
  +#!/bin/sh
  +# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  +exec sov verify --projections --staged
  +# <<< sov setup git <<<
  sov: invalid: write this? type yes, or give --yes: 
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help setup
    next     give the answer as an option
    usage    sov setup git [--print|--remove] [--yes]
  ? 2
  $ cd shop; sov setup git -n; sov setup git --json -n; sov setup git --json; sh ../same | cmp - ../before
  --- .git/config
  +++ .git/config
  +[merge "sov"]
  +        driver = sov merge-driver %O %A %B %P
  --- /dev/null
  +++ .git/hooks/pre-commit
  +#!/bin/sh
  +# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  +exec sov verify --projections --staged
  +# <<< sov setup git <<<
  would have written .git/config
  would have written .git/hooks/pre-commit
  {"schema":"sov.setup.git.v1","data":{"target":"git","effect":"would","files":[{"path":".git/config","change":"write","text":"[merge \"sov\"]\n\tdriver = sov merge-driver %O %A %B %P\n"},{"path":".git/hooks/pre-commit","change":"create","text":"#!/bin/sh\n# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>\nexec sov verify --projections --staged\n# <<< sov setup git <<<\n"}]},"warnings":[],"ledger":null}
  {"schema":"sov.error.v1","error":{"code":"input_required","exit":2,"what":"write this? type yes, or give --yes: ","why":"an answer is needed, and there is no terminal to ask [input_required]","inspect":"sov help setup","next":"give the answer as an option","retryable":false,"refs":[],"seq":null}}
  $ cd shop; sov setup git --print > ../printed; cat ../printed; sh ../same | cmp - ../before
  # .git/config
  [merge "sov"]
  	driver = sov merge-driver %O %A %B %P
  # .git/hooks/pre-commit
  #!/bin/sh
  # >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  exec sov verify --projections --staged
  # <<< sov setup git <<<
  $ cd shop; sov setup git --yes; cat .git/hooks/pre-commit; stat -c %a .git/hooks/pre-commit; git config merge.sov.driver; sh ../same > ../after; sov setup git --yes; sov setup git --yes -q; sov setup git --json; sh ../same | cmp - ../after
  --- .git/config
  +++ .git/config
  +[merge "sov"]
  +        driver = sov merge-driver %O %A %B %P
  --- /dev/null
  +++ .git/hooks/pre-commit
  +#!/bin/sh
  +# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  +exec sov verify --projections --staged
  +# <<< sov setup git <<<
  written .git/config
  written .git/hooks/pre-commit
  #!/bin/sh
  # >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  exec sov verify --projections --staged
  # <<< sov setup git <<<
  755
  sov merge-driver %O %A %B %P
  .git/config: nothing to do
  .git/hooks/pre-commit: nothing to do
  {"schema":"sov.setup.git.v1","data":{"target":"git","effect":"noop","files":[{"path":".git/config","change":"same","text":null},{"path":".git/hooks/pre-commit","change":"same","text":null}]},"warnings":[],"ledger":null}

At a terminal it asks; only a yes writes.

  $ cd shop; "$SOV_GUARDED" setup git --remove --yes -q; for word in no '' yes; do echo "$word" | script -qec "NO_COLOR=1 $SOV_GUARDED setup git" /dev/null | tr -d '\r' | grep -v '^[-+ ]'; git config merge.sov.driver; done
  .git/config
  .git/hooks/pre-commit
  no
  write this? type yes, or give --yes: nothing was written

  write this? type yes, or give --yes: nothing was written
  yes
  write this? type yes, or give --yes: written .git/config
  written .git/hooks/pre-commit
  sov merge-driver %O %A %B %P

The hook stops what verify refuses.

  $ cd shop; sed -i 's/^# Policy/# policy/' governance/policy.md; git add governance; git commit -q -m edited 2>&1 | grep -c '^DRIFT'; git reset -q --hard; git log --format=%s
  1
  founded

Taken out again, everything is what it was; a second time there is nothing to do.

  $ cd shop; sov setup git --remove --yes; sh ../same | cmp - ../before; ls .git/hooks; sov setup git --remove
  --- .git/config
  +++ .git/config
  -[merge "sov"]
  -        driver = sov merge-driver %O %A %B %P
  --- .git/hooks/pre-commit
  +++ /dev/null
  -#!/bin/sh
  -# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  -exec sov verify --projections --staged
  -# <<< sov setup git <<<
  written .git/config
  removed .git/hooks/pre-commit
  .git/config: nothing to do
  .git/hooks/pre-commit: nothing to do

Lines of others around the block stay; those between the markers are refused, in file and configuration.

  $ cd shop; sov setup git --yes -q; sed -i '1a echo mine' .git/hooks/pre-commit; echo 'echo behind' >> .git/hooks/pre-commit; sov setup git --yes; sov setup git --remove --yes; cat .git/hooks/pre-commit; stat -c %a .git/hooks/pre-commit
  .git/config
  .git/hooks/pre-commit
  .git/config: nothing to do
  .git/hooks/pre-commit: nothing to do
  --- .git/config
  +++ .git/config
  -[merge "sov"]
  -        driver = sov merge-driver %O %A %B %P
  --- .git/hooks/pre-commit
  +++ .git/hooks/pre-commit
  -# >>> sov setup git, sha256:f795cf2bc204b8fa0b75fc3190f6bf61 >>>
  -exec sov verify --projections --staged
  -# <<< sov setup git <<<
  written .git/config
  written .git/hooks/pre-commit
  #!/bin/sh
  echo mine
  echo behind
  755
  $ cd shop; rm .git/hooks/pre-commit; sov setup git --yes -q; sed -i 's/ --staged//' .git/hooks/pre-commit; sh ../same > ../edited; sov setup git --yes; sov setup git --remove --yes 2>&1 | head -n 1; sh ../same | cmp - ../edited
  .git/config
  .git/hooks/pre-commit
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
    why      between the markers stands something else than what was written there [setup_edited]
    inspect  sov setup git --print
    next     move your lines out of the markers, or take the markers out too
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  $ cd shop; for edit in '/<<</d' '/>>>/d' 's/git <<</git  <<</' '$p' 's/sha256:../sha256:00/' 's/$/\r/'; do "$SOV_GUARDED" setup git --print | sed -n '5,$p' > .git/hooks/pre-commit; sed -i "$edit" .git/hooks/pre-commit; "$SOV_GUARDED" setup git --yes 2>&1 | head -n 1; done; sh ../same | wc -l
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  sov: conflict: .git/hooks/pre-commit: what stands between its markers was edited
  sov: invalid: .git/hooks/pre-commit: its lines end in CR LF
  4
  $ cd shop; rm .git/hooks/pre-commit; git config merge.sov.driver 'evil %A'; sov setup git --yes; sov setup git --remove --yes 2>&1 | head -n 1; ls .git/hooks; git config merge.sov.driver; git config --unset merge.sov.driver
  sov: conflict: .git/config: merge.sov.driver is evil %A
    why      between the markers stands something else than what was written there [setup_edited]
    inspect  sov setup git --print
    next     move your lines out of the markers, or take the markers out too
  sov: conflict: .git/config: merge.sov.driver is evil %A
  evil %A

A hook that is there is left alone, and its line is said; so it is where git looks elsewhere.

  $ cd shop; printf '#!/bin/sh\necho \033[31mmine\n' > .git/hooks/pre-commit; cksum .git/hooks/pre-commit > ../hook; sov setup git --yes; cksum .git/hooks/pre-commit | cmp - ../hook; sov setup git --remove --yes; cksum .git/hooks/pre-commit | cmp - ../hook; rm .git/hooks/pre-commit
  .git/hooks/pre-commit is there already and is left alone; add to it: sov verify --projections --staged
  --- .git/config
  +++ .git/config
  +[merge "sov"]
  +        driver = sov merge-driver %O %A %B %P
  written .git/config
  --- .git/config
  +++ .git/config
  -[merge "sov"]
  -        driver = sov merge-driver %O %A %B %P
  written .git/config
  .git/hooks/pre-commit: nothing to do
  $ cd shop; git config core.hooksPath .husky; sov setup git --yes -q; ls .git/hooks; git config --unset core.hooksPath; git config --global core.hooksPath /elsewhere; sov setup git; git config --global --unset core.hooksPath; sov setup git --remove --yes -q
  core.hooksPath is .husky, so git does not look at .git/hooks/pre-commit; add to the hook that it runs: sov verify --projections --staged
  .git/config
  core.hooksPath is /elsewhere, so git does not look at .git/hooks/pre-commit; add to the hook that it runs: sov verify --projections --staged
  .git/config: nothing to do
  .git/config

Links, folders and what is no repository are refused before anything is written.

  $ cd shop; echo target > ../target; ln -s "$PWD/../target" .git/hooks/pre-commit; sov setup git --yes 2>&1 | sed "s|$PWD|TOP|"; cat ../target; git config merge.sov.driver; rm .git/hooks/pre-commit; mkdir .git/hooks/pre-commit; sov setup git --yes 2>&1 | head -n 1; rmdir .git/hooks/pre-commit; rmdir .git/hooks; ln -s .. .git/hooks; sov setup git --yes 2>&1 | head -n 1; ls ..; rm .git/hooks; mv .git/config ../config; ln -s ../../config .git/config; sov setup git --yes 2>&1 | sed "s|$PWD|TOP|" | head -n 1; rm .git/config; mv ../config .git/config; mkdir .git/hooks; sh ../same | cmp - ../before
  sov: denied: .git/hooks/pre-commit is no regular file of its own
    why      the path leads over a link, a special file or out of its folder [file_unsafe]
    inspect  ls -l
    next     use a regular file in its place
  target
  sov: denied: .git/hooks/pre-commit is no regular file of its own
  sov: denied: hooks/pre-commit is a link or lies behind one
  after
  before
  edited
  hook
  id
  printed
  same
  shop
  target
  sov: denied: TOP/.git/config is no regular file of its own
  $ mkdir none; cd none; sov setup git --yes
  sov: not possible now: git cannot be asked: there is no git repository here
    why      the system could not read or write [io_error]
    inspect  sov doctor
    next     mend what the message names
  ? 7
  $ cd shop; touch .git/config.lock; sov setup git --yes 2>&1 | head -n 1 | sed "s|$HOME|HOME|g"; rm .git/config.lock; sh ../same | cmp - ../before
  sov: not possible now: git did not write HOME/shop/.git/config: error: could not lock config file HOME/shop/.git/config: File exists

Every working tree shares one configuration.

  $ cd shop; git worktree add -q ../side 2>/dev/null; cd ../side; sov setup git --yes | sed "s|$HOME|HOME|" | grep written; git config merge.sov.driver; sov setup git --remove --yes -q | sed "s|$HOME|HOME|"; cd ../shop; sh ../same | cmp - ../before
  written HOME/shop/.git/config
  written HOME/shop/.git/hooks/pre-commit
  sov merge-driver %O %A %B %P
  HOME/shop/.git/config
  HOME/shop/.git/hooks/pre-commit

Nothing in the configuration starts a program.

  $ cat > canary <<END
  > #!/bin/sh
  > touch "$PWD/ran"
  > END
  $ chmod 755 canary; cp -r shop trap; cd trap; c=$PWD/../canary; for k in core.fsmonitor core.sshCommand core.pager core.editor core.askPass diff.external gpg.program credential.helper sequence.editor; do git config $k "$c"; done; for a in config rev-parse; do git config alias.$a "!$c"; done; for h in post-index-change reference-transaction; do cp ../canary .git/hooks/$h; done; rm -f ../ran; sov setup git --yes -q; sov setup git --remove --yes -q; ls .git/hooks; ls ../ran; git status > ../out 2>&1; ls ../ran
  .git/config
  .git/hooks/pre-commit
  .git/config
  .git/hooks/pre-commit
  post-index-change
  reference-transaction
  ls: cannot access '../ran': No such file or directory
  ../ran

The workflow of GitHub is a file of its own. Its digest tells an older one of ours from an edited one.

  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; sov setup github --yes 2>&1 | head -n 4; sov setup github --program OWNER/sov@$c --yes; cat .github/workflows/sov.yml; sov setup github --program OWNER/sov@$c
  sov: invalid: where does CI take sov from? OWNER/REPO@COMMIT, or give --program: 
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help setup
    next     give the answer as an option
  --- /dev/null
  +++ .github/workflows/sov.yml
  +# >>> sov setup github, sha256:2c80c461e57e8f30477df7a36090e8b8 >>>
  +name: sov
  +on:
  +  pull_request:
  +  push:
  +    branches: [main]
  +permissions:
  +  contents: read
  +jobs:
  +  sov:
  +    runs-on: ubuntu-24.04
  +    steps:
  +      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
  +        with:
  +          fetch-depth: 0 # the whole history is the anchor
  +          persist-credentials: false
  +      - uses: OWNER/sov@0123456789abcdef0123456789abcdef01234567
  +        with:
  +          args: verify --projections --ledger-id d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6
  +# <<< sov setup github <<<
  written .github/workflows/sov.yml
  # >>> sov setup github, sha256:2c80c461e57e8f30477df7a36090e8b8 >>>
  name: sov
  on:
    pull_request:
    push:
      branches: [main]
  permissions:
    contents: read
  jobs:
    sov:
      runs-on: ubuntu-24.04
      steps:
        - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
          with:
            fetch-depth: 0 # the whole history is the anchor
            persist-credentials: false
        - uses: OWNER/sov@0123456789abcdef0123456789abcdef01234567
          with:
            args: verify --projections --ledger-id d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6
  # <<< sov setup github <<<
  .github/workflows/sov.yml: nothing to do
  $ cd shop; c=0123456789abcdef0123456789abcdef01234568; sov setup github --program OWNER/sov@$c --yes; sov setup github --program OWNER/sov@$c --print | cmp - .github/workflows/sov.yml; sed -i 's/contents: read/contents: write/' .github/workflows/sov.yml; sov setup github --program OWNER/sov@$c --yes; sov setup github --remove --yes 2>&1 | head -n 1; grep -c write .github/workflows/sov.yml; sed -i 's/contents: write/contents: read/' .github/workflows/sov.yml; sov setup github --remove --yes | grep removed; find .github -type f
  --- .github/workflows/sov.yml
  +++ .github/workflows/sov.yml
  -# >>> sov setup github, sha256:2c80c461e57e8f30477df7a36090e8b8 >>>
  -name: sov
  -on:
  -  pull_request:
  -  push:
  -    branches: [main]
  -permissions:
  -  contents: read
  -jobs:
  -  sov:
  -    runs-on: ubuntu-24.04
  -    steps:
  -      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
  -        with:
  -          fetch-depth: 0 # the whole history is the anchor
  -          persist-credentials: false
  -      - uses: OWNER/sov@0123456789abcdef0123456789abcdef01234567
  +# >>> sov setup github, sha256:c892c16257f78b1e5c9a01d076c61cd8 >>>
  +name: sov
  +on:
  +  pull_request:
  +  push:
  +    branches: [main]
  +permissions:
  +  contents: read
  +jobs:
  +  sov:
  +    runs-on: ubuntu-24.04
  +    steps:
  +      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
  +        with:
  +          fetch-depth: 0 # the whole history is the anchor
  +          persist-credentials: false
  +      - uses: OWNER/sov@0123456789abcdef0123456789abcdef01234568
  written .github/workflows/sov.yml
  sov: conflict: .github/workflows/sov.yml: what stands between its markers was edited
    why      between the markers stands something else than what was written there [setup_edited]
    inspect  sov setup github --print
    next     move your lines out of the markers, or take the markers out too
  sov: conflict: .github/workflows/sov.yml: what stands between its markers was edited
  1
  removed .github/workflows/sov.yml
  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; echo 'name: mine' > .github/workflows/sov.yml; sov setup github --program OWNER/sov@$c --yes; sov setup github --remove; cat .github/workflows/sov.yml; rm -r .github; ln -s ../none .github; sov setup github --program OWNER/sov@$c --yes 2>&1 | head -n 1; ls ../none; rm .github; echo x > .github; sov setup github --program OWNER/sov@$c --yes 2>&1 | head -n 1; cat .github; rm .github
  sov: conflict: .github/workflows/sov.yml is there, and sov did not write it
    why      a file of that name is there that sov did not write [setup_foreign]
    inspect  sov setup github --print
    next     put what is printed where it belongs by hand
  .github/workflows/sov.yml: nothing to do
  name: mine
  sov: denied: .github/workflows/sov.yml is a link or lies behind one
  sov: denied: .github/workflows is no folder or lies beneath a file
  x
  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; for p in sov@$c OWNER/sov OWNER/sov@v1 OWNER/sov@${c}0 "OWNER/sov; x@$c" OWNER/../x@$c -o/x@$c https://a@b.c/d@$c https://gitlab.com/a/b@$c; do "$SOV_GUARDED" setup github --program "$p" --yes 2>&1 | head -n 1; done; ls -A
  sov: invalid: sov@0123456789abcdef0123456789abcdef01234567 is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT
  sov: invalid: OWNER/sov names no commit: OWNER/REPO@COMMIT, with all its hex digits
  sov: invalid: OWNER/sov@v1 names no commit: OWNER/REPO@COMMIT, with all its hex digits
  sov: invalid: OWNER/sov@0123456789abcdef0123456789abcdef012345670 names no commit: OWNER/REPO@COMMIT, with all its hex digits
  sov: invalid: OWNER/sov; x@0123456789abcdef0123456789abcdef01234567 is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT
  sov: invalid: OWNER/../x@0123456789abcdef0123456789abcdef01234567 is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT
  sov: invalid: -o/x@0123456789abcdef0123456789abcdef01234567 is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT
  sov: invalid: https://a@b.c/d@0123456789abcdef0123456789abcdef01234567 is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT
  sov: invalid: a workflow takes its steps from GitHub: OWNER/REPO@COMMIT, not https://gitlab.com/a/b
  .git
  .sovereign
  governance
  sovereign.json

The job of GitLab stands behind what is there, or nowhere.

  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; sov setup gitlab --program https://gitlab.com/group/sov@$c --yes -q; cat .gitlab-ci.yml; sov setup gitlab --program https://gitlab.com/group/sov@$c; sov setup gitlab --remove --yes -q; ls -A
  .gitlab-ci.yml
  # >>> sov setup gitlab, sha256:1fb8ca4d698e5c2ac663e6ec11b8e0f3 >>>
  sov:
    image: debian:12
    variables:
      GIT_DEPTH: "0" # the whole history is the anchor
    before_script:
      - apt-get update -q
      - apt-get install -yq --no-install-recommends ca-certificates git make
      - git init -q "$HOME/sov"
      - git -C "$HOME/sov" fetch -q --depth 1 https://gitlab.com/group/sov 0123456789abcdef0123456789abcdef01234567
      - git -C "$HOME/sov" checkout -q FETCH_HEAD
      - make -C "$HOME/sov" build-deps install
    script:
      - sov verify --projections --ledger-id d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6 --report junit=sov.xml --report gitlab=sov.json
    artifacts:
      when: always
      reports:
        junit: sov.xml
        codequality: sov.json
  # <<< sov setup gitlab <<<
  .gitlab-ci.yml: nothing to do
  .gitlab-ci.yml
  .git
  .sovereign
  governance
  sovereign.json
  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; for end in '\n' ''; do printf "stages: [build, test]\nbuild:\n  script: [ make ]$end" > .gitlab-ci.yml; chmod 600 .gitlab-ci.yml; cp .gitlab-ci.yml ../ci; "$SOV_GUARDED" setup gitlab --program OWNER/sov@$c --yes | head -n 6; "$SOV_GUARDED" setup gitlab --program OWNER/sov@$c -q; python3 -c 'import sys, yaml; print(sorted(yaml.safe_load(open(".gitlab-ci.yml"))))'; stat -c %a .gitlab-ci.yml; "$SOV_GUARDED" setup gitlab --remove --yes -q; cmp .gitlab-ci.yml ../ci; done
  --- .gitlab-ci.yml
  +++ .gitlab-ci.yml
  +# >>> sov setup gitlab, sha256:ede91594c375e2d513a00ce628b38dcd >>>
  +sov:
  +  image: debian:12
  +  variables:
  ['build', 'sov', 'stages']
  600
  .gitlab-ci.yml
  --- .gitlab-ci.yml
  +++ .gitlab-ci.yml
  -  script: [ make ]
  +  script: [ make ]
  +# >>> sov setup gitlab, sha256:ede91594c375e2d513a00ce628b38dcd >>>
  +sov:
  ['build', 'sov', 'stages']
  600
  .gitlab-ci.yml
  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; for text in 'a: b\r\nc: d\r\n' '{ a: b }\n' '- a\n' 'sov:\n  script: [x]\n' 'stages: [build]\na:\n  script: [x]\n' 'a: b\n...\n' ' a: b\n' 'a: \000\n' 'a: \377\n' '' '\033[2J\n'; do printf -- "$text" > .gitlab-ci.yml; cp .gitlab-ci.yml ../ci; "$SOV_GUARDED" setup gitlab --program OWNER/sov@$c --yes 2>&1 | head -n 1; cmp .gitlab-ci.yml ../ci; done
  sov: invalid: .gitlab-ci.yml: its lines end in CR LF
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: invalid: .gitlab-ci.yml: it is no UTF-8 text
  sov: invalid: .gitlab-ci.yml: it is no UTF-8 text
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  sov: conflict: .gitlab-ci.yml is there, and a job cannot be added to it by a program
  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; printf 'a: |\n  x\n' > .gitlab-ci.yml; ln .gitlab-ci.yml ../second; sov setup gitlab --program OWNER/sov@$c --yes 2>&1 | head -n 1; rm ../second; head -c 1100000 /dev/zero | tr '\0' '#' >> .gitlab-ci.yml; sov setup gitlab --program OWNER/sov@$c --yes 2>&1 | head -n 1; rm .gitlab-ci.yml; git status --short
  sov: denied: .gitlab-ci.yml is no regular file of its own
  sov: invalid: .gitlab-ci.yml has more than 1048576 bytes
  ?? sovereign.json

A folder that is not ours to write: nothing is there afterwards.

  $ cd shop; mkdir -p .github/workflows; chmod 500 .github/workflows; as() { if [ "$(id -u)" = 0 ]; then chmod 755 ..; setpriv --bounding-set -dac_override,-dac_read_search --inh-caps -all "$@"; else "$@"; fi; }; as sov setup github --program OWNER/sov@0123456789abcdef0123456789abcdef01234567 --yes 2>&1 | head -n 1; ls -A .github/workflows; chmod 755 .github/workflows; rm -r .github
  sov: not possible now: .github/workflows/sov.yml: Permission denied

Wrong words.

  $ cd shop; sov setup gitt 2>&1 | head -n 1; sov setup git --print --remove 2>&1 | head -n 1; SOV_ASSIGNMENT=ASG-1 sov setup git --yes 2>&1 | head -n 1; cd ../none; sov setup gitlab --program OWNER/sov@0123456789abcdef0123456789abcdef01234567 --print 2>&1 | head -n 1 | sed "s|$HOME|HOME|"; ls -A
  sov: invalid: there is no setup gitt; did you mean setup git?
  sov: invalid: --print and --remove exclude each other
  sov: denied: setup is not for an agent inside ASG-1
  sov: not found: there is no ledger in HOME/none and the folders above it
