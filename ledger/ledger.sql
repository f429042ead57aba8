-- name: organization_read :one
SELECT name, public_key, ledger_id FROM state_organization WHERE id = 1;
