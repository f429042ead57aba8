What a run leaves beside its receipt: whether the repository changed, and by whom it was told to stop.

  $ echo '. "$SRC/tests/faults/store.sh"' >store
  $ mkdir bin
  $ cat >bin/agent <<END
  > #!/bin/sh
  > cd "\$GIT_CEILING_DIRECTORIES/../.."
  > eval "\$ACT"
  > cd - >/dev/null
  > exec "$SRC/tests/store_agent.sh" 6
  > END
  $ chmod 755 bin/agent

A page that this ledger publishes meanwhile is no change by the run.

  $ . ./store; store_enter published; store_to_assignment
  $ . ./store; store_enter published; sov project >/dev/null
  $ . ./store; store_enter published; sov outcome revise OUT-1 --desired 'always enough' --reason r --actor principal >/dev/null
  $ . ./store; store_enter published; sed "s#eval.*#'$(command -v sov)' project >/dev/null#" ../bin/agent >../bin/projects; chmod 755 ../bin/projects
  $ . ./store; store_enter published; sov run ASG-1 --actor operator -- ../bin/projects | head -n 1 | cut -d' ' -f1-3; sov show RCP-1 | grep -o '"violated":[a-z]*'; sov verify --projections -q
  RCP-1 completed ASG-1,
  "violated":false

A page that is changed otherwise is one.

  $ . ./store; store_enter touched; store_to_assignment
  $ . ./store; store_enter touched; sov project >/dev/null
  $ sed 's#eval.*#echo x >>governance/README.md#' bin/agent >bin/writes; chmod 755 bin/writes
  $ . ./store; store_enter touched; sov run ASG-1 --actor operator -- ../bin/writes | tail -n 1; sov show RCP-1 | grep -o '"violated":[a-z]*'
    boundary violated
  "violated":true

Told to end, the host ends the run, records it, and says so by its status.

  $ . ./store; store_enter stopped; store_to_assignment
  $ printf '#!/bin/sh\nkill -TERM $PPID\nexec sleep 60\n' >bin/stops; chmod 755 bin/stops
  $ . ./store; store_enter stopped; sov run ASG-1 --actor operator -- ../bin/stops >run.out; echo $?; head -n 1 run.out | cut -d' ' -f1-4
  143
  RCP-1 failed ASG-1, interrupted,
  $ . ./store; store_enter stopped; sov show RCP-1 | grep -E '^(category|effects_unknown)'
  category         interrupted
  effects_unknown  true
