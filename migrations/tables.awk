# The derived tables of the migrations -> C: how each is read whole, in the order of its key, and
# how it is emptied; and how each index goes, for folds that nobody asks by it.
#   awk -f migrations/tables.awk migrations/NNNN_*.sql
# Reach: N numbered by n or assignment ($1..$2), H the history (named streams count as 0),
# C claims (the number stands in the resource), S one of a kind (named entities).
function say(   i, where, reach, list) {
    for (i = 1; i <= columns; i++) list = list (i > 1 ? ", " : "") column[i]
    reach = "S"; where = ""
    if (table == "state_history") { reach = "H"; where = "n" }
    else if (table == "state_claim") reach = "C"
    else if (key ~ /^n(,|$)/) { reach = "N"; where = "n" }
    else if ("assignment" in has) { reach = "N"; where = "assignment" }
    printf "    { \"%s\",\n      \"SELECT %s\"\n      \" FROM %s%s ORDER BY %s\",\n", table, list, table,
        where == "" ? "" : " WHERE " where " >= $1 AND " where " <= $2", key
    printf "      \"DELETE FROM %s\", '%s' },\n", table, reach
}
/^CREATE (UNIQUE )?INDEX state_/ { index_name[++indexes] = $2 == "UNIQUE" ? $4 : $3 }
BEGIN { print "static const struct sov_state_table tables[] = {" }
/^CREATE TABLE state_/ { table = $3; columns = 0; key = ""; split("", has); open = 1; next }
open && /^\)/          { say(); open = 0; next }
open { line = $0; sub(/^ +/, "", line); sub(/,$/, "", line)
       if (line ~ /^PRIMARY KEY \(/) { key = line; sub(/^PRIMARY KEY \(/, "", key); sub(/\)$/, "", key); next }
       split(line, word, " "); column[++columns] = word[1]; has[word[1]] = 1
       if (line ~ /PRIMARY KEY/) key = word[1] }
END { print "};"
      print "static const char *const drops[] = {"
      for (i = 1; i <= indexes; i++) printf "    \"DROP INDEX %s\",\n", index_name[i]
      print "};" }
