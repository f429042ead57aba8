#!/bin/sh
# A provider for tests. It reads the envelope, writes report.json, and answers completed:
#   store_agent.sh QUANTITY [WORDS]   proposes a replenishment of QUANTITY, or nothing for 0
# WORDS replace the summary: what a provider says is data, however it looks.
set -eu
read -r envelope
value() { printf '%s' "$envelope" | sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }
subject=$(value subject)
proposals=
[ "$1" = 0 ] || proposals="{\"kind\":\"replenishment\",\"quantity\":$1,\"reason\":\"stock is low\",\"subject\":\"$subject\",\"unit\":null}"
echo '{"ordered":true}' >"$SOV_OUT/report.json"
printf '{"assignment":"%s","blockers":[],"checks":[],"deliverables":[{"note":null,"path":"report.json"}],"kind":"sov.report.v1","notes":null,"proposals":[%s],"questions":[],"status":"completed","summary":"%s"}' \
    "$SOV_ASSIGNMENT" "$proposals" "${2:-Ordered.}"
