-- When this database was brought back from a backup: what was written after the backup is not known here.
CREATE TABLE restorations (
  restored_at bigint PRIMARY KEY,
  -- In seconds: requests that were issued no later may have been accepted before, by a ledger that is lost.
  requests_after bigint NOT NULL,
  plans_ended integer NOT NULL,
  grants_ended integer NOT NULL
);
