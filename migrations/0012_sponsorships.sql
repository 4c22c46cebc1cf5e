-- Requests that an owner may sign for a forwarder, prepared for the steps of a plan; preparing reserves nothing.
CREATE TABLE sponsorships (
  id uuid PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  principal text NOT NULL,
  plan uuid NOT NULL REFERENCES plans (id),
  -- As text: nothing looks into it, and it is shown as it was committed to.
  authorizations json NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  CHECK (octet_length(authorizations::text) <= 524288)
);

CREATE INDEX sponsorships_of_account ON sponsorships (account, created_at DESC, id DESC);
CREATE INDEX sponsorships_of_principal ON sponsorships (account, principal, created_at DESC, id DESC);
CREATE INDEX sponsorships_of_plan ON sponsorships (plan);

-- What a key led to besides a plan or a step of it.
ALTER TABLE idempotency_keys
  ADD COLUMN subject uuid,
  DROP CONSTRAINT idempotency_keys_kind_check,
  ADD CHECK (kind IN ('plan', 'submission', 'bundle', 'sponsorship')),
  ADD CHECK ((kind = 'sponsorship') = (subject IS NOT NULL));
ALTER TABLE idempotency_archive ADD COLUMN subject uuid;

CREATE TYPE sponsorship_storage AS (
  verdict text,
  sponsorship uuid
);
