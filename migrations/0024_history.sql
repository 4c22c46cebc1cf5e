-- How far this database got: every process of the service counts on while it runs. Whoever counted further than what is found here knows that
-- the database was brought back from a backup, or lost what it had acknowledged.
CREATE TABLE history (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Copies keep it: it tells this database's backups from other databases.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  beats bigint NOT NULL DEFAULT 0,
  -- In milliseconds: when a process found that less is here than it knew.
  behind_since bigint
);

INSERT INTO history DEFAULT VALUES;
