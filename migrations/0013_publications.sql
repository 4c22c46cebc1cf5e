-- What left for the prepaid provider: once for a sponsorship, for good. Replicas serve meanwhile: the view that they read is locked first.
ALTER VIEW plan_records RESET (security_barrier);

CREATE TABLE publications (
  sponsorship uuid PRIMARY KEY REFERENCES sponsorships (id),
  submission_hash text NOT NULL,
  -- Read by the sending alone, and shown nowhere.
  signatures text[] NOT NULL,
  token uuid NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  settled_at bigint,
  bundle_id uuid UNIQUE,
  quote json,
  CHECK (outcome IN ('answered', 'unknown')),
  CHECK ((outcome IS NULL) = (settled_at IS NULL)),
  CHECK ((outcome IS NOT DISTINCT FROM 'answered') = (quote IS NOT NULL)),
  CHECK ((bundle_id IS NULL) = (quote IS NULL))
);

-- The steps of a published sponsorship, and the forwarder's nonces that their requests take: each is one request's.
CREATE TABLE sponsored_calls (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  sponsorship uuid NOT NULL REFERENCES sponsorships (id),
  chain_id bigint NOT NULL,
  forwarder text NOT NULL,
  signer text NOT NULL,
  nonce numeric(78, 0) NOT NULL,
  PRIMARY KEY (plan, step),
  FOREIGN KEY (plan, step) REFERENCES transport_bindings (plan, step),
  UNIQUE (chain_id, forwarder, signer, nonce)
);

CREATE INDEX sponsored_calls_of_sponsorship ON sponsored_calls (sponsorship);

ALTER TABLE idempotency_keys
  DROP CONSTRAINT idempotency_keys_kind_check,
  DROP CONSTRAINT idempotency_keys_check,
  ADD CONSTRAINT idempotency_keys_kind_check
    CHECK (kind IN ('plan', 'submission', 'bundle', 'sponsorship', 'publication')),
  ADD CONSTRAINT idempotency_keys_subject_check
    CHECK ((kind IN ('sponsorship', 'publication')) = (subject IS NOT NULL));

-- What a publication asks of its sponsorship.
CREATE TYPE publication_request AS (
  account_id text,
  principal text,
  grant_id uuid,
  sponsorship uuid,
  key text,
  identity text,
  keys_per_account integer,
  submission_hash text,
  signatures text[],
  -- The revision of the plan by whose facts its dependencies were judged, and how.
  judged_revision integer,
  is_blocked boolean,
  approval_form text,
  approval_signer text,
  approval_nonce text,
  approval_issued_at bigint,
  approval_expires_at bigint,
  future_allowance_seconds integer,
  token uuid,
  lease_millis integer,
  sweep_millis integer
);

-- The claim of a sponsored step is that of its sponsorship.
CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched,
  (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic, 'revert', s.revert,
      'binding', CASE WHEN b.transport IS NOT NULL THEN json_build_object('transport', b.transport,
        'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
      'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
        'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
        'broadcastAt', l.broadcast_at)
        WHEN b.transport = 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('hash', u.submission_hash, 'count', 1,
          'reservedAt', u.reserved_at, 'expiresAt', u.expires_at,
          'outcome', CASE u.outcome WHEN 'answered' THEN 'submitted' ELSE u.outcome END,
          'broadcastAt', CASE u.outcome WHEN 'answered' THEN u.settled_at END)
          FROM publications u WHERE u.sponsorship = b.binding_id) END) ORDER BY s.step)
    FROM plan_steps s
    LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
    LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
    WHERE s.plan = p.id) AS steps
FROM plans p JOIN accounts a ON a.number = p.account;
