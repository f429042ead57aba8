# The store of model.md 14, by the words a person would type. Runs in an empty folder, with the root
# of the source in $src or $SRC. Every command must succeed; what it prints is kept in store.out.
src=${src:-$SRC}
store() { sov "$@" >>store.out 2>&1 || { echo "store: sov $* failed"; tail -n 6 store.out; return 1; }; }
store_enter() { # NAME: a store of its own, with keys of its own
    mkdir -p "$1"
    cd "$1"
    export SOV_TEST_SEED="$1"
}
store_subject() { # ID COST PRICE REORDER STOCK
    store subject declare "$1" --fact "unit_cost=$2" --fact "price=$3" --fact "reorder_point=$4" \
        --actor principal
    store account open "inventory/$1" --unit unit --opening "$5" --actor principal
    store account open "reserved/$1" --unit unit --actor principal
}
store_outcome() { # TITLE SUBJECT STOCK-CHECK
    store outcome new "$1" --desired 'Never below the reorder point.' --subject "$2" \
        --check "@$src/fixtures/store/checks/$3.json" \
        --check "@$src/fixtures/store/checks/restock-posted.json" \
        --check "@$src/fixtures/store/checks/restock-present.json" --actor principal
}
store_open() { # [CASH]
    store init --name 'The store' --policy "$src/fixtures/store/policy.json"
    store_subject SKU-TEA 120 400 3 4
    store account open cash --unit cent --opening "${1:-10000}" --actor principal
    store_outcome 'Tea is in stock' SKU-TEA stock-available # step 1
    store outcome activate OUT-1 --actor master
}
store_sale() { # QUANTITY [SUBJECT]
    store change record sale --subject "${2:-SKU-TEA}" --quantity "$1" --source till --actor operator
}
store_to_assignment() { # steps 1 to 3
    store_open
    store_sale 2
    store pulse
}
store_run() { # ASSIGNMENT QUANTITY
    store run "$1" --actor operator -- "${store_agent:-$src/tests/store_agent.sh}" "$2"
}
store_judged() { # SOW OUTCOME: steps 6 and 7
    store check "$1" --actor verifier
    store check "$2" --actor verifier
    store review "$1" --pass --reason 'The report and the postings agree.' --actor sparring
}
store_accepted() { # steps 1 to 8
    store_to_assignment
    store_run ASG-1 6
    store_judged SOW-1 OUT-1
    store accept OUT-1 --actor principal
}

# ---- what is asked of it afterwards ----
# All that must be equal wherever a log is folded: paths, modes, bytes of views, rows of state, events.
store_digest() { # FOLDER
    (
        cd "$1"
        find governance \( -type f -o -type l \) -printf '%p %m\n' | sort
        find governance -type f | sort | xargs sha256sum
        for table in $(sqlite3 .sovereign/organization.db "SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name GLOB 'state_*' ORDER BY name"); do
            sqlite3 .sovereign/organization.db "SELECT '$table', * FROM $table" | sort
        done
        sqlite3 .sovereign/organization.db 'SELECT octets FROM event ORDER BY seq'
    ) | sha256sum | cut -c1-64
}
store_types() { # SEQ: the types of the events after it, in order
    sov log --since "$1" --format jsonl |
        awk -f "$src/tests/oracle_json.awk" -f "$src/tests/oracle_types.awk"
}
store_books() { # stock and cash, as sov says them
    sov account list | awk '$1 == "cash" { c = $2 } $1 ~ /^inventory/ { s = s " " $1 " " $2 }
        END { print "cash " c s }'
}
# The log obeys the ground rules, and the model that knows only the log says what sov says.
store_agrees() {
    sov log --format jsonl >store.jsonl
    awk -f "$src/tests/oracle_json.awk" -f "$src/tests/oracle_order.awk" store.jsonl || return 1
    awk -f "$src/tests/oracle_json.awk" -f "$src/tests/oracle_store.awk" store.jsonl | sort >store.model ||
        return 1
    {
        sov account list | awk '{ print "account " $1 " " $2 }'
        sov show outcomes | awk '{ print "outcome " $1 " " $2 }'
        sov show sows | awk '{ print "sow " $1 " " $2 }'
        sov show assignments | awk '{ print "assignment " $1 " " $2 }'
    } | sort >store.said
    diff store.model store.said || return 1
    sov verify --no-anchor >store.verified && echo agreed || cat store.verified
}
