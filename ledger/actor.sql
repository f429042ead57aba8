-- name: actor_find :one
SELECT id, kind, role, provider, represents, status, seq FROM state_actor WHERE id = $1;

-- name: actor_list :many
SELECT id, kind, role, provider, represents, status, seq FROM state_actor ORDER BY id;

-- name: actor_insert :run
INSERT INTO state_actor (id, kind, role, provider, represents, status, seq)
VALUES ($1, $2, $3, $4, $5, 'active', $6);

-- name: actor_update :run
UPDATE state_actor SET role = coalesce($1, role), provider = coalesce($2, provider),
    represents = coalesce($3, represents)
WHERE id = $4 AND status <> 'retired';

-- name: actor_status :run
UPDATE state_actor SET status = $1 WHERE id = $2 AND status <> 'retired' AND status <> $3;
