# The types of a log's events, in order, a few a line.
{ json_read($0); line = line (line == "" ? "" : " ") v["type"] }
length(line) > 70 { print line; line = "" }
END { if (line != "") print line }
