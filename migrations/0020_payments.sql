-- Payments that an app asks a wallet's owner for, each decided once, and the passkeys that decide.
CREATE TABLE payment_reviews (
  id uuid PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  -- Of the app.
  grant_id uuid NOT NULL REFERENCES bot_grants (id),
  -- One review each, for good.
  operation uuid NOT NULL UNIQUE REFERENCES user_operations (id),
  -- The app's own word, by which it knows its answer again.
  state text NOT NULL,
  -- As text: nothing looks into it, and it is shown as it was asked for.
  terms json NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  decision text,
  decided_at bigint,
  -- What the owner signed, shown to its app alone, and the commitment of what it makes.
  envelope text,
  signed_commitment text,
  CHECK (state ~ '^[A-Za-z0-9_-]{43}$'),
  CHECK (octet_length(terms::text) <= 65536),
  CHECK (decision IN ('approved', 'cancelled')),
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((decision IS NOT DISTINCT FROM 'approved') = (envelope IS NOT NULL)),
  CHECK ((envelope IS NULL) = (signed_commitment IS NULL)),
  CHECK (envelope ~ '^0x([0-9a-f]{2})+$' AND octet_length(envelope) <= 32770),
  CHECK (signed_commitment ~ '^0x[0-9a-f]{64}$')
);

-- One of a wallet's: whose contract is its owner beside the account's.
CREATE TABLE credentials (
  binding text PRIMARY KEY REFERENCES bindings (id),
  account bigint NOT NULL REFERENCES accounts (number),
  -- The contract, in lower case.
  owner text NOT NULL,
  credential_id text NOT NULL,
  x text NOT NULL,
  y text NOT NULL,
  -- What its authenticator last counted to: it never counts back.
  counter bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  CHECK (owner ~ '^0x[0-9a-f]{40}$'),
  CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND octet_length(credential_id) <= 1364),
  CHECK (x ~ '^0x[0-9a-f]{64}$' AND y ~ '^0x[0-9a-f]{64}$')
);

CREATE TYPE review_storage AS (
  verdict text,
  review uuid
);
