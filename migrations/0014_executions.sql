-- What a published request needs so that its chain alone tells what became of it, how far that was looked for, and that it can be executed no more.
-- Replicas serve meanwhile: the view that they read is locked first, then the tables.
ALTER VIEW plan_records RESET (security_barrier);

LOCK TABLE plan_steps, sponsored_calls IN ACCESS EXCLUSIVE MODE;

-- How the step's request was found within its transaction.
ALTER TABLE plan_steps ADD COLUMN proof text, ADD CHECK (proof IN ('direct', 'batched', 'traced'));

ALTER TABLE sponsored_calls
  ADD COLUMN forwarder_code_hash text,
  ADD COLUMN gas numeric(78, 0),
  ADD COLUMN deadline bigint,
  -- The block that it was prepared at.
  ADD COLUMN since_block bigint,
  -- What the provider says of it: where to look, and nothing more.
  ADD COLUMN hint text,
  ADD COLUMN provider_state text,
  -- Up to this block nothing executed it.
  ADD COLUMN searched_block bigint,
  ADD COLUMN searched_hash text,
  -- At this final block it could be executed no more.
  ADD COLUMN dead_block bigint,
  ADD COLUMN dead_hash text,
  -- That block is final no more, whatever was said of it.
  ADD COLUMN revived boolean NOT NULL DEFAULT false,
  ADD COLUMN sweep_at bigint,
  ADD COLUMN sweep_attempts integer NOT NULL DEFAULT 0,
  ADD CHECK (hint ~ '^0x[0-9a-f]{64}$'),
  ADD CHECK (char_length(provider_state) <= 64),
  ADD CHECK ((searched_block IS NULL) = (searched_hash IS NULL)),
  ADD CHECK ((dead_block IS NULL) = (dead_hash IS NULL)),
  ADD CHECK (dead_hash IS NOT NULL OR NOT revived);

UPDATE sponsored_calls c SET forwarder_code_hash = r ->> 'forwarderCodeHash', gas = (r -> 'message' ->> 'gas')::numeric,
  deadline = (r -> 'message' ->> 'deadline')::bigint, since_block = (r -> 'evidence' ->> 'blockNumber')::bigint
FROM sponsorships s, json_array_elements(s.authorizations) r
WHERE s.id = c.sponsorship AND (r ->> 'stepIndex')::smallint = c.step;

ALTER TABLE sponsored_calls
  ALTER COLUMN forwarder_code_hash SET NOT NULL,
  ALTER COLUMN gas SET NOT NULL,
  ALTER COLUMN deadline SET NOT NULL,
  ALTER COLUMN since_block SET NOT NULL,
  DROP CONSTRAINT sponsored_calls_chain_id_forwarder_signer_nonce_key;

-- A forwarder's nonce is given again only where the request that had it is dead.
CREATE UNIQUE INDEX sponsored_calls_of_nonces ON sponsored_calls (chain_id, forwarder, signer, nonce) WHERE dead_hash IS NULL;
CREATE INDEX sponsored_calls_revived ON sponsored_calls (chain_id, forwarder, signer, nonce) WHERE revived;
CREATE INDEX sponsored_calls_to_sweep ON sponsored_calls (sweep_at) WHERE sweep_at IS NOT NULL;
CREATE INDEX publications_unheard ON publications (reserved_at) WHERE outcome IS DISTINCT FROM 'answered';

CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched,
  (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic, 'revert', s.revert,
      'proof', s.proof,
      'binding', CASE WHEN b.transport = 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('transport', b.transport,
          'bindingId', b.binding_id, 'request', json_build_object('forwarder', c.forwarder,
            'forwarderCodeHash', c.forwarder_code_hash, 'nonce', c.nonce::text, 'gas', c.gas::text, 'deadline', c.deadline,
            'sinceBlock', c.since_block, 'searchedBlock', c.searched_block, 'searchedHash', c.searched_hash, 'hint', c.hint,
            'providerState', c.provider_state, 'isDead', c.dead_hash IS NOT NULL AND NOT c.revived))
          FROM sponsored_calls c WHERE c.plan = b.plan AND c.step = b.step)
        WHEN b.transport IS NOT NULL THEN json_build_object('transport', b.transport,
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
