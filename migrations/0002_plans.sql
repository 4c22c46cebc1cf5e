CREATE TABLE plans (
  id uuid PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  principal text NOT NULL,
  operation text NOT NULL,
  wallet text NOT NULL,
  terms json NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  -- When recovery looks at the plan next; null once nothing is left to reconcile.
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  pending_since bigint,
  CHECK (expires_at >= created_at)
);

CREATE INDEX plans_of_account ON plans (account, created_at DESC, id DESC);
CREATE INDEX plans_of_principal ON plans (account, principal, created_at DESC, id DESC);
CREATE INDEX plans_to_sweep ON plans (sweep_at, id) WHERE sweep_at IS NOT NULL;
-- The oldest is asked for with each sweep.
CREATE INDEX plans_pending ON plans (pending_since) WHERE sweep_at IS NOT NULL;

CREATE TABLE plan_steps (
  plan uuid NOT NULL REFERENCES plans (id),
  step smallint NOT NULL,
  observed text,
  receipt json,
  semantic json,
  PRIMARY KEY (plan, step),
  CHECK (step BETWEEN 0 AND 31),
  CHECK (observed IN ('submitted', 'unknown', 'confirming', 'confirmed', 'reverted', 'reorged'))
);

-- One transport and one transaction for a step, for good.
CREATE TABLE transport_bindings (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  transport text NOT NULL,
  binding_id uuid NOT NULL UNIQUE,
  hash text NOT NULL,
  transaction json NOT NULL,
  raw bytea NOT NULL,
  bound_at bigint NOT NULL,
  PRIMARY KEY (plan, step),
  FOREIGN KEY (plan, step) REFERENCES plan_steps (plan, step),
  CHECK (transport IN ('signed-eoa-transaction', 'forwarder-prepaid-erc2771', 'eip4337-user-operation'))
);

CREATE INDEX transport_bindings_by_hash ON transport_bindings (hash);

-- One step for a wallet's nonce on a chain, for good.
CREATE TABLE wallet_nonces (
  chain_id bigint NOT NULL,
  sender text NOT NULL,
  nonce numeric(20, 0) NOT NULL,
  plan uuid NOT NULL,
  step smallint NOT NULL,
  PRIMARY KEY (chain_id, sender, nonce),
  FOREIGN KEY (plan, step) REFERENCES plan_steps (plan, step)
);

CREATE TABLE dispatch_leases (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  token uuid NOT NULL,
  hash text NOT NULL,
  count integer NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  broadcast_at bigint,
  PRIMARY KEY (plan, step),
  FOREIGN KEY (plan, step) REFERENCES transport_bindings (plan, step),
  CHECK (outcome IN ('submitted', 'already-observed', 'unknown'))
);

CREATE TABLE owner_approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plan uuid NOT NULL,
  step smallint NOT NULL,
  hash text NOT NULL,
  form text NOT NULL,
  signer text NOT NULL,
  issued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  nonce text NOT NULL,
  recorded_at bigint NOT NULL,
  FOREIGN KEY (plan, step) REFERENCES plan_steps (plan, step),
  CHECK (form IN ('owner-request', 'owner-approval'))
);

CREATE INDEX owner_approvals_of_step ON owner_approvals (plan, step);

CREATE TABLE idempotency_keys (
  account bigint NOT NULL REFERENCES accounts (number),
  principal text NOT NULL,
  key text NOT NULL,
  identity text NOT NULL,
  kind text NOT NULL,
  plan uuid NOT NULL REFERENCES plans (id),
  step smallint,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, principal, key),
  CHECK (kind IN ('plan', 'submission', 'bundle'))
);

CREATE INDEX idempotency_keys_of_plan ON idempotency_keys (plan);
