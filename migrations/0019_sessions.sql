-- Sessions: what a key may do for a wallet for a week or a month, the plans by which its owners enable and revoke it, and the one
-- generation of each wallet that is admitted. Preparing reserves nothing but the names, which no session of the wallet has again.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  principal text NOT NULL,
  grant_id uuid NOT NULL REFERENCES bot_grants (id),
  binding text NOT NULL REFERENCES bindings (id),
  chain_id bigint NOT NULL,
  -- Addresses are in lower case.
  wallet text NOT NULL,
  session_key text NOT NULL,
  generation numeric(20, 0) NOT NULL,
  nonce text NOT NULL,
  permission_id text NOT NULL,
  compiled_hash text NOT NULL,
  -- In seconds, which the guard holds it to.
  valid_until bigint NOT NULL,
  -- As text: nothing looks into it, and it is shown as it was compiled.
  terms json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  -- What its chain showed last, at the one block that stands in it, and no later than at this time.
  observation json,
  observed_at bigint,
  -- It showed exactly this generation live, within its limits.
  live boolean NOT NULL DEFAULT false,
  was_enabled boolean NOT NULL DEFAULT false,
  -- Why it is not to be used, whatever the guard says.
  invalidation json,
  -- The generation is out of the way for good, or none of its plans can enable it any more.
  released_at bigint,
  archived_at bigint,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  UNIQUE (chain_id, wallet, permission_id),
  UNIQUE (chain_id, wallet, session_key, generation),
  UNIQUE (chain_id, wallet, nonce),
  FOREIGN KEY (chain_id, wallet) REFERENCES wallets (chain_id, address),
  CHECK (octet_length(terms::text) <= 524288),
  CHECK (generation BETWEEN 1 AND 18446744073709551615),
  CHECK ((observation IS NULL) = (observed_at IS NULL)),
  CHECK (was_enabled OR NOT live)
);

CREATE INDEX sessions_of_account ON sessions (account, created_at DESC, id DESC);
CREATE INDEX sessions_of_binding ON sessions (binding, created_at DESC, id DESC);
CREATE INDEX sessions_of_grant ON sessions (grant_id, created_at DESC, id DESC);
CREATE INDEX sessions_to_sweep ON sessions (sweep_at) WHERE sweep_at IS NOT NULL;
CREATE INDEX sessions_to_archive ON sessions (greatest(valid_until * 1000, updated_at)) WHERE archived_at IS NULL AND sweep_at IS NULL;

-- The plans by which a wallet's owners enable or revoke a session, each after the one before it ran out.
CREATE TABLE session_plans (
  plan uuid PRIMARY KEY REFERENCES plans (id),
  session uuid NOT NULL REFERENCES sessions (id),
  kind text NOT NULL,
  -- Of the request by which the owner acknowledged the compiled hash.
  owner_request_digest text NOT NULL,
  issued_at bigint NOT NULL,
  -- The plan's own.
  expires_at bigint NOT NULL,
  superseded_at bigint,
  CHECK (kind IN ('activation', 'revocation'))
);

CREATE UNIQUE INDEX session_plans_current ON session_plans (session, kind) WHERE superseded_at IS NULL;
CREATE INDEX session_plans_of_session ON session_plans (session, issued_at);

-- A wallet has one admitted generation until that is released.
CREATE TABLE wallet_generations (
  chain_id bigint NOT NULL,
  wallet text NOT NULL,
  session uuid NOT NULL UNIQUE REFERENCES sessions (id),
  admitted_at bigint NOT NULL,
  PRIMARY KEY (chain_id, wallet),
  FOREIGN KEY (chain_id, wallet) REFERENCES wallets (chain_id, address)
);

-- A session's key leads to no plan.
ALTER TABLE idempotency_keys
  ALTER COLUMN plan DROP NOT NULL,
  DROP CONSTRAINT idempotency_keys_kind_check,
  DROP CONSTRAINT idempotency_keys_subject_check,
  ADD CONSTRAINT idempotency_keys_kind_check
    CHECK (kind IN ('plan', 'submission', 'bundle', 'sponsorship', 'publication', 'operation', 'send', 'session', 'lifecycle', 'review')),
  ADD CONSTRAINT idempotency_keys_plan_check CHECK (kind = 'session' OR plan IS NOT NULL),
  ADD CONSTRAINT idempotency_keys_subject_check
    CHECK ((kind IN ('sponsorship', 'publication', 'operation', 'send', 'session', 'lifecycle', 'review')) = (subject IS NOT NULL));
ALTER TABLE idempotency_archive ALTER COLUMN plan DROP NOT NULL;

CREATE INDEX idempotency_keys_of_session ON idempotency_keys (subject) WHERE kind = 'session';

CREATE TYPE session_storage AS (
  verdict text,
  session uuid
);
