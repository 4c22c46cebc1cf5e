-- What the one sending of a user operation asks of it.
CREATE TYPE send_request AS (
  account_id text,
  principal text,
  grant_id uuid,
  operation uuid,
  key text,
  identity text,
  keys_per_account integer,
  -- Of exactly what leaves.
  commitment text,
  signature text,
  -- The revision of the plan by whose facts its dependencies were judged, and how.
  judged_revision integer,
  is_blocked boolean,
  token uuid,
  lease_millis integer,
  sweep_millis integer
);
