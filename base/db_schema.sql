-- The schema of the file, then of this connection: whatever stands there changes what a statement
-- means. A trigger may bear the name of a table.

-- name: schema_main :many
SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY name, type;

-- name: schema_temp :many
SELECT type, name, tbl_name, sql FROM temp.sqlite_temp_schema ORDER BY name, type;

-- Changes with every change of the schema, in the file or of this connection.

-- name: schema_version_main :one
PRAGMA main.schema_version;

-- name: schema_version_temp :one
PRAGMA temp.schema_version;

-- name: schema_quick_check :one
PRAGMA main.quick_check(1);
