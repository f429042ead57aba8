-- The schema of the file, then of this connection: whatever stands there changes what a statement
-- means. A trigger may bear the name of a table.

-- name: schema_main :many
SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY name, type;

-- name: schema_temp :many
SELECT type, name, tbl_name, sql FROM temp.sqlite_temp_schema ORDER BY name, type;

-- Moves with every commit of another connection.

-- name: schema_data_version :one
PRAGMA main.data_version;

-- name: schema_quick_check :one
PRAGMA main.quick_check(1);
