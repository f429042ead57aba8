Every result has the fields and kinds that its schema gives, through the whole life of the store;
each error and each event fits the schema that is shipped.

  $ cat > words <<'EOF'
  > init --policy d/policy.json
  > init
  > provider register scripted d/provider.json --actor principal
  > provider list
  > provider probe scripted
  > subject declare SKU-TEA --fact unit_cost=120 --fact price=400 --fact reorder_point=3 --actor principal
  > subject revise SKU-TEA --fact unit_cost=120 --reason same --actor principal
  > account open inventory/SKU-TEA --unit unit --opening 4 --actor principal
  > account open reserved/SKU-TEA --unit unit --actor principal
  > account open cash --unit cent --opening 10000 --actor principal
  > account list
  > actor add alice --role principal --kind person --provider human --actor principal
  > actor revise alice --represents team/a --reason r --actor principal
  > actor suspend alice --reason r --actor principal
  > actor resume alice --reason r --actor principal
  > actor list
  > key list
  > policy show
  > policy check
  > policy diff
  > outcome new Tea --desired more --subject SKU-TEA --check @d/stock-available.json --check @d/restock-posted.json --actor principal
  > outcome revise OUT-1 --desired enough --reason r --actor principal
  > outcome activate OUT-1 --actor master
  > outcome block OUT-1 --reason r --actor master
  > outcome unblock OUT-1 --reason r --actor master
  > sow new OUT-1 --title t --scope s --role operator --done-when d --actor master -n
  > change record sale --subject SKU-TEA --quantity 2 --source shop --actor operator
  > signal stock.low --source shop --subject SKU-TEA --actor operator
  > signal stock.low --source shop --subject SKU-TEA --actor operator -n
  > signal --from github --event push --payload github.json --actor operator
  > pulse -n
  > pulse
  > pulse
  > ready --actor operator
  > status --actor operator
  > claim ASG-1 --actor operator
  > claim release ASG-1 --fence FENCE --reason r --actor operator
  > run ASG-1 --actor operator -n
  > run ASG-1 --actor operator
  > check SOW-1 --actor verifier
  > review SOW-1 --pass --reason r --actor sparring
  > why OUT-1 --gates
  > why SOW-1 --gates --actor sparring
  > check OUT-1 --actor verifier
  > accept OUT-1 --actor principal -n
  > accept OUT-1 --actor principal
  > ruling Again? --decision yes --reason r --applies-to OUT-1 --reopen --actor principal
  > ruling revoke RUL-1 --reason r --actor principal
  > change record sale --subject SKU-TEA --quantity 6 --source shop --actor operator
  > 1:check OUT-1 --recheck --actor verifier
  > 2:log --last 0
  > 2:no-such-verb
  > 3:show SOW-99
  > 4:policy adopt --reason r --actor operator
  > 5:actor add alice --role principal --kind person --provider human --actor principal
  > 5:accept OUT-1 --actor principal --expect-seq 3
  > heartbeat till --actor operator
  > heartbeat show
  > heartbeat show nobody
  > show
  > show outcomes
  > show SOW-1
  > show 3
  > log --last 3
  > why EFF-1
  > supervise
  > project
  > project
  > rebuild
  > recover
  > verify --projections
  > export --format jsonl -o log.jsonl
  > export --format html -o report.html
  > export --format ledger -o backup.db
  > export ACC-1 --format intoto -o acceptance
  > 5:export ACC-1 --format intoto -o acceptance
  > doctor
  > schema
  > version
  > EOF
  $ mkdir away && sov demo away/d > out && cp -r away/d d && rm -r d/.sovereign d/governance d/sovereign.json && cp $SRC/fixtures/signals/y_github_push.json github.json
  $ sed '/^claim release/,$d' words | perl $SRC/tests/fits.pl
  $ F=$(sov log --type claim.acquired | awk '{ print $1 }'); sed -n '/^claim release/,$p' words | sed "s/FENCE/$F/" | perl $SRC/tests/fits.pl
