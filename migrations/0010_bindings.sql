-- A step leaves by one of several transports, and what a nonce is depends on them: it is reserved by a scope and its text.
-- Replicas serve meanwhile: the view that they read is locked first, then the tables in the order in which a claim takes them.
CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched,
  (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic,
      'binding', CASE WHEN b.transport IS NOT NULL THEN json_build_object('transport', b.transport,
        'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
      'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
        'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
        'broadcastAt', l.broadcast_at) END) ORDER BY s.step)
    FROM plan_steps s
    LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
    LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
    WHERE s.plan = p.id) AS steps
FROM plans p JOIN accounts a ON a.number = p.account;

LOCK TABLE transport_bindings, wallet_nonces IN ACCESS EXCLUSIVE MODE;

-- Of the other transports one binding may hold several steps.
ALTER TABLE transport_bindings
  ALTER COLUMN hash DROP NOT NULL,
  ALTER COLUMN transaction DROP NOT NULL,
  ALTER COLUMN raw DROP NOT NULL,
  DROP CONSTRAINT transport_bindings_binding_id_key,
  ADD CHECK (transport <> 'signed-eoa-transaction' OR (hash IS NOT NULL AND transaction IS NOT NULL AND raw IS NOT NULL));

CREATE UNIQUE INDEX transport_bindings_of_transactions ON transport_bindings (binding_id) WHERE transport = 'signed-eoa-transaction';

-- One step for a nonce of a scope, for good; what is asked for as two texts must not be one number.
CREATE TABLE reserved_nonces (
  scope text NOT NULL,
  nonce text NOT NULL,
  plan uuid NOT NULL,
  step smallint NOT NULL,
  PRIMARY KEY (scope, nonce),
  FOREIGN KEY (plan, step) REFERENCES plan_steps (plan, step),
  CHECK (nonce ~ '^(0|[1-9][0-9]*)$')
);

INSERT INTO reserved_nonces (scope, nonce, plan, step)
SELECT 'eip155:' || w.chain_id || ':' || w.sender, w.nonce::text, w.plan, w.step FROM wallet_nonces w;

DROP TABLE wallet_nonces;

-- Builds of before name a sender's nonce by its parts alone.
ALTER TYPE dispatch_request ADD ATTRIBUTE nonce_scope text, ADD ATTRIBUTE nonce_text text;

DROP FUNCTION may_relay(dispatch_request, bigint, bigint);
DROP FUNCTION may_publish(bigint, uuid);
DROP FUNCTION bind_step(dispatch_request);
