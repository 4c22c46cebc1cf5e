-- User operations that a wallet's owners may sign, prepared for steps of a plan; preparing reserves nothing, and what is sent is sent once, for
-- good. Replicas serve meanwhile: the view that they read is locked first.
ALTER VIEW plan_records RESET (security_barrier);

CREATE TABLE user_operations (
  id uuid PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  principal text NOT NULL,
  plan uuid NOT NULL REFERENCES plans (id),
  steps smallint[] NOT NULL,
  chain_id bigint NOT NULL,
  -- Addresses are in lower case.
  entry_point text NOT NULL,
  sender text NOT NULL,
  nonce numeric(78, 0) NOT NULL,
  -- Of the wallet, and its state that the operation was prepared in.
  binding text NOT NULL,
  state_hash text NOT NULL,
  -- As text: nothing looks into it, and it is shown as it was committed to.
  terms json NOT NULL,
  operation_hash text NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- In seconds, which the wallet holds it to.
  valid_until bigint NOT NULL,
  -- The block that it was prepared at.
  since_block bigint NOT NULL,
  paymaster text,
  maximum_cost numeric(78, 0) NOT NULL,
  wallet_code_hash text NOT NULL,
  entry_point_code_hash text NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  -- Its one sending was granted.
  claimed boolean NOT NULL DEFAULT false,
  -- The transaction that the bundler names: where to look, and nothing more.
  hint text,
  -- The block that it was seen executed in, with its own logs and what it cost there.
  observed_block text,
  scoped_count integer,
  scoped_hash text,
  actual_gas_cost numeric(78, 0),
  -- Up to this block nothing executed it.
  searched_block bigint,
  searched_hash text,
  -- At this final block it could be executed no more.
  dead_block bigint,
  dead_hash text,
  -- That block is final no more, whatever was said of it.
  revived boolean NOT NULL DEFAULT false,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  UNIQUE (chain_id, operation_hash),
  CHECK (octet_length(terms::text) <= 524288),
  CHECK (cardinality(steps) BETWEEN 1 AND 16),
  CHECK (hint ~ '^0x[0-9a-f]{64}$'),
  CHECK (num_nulls(observed_block, scoped_count, scoped_hash, actual_gas_cost) IN (0, 4)),
  CHECK ((searched_block IS NULL) = (searched_hash IS NULL)),
  CHECK ((dead_block IS NULL) = (dead_hash IS NULL)),
  CHECK (dead_hash IS NOT NULL OR NOT revived)
);

CREATE INDEX user_operations_of_account ON user_operations (account, created_at DESC, id DESC);
CREATE INDEX user_operations_of_principal ON user_operations (account, principal, created_at DESC, id DESC);
CREATE INDEX user_operations_of_plan ON user_operations (plan);
-- A wallet's nonce is one operation's, until that is proved dead.
CREATE UNIQUE INDEX user_operations_of_nonces ON user_operations (chain_id, sender, nonce) WHERE claimed AND dead_hash IS NULL;
CREATE INDEX user_operations_claimed ON user_operations (chain_id, sender, nonce) WHERE claimed;
CREATE INDEX user_operations_to_sweep ON user_operations (sweep_at) WHERE sweep_at IS NOT NULL;

CREATE TABLE operation_sends (
  operation uuid PRIMARY KEY REFERENCES user_operations (id),
  -- Read by the sending alone, and shown nowhere.
  signature text NOT NULL,
  commitment text NOT NULL,
  token uuid NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  answered_at bigint,
  CHECK (outcome IN ('accepted', 'unknown')),
  CHECK ((outcome IS NULL) = (answered_at IS NULL))
);

CREATE INDEX operation_sends_unheard ON operation_sends (reserved_at) WHERE outcome IS DISTINCT FROM 'accepted';

-- An operation's event shows that its calls ran, or that they failed together.
ALTER TABLE plan_steps
  DROP CONSTRAINT plan_steps_proof_check,
  ADD CONSTRAINT plan_steps_proof_check CHECK (proof IN ('direct', 'batched', 'traced', 'operation'));

ALTER TABLE idempotency_keys
  DROP CONSTRAINT idempotency_keys_kind_check,
  DROP CONSTRAINT idempotency_keys_subject_check,
  ADD CONSTRAINT idempotency_keys_kind_check
    CHECK (kind IN ('plan', 'submission', 'bundle', 'sponsorship', 'publication', 'operation', 'send')),
  ADD CONSTRAINT idempotency_keys_subject_check
    CHECK ((kind IN ('sponsorship', 'publication', 'operation', 'send')) = (subject IS NOT NULL));

CREATE TYPE operation_storage AS (
  verdict text,
  operation uuid
);

-- The claim of an operation's step is that of its operation.
CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched,
  (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic, 'revert', s.revert,
      'proof', s.proof,
      'binding', CASE b.transport WHEN 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('transport', b.transport,
          'bindingId', b.binding_id, 'request', json_build_object('forwarder', c.forwarder,
            'forwarderCodeHash', c.forwarder_code_hash, 'nonce', c.nonce::text, 'gas', c.gas::text, 'deadline', c.deadline,
            'sinceBlock', c.since_block, 'searchedBlock', c.searched_block, 'searchedHash', c.searched_hash, 'hint', c.hint,
            'providerState', c.provider_state, 'isDead', c.dead_hash IS NOT NULL AND NOT c.revived))
          FROM sponsored_calls c WHERE c.plan = b.plan AND c.step = b.step)
        WHEN 'eip4337-user-operation' THEN (SELECT json_build_object('transport', b.transport,
          'bindingId', b.binding_id, 'operation', json_build_object('operationHash', o.operation_hash,
            'entryPoint', o.entry_point, 'entryPointCodeHash', o.entry_point_code_hash, 'sender', o.sender,
            'walletCodeHash', o.wallet_code_hash, 'nonce', o.nonce::text, 'validUntil', o.valid_until,
            'sinceBlock', o.since_block, 'searchedBlock', o.searched_block, 'searchedHash', o.searched_hash, 'hint', o.hint,
            'isDead', o.dead_hash IS NOT NULL AND NOT o.revived, 'paymaster', o.paymaster,
            'maximumCost', o.maximum_cost::text, 'calls', cardinality(o.steps),
            'position', array_position(o.steps, b.step) - 1, 'observedBlock', o.observed_block))
          FROM user_operations o WHERE o.id = b.binding_id)
        WHEN 'signed-eoa-transaction' THEN json_build_object('transport', b.transport,
          'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
      'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
        'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
        'broadcastAt', l.broadcast_at)
        WHEN b.transport = 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('hash', u.submission_hash, 'count', 1,
          'reservedAt', u.reserved_at, 'expiresAt', u.expires_at,
          'outcome', CASE u.outcome WHEN 'answered' THEN 'submitted' ELSE u.outcome END,
          'broadcastAt', CASE u.outcome WHEN 'answered' THEN u.settled_at END)
          FROM publications u WHERE u.sponsorship = b.binding_id)
        WHEN b.transport = 'eip4337-user-operation' THEN (SELECT json_build_object('hash', o.operation_hash, 'count', 1,
          'reservedAt', d.reserved_at, 'expiresAt', d.expires_at,
          'outcome', CASE d.outcome WHEN 'accepted' THEN 'submitted' ELSE d.outcome END,
          'broadcastAt', CASE d.outcome WHEN 'accepted' THEN d.answered_at END)
          FROM operation_sends d JOIN user_operations o ON o.id = d.operation WHERE d.operation = b.binding_id) END) ORDER BY s.step)
    FROM plan_steps s
    LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
    LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
    WHERE s.plan = p.id) AS steps
FROM plans p JOIN accounts a ON a.number = p.account;
