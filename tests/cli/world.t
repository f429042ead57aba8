What comes from outside: signals, deliveries, changes, beats. Each is recorded as it was said and decides nothing.

  $ sov init -q > id
  $ sov signal ci.failed --source github --subject repo:a/b --actor operator
  SIG-1 recorded ci.failed (seq 13)
  $ sov signal ci.failed --source github --subject repo:a/b --idempotency-key run-8812 --actor operator
  SIG-2 recorded ci.failed (seq 14)
  $ sov signal ci.failed --source github --subject repo:a/b --idempotency-key run-8812 --actor operator
  SIG-2 already recorded ci.failed (seq 14), nothing written
  $ sov signal ci.failed --source github --subject repo:other --idempotency-key run-8812 --actor operator
  sov: conflict: the idempotency key run-8812 was used for another request, event 14
    why      an idempotency or dedupe key means one request, and this is another [key_reused]
    inspect  sov log --last 20
    next     use a new key
  ? 5
  $ printf 'any\000octets' | sov signal stock.low --source shop --subject SKU --payload - --severity warning --actor operator --json=severity,payload | sed 's/.*"data"://; s/,"warn.*//'
  {"severity":"warning","payload":{"digest":"88519c60858bd2c1bc5dbc07bddabc5fbbc5b5ced11dbad7dea0c21fcd9f79fa","size":10,"media_type":"application/octet-stream"}}
  $ printf secret | sov signal stock.low --source shop --subject SKU --payload - --confidential --actor operator -q
  SIG-4
  $ sov log --type signal.recorded --format jsonl | grep -c secret
  0
  ? 1
  $ sov signal stock.low --source shop --subject OUT-3 --actor operator
  sov: not found: there is no OUT-3
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov signal stock.low --source shop --subject SKU --observed-at yesterday --actor operator
  sov: invalid: time is no RFC 3339 date-time of year 1 on
    why      a value is not one that this field may have [bad_value]
    inspect  sov help signal
    next     correct the value
  ? 2
  $ sov signal "Not A Kind" --source shop --subject SKU --actor operator
  sov: invalid: the kind is a-z, then a-z 0-9 . _ -, at most 63
    why      a value is not one that this field may have [bad_value]
    inspect  sov help signal
    next     correct the value
  ? 2
  $ sov signal stock.low --source shop --subject SKU --severity dreadful --actor operator
  sov: invalid: --severity is info, warning or resolved
    why      a value is not one that this field may have [bad_value]
    inspect  sov help signal
    next     correct the value
  ? 2
  $ sov signal stock.low --source shop --actor operator
  sov: invalid: signal needs KIND, --source and --subject
    why      the command was not called as its synopsis says [usage]
    inspect  sov help signal
    next     call it as the synopsis says
    usage    sov signal [KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] [--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] [--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]
  ? 2
  $ sov signal stock.low --source shop --subject SKU --media-type text/plain --actor operator
  sov: invalid: --media-type and --confidential go with --payload
    why      the command was not called as its synopsis says [usage]
    inspect  sov help signal
    next     call it as the synopsis says
    usage    sov signal [KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] [--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] [--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]
  ? 2
  $ sov signal stock.low --source shop --subject SKU --payload nowhere --actor operator
  sov: not found: no file nowhere
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
  $ sov signal stock.low --source shop --subject SKU --payload - --actor operator <&-
  sov: invalid: standard input is closed
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help signal
    next     give the answer as an option
    usage    sov signal [KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] [--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] [--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]
  ? 2
  $ sov signal stock.low --source shop --subject SKU -n --actor operator; sov show signals | wc -l
  SIG-5 would be recorded stock.low
    signal.recorded  SIG-5
  4

Deliveries of known senders.

  $ sov signal --from github --event workflow_run --delivery 72d3162e --payload $SRC/fixtures/signals/y_github_workflow_run.json --actor operator
  SIG-5 recorded github.workflow_run.completed (seq 17)
  $ sov signal --from github --event workflow_run --delivery 72d3162e --payload $SRC/fixtures/signals/y_github_workflow_run.json --actor operator
  SIG-5 already recorded github.workflow_run.completed (seq 17)
  $ sov signal --from alertmanager --payload $SRC/fixtures/signals/y_alertmanager.json --actor operator -q | wc -l
  3
  $ sov signal --from cloudevents --payload $SRC/fixtures/signals/y_cloudevents_batch.json --actor operator -q | wc -l
  3
  $ sov show signals | wc -l; for f in $SRC/fixtures/signals/n_*.json; do sov signal --from github --event push --payload $f --actor operator > a 2> b; test $? -eq 2 || echo $f; done; sov show signals | wc -l
  11
  11
  $ sov signal --from github --payload $SRC/fixtures/signals/y_github_push.json --actor operator
  sov: invalid: --from github needs --event, the value of X-GitHub-Event
    why      the command was not called as its synopsis says [usage]
    inspect  sov help signal
    next     call it as the synopsis says
    usage    sov signal [KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] [--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] [--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]
  ? 2
  $ sov signal --from gitlab --payload $SRC/fixtures/signals/y_github_push.json --actor operator
  sov: invalid: --from is github, cloudevents or alertmanager
    why      a value is not one that this field may have [bad_value]
    inspect  sov help signal
    next     correct the value
  ? 2
  $ sov signal push --from github --event push --payload $SRC/fixtures/signals/y_github_push.json --actor operator
  sov: invalid: --from goes with --payload, without KIND and --source
    why      the command was not called as its synopsis says [usage]
    inspect  sov help signal
    next     call it as the synopsis says
    usage    sov signal [KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] [--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] [--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]
  ? 2

A pass over what is due: no rule matches, each is answered once.

  $ sov pulse | awk '{ print $2, $3 }' | sort | uniq -c | sed 's/^ *//'
  11 ignore no_rule
  $ sov pulse
  $ sov pulse --signal SIG-99
  sov: not found: there is no SIG-99
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3

Beats.

  $ sov heartbeat till-1 --note "all is well" --actor operator
  till-1 beat (seq 35)
  $ sov heartbeat till-1 --actor operator
  till-1 already beat (seq 35), nothing written
  $ SOV_TEST_CLOCK=2026-01-01T00:14:00.000Z sov heartbeat show till-1 --exit-code | awk '{ print $1, $2 }'
  till-1 ALIVE
  $ SOV_TEST_CLOCK=2026-01-01T00:16:00.000Z sov heartbeat show till-1 --exit-code | awk '{ print $1, $2 }'
  till-1 STALE
  $ SOV_TEST_CLOCK=2026-01-01T00:16:00.000Z sov heartbeat show till-1 --exit-code > a
  ? 1
  $ sov heartbeat show till-2 --exit-code
  till-2  NO_BEATS  -  -  -
  ? 1

Providers are registered strictly; a probe looks and appends nothing.

  $ sov provider register agent $SRC/fixtures/store/provider.json --actor principal
  agent registered (seq 36)
  $ sov provider register agent $SRC/fixtures/store/provider.json --actor principal
  sov: conflict: there is a provider agent
    why      the name is taken [exists]
    inspect  sov show agent
    next     choose another
  ? 5
  $ sov provider register human $SRC/fixtures/store/provider.json --actor principal
  sov: conflict: there is a provider human
    why      the name is taken [exists]
    inspect  sov show human
    next     choose another
  ? 5
  $ printf '{"kind":"sov.provider.v1"}' | sov provider register other - --actor principal
  sov: invalid: the registration at /adapter: missing
    why      a value is not one that this field may have [bad_value]
    inspect  sov help provider
    next     correct the value
  ? 2
  $ sov provider probe agent | head -2; sov provider probe nobody
  id            agent
  adapter       scripted
  sov: not found: no provider nobody is registered
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov provider retire agent --reason replaced --actor principal
  agent retired (seq 37)
  $ sov provider list
  agent  scripted  public  false  -  retired
