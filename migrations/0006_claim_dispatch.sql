-- What a submission asks of its plan; null is what its purpose does not need.
CREATE TYPE dispatch_request AS (
  purpose text,
  account_id text,
  principal text,
  grant_id uuid,
  plan uuid,
  step smallint,
  key text,
  identity text,
  keys_per_account integer,
  hash text,
  transport text,
  binding_id uuid,
  transaction json,
  raw bytea,
  chain_id bigint,
  sender text,
  nonce numeric,
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
  claims_seen integer,
  lease_millis integer,
  sweep_millis integer
);

-- Verdict CLAIMED: the caller's token may send. RECORDED: it stands, and there is nothing to send. Any other is a refusal;
-- CONCURRENT_UPDATE: the plan is not as it was judged. bound_to is the transport or the hash that the step is bound to already.
CREATE TYPE dispatch_verdict AS (
  verdict text,
  bound_to text
);

CREATE FUNCTION refuse_claim(code text, bound_to text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE SQLSTATE 'CLAIM' USING MESSAGE = code, DETAIL = bound_to;
END $$;

CREATE FUNCTION may_relay(asked dispatch_request, account_number bigint, clock_millis bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN asked.grant_id IS NULL OR EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = asked.grant_id AND g.account = account_number
      AND g.revoked_at IS NULL AND g.expires_at > clock_millis / 1000 AND 'relay' = ANY (g.scopes)
  );
END $$;

-- Gives the step its transport and transaction, and the wallet's nonce to the step, for good; waits for a claim of another account
-- on the same wallet.
CREATE FUNCTION bind_step(asked dispatch_request) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound record;
BEGIN
  SELECT b.transport, b.hash INTO bound FROM transport_bindings b WHERE b.plan = asked.plan AND b.step = asked.step;
  IF NOT FOUND THEN
    INSERT INTO transport_bindings (plan, step, transport, binding_id, hash, transaction, raw, bound_at)
    VALUES (asked.plan, asked.step, asked.transport, asked.binding_id, asked.hash, asked.transaction, asked.raw, unix_millis());
  ELSIF bound.transport <> asked.transport THEN
    PERFORM refuse_claim('TRANSPORT_CONFLICT', bound.transport);
  ELSIF bound.hash <> asked.hash THEN
    PERFORM refuse_claim('STEP_ALREADY_BOUND', bound.hash);
  END IF;
  INSERT INTO wallet_nonces AS w (chain_id, sender, nonce, plan, step)
  VALUES (asked.chain_id, asked.sender, asked.nonce, asked.plan, asked.step)
  ON CONFLICT (chain_id, sender, nonce) DO UPDATE SET step = w.step
  WHERE w.plan = excluded.plan AND w.step = excluded.step;
  IF NOT FOUND THEN
    PERFORM refuse_claim('NONCE_RESERVED');
  END IF;
END $$;

-- The key's first request gives it its outcome; nothing is stored above the bound.
CREATE FUNCTION record_outcome(asked dispatch_request, account_number bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
BEGIN
  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND THEN
    IF known.identity <> asked.identity THEN
      PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
    END IF;
    RETURN;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, step, created_at)
  SELECT account_number, asked.principal, asked.key, asked.identity,
    CASE WHEN asked.step IS NULL THEN 'bundle' ELSE 'submission' END, asked.plan, asked.step, unix_millis()
  WHERE (SELECT count(*) FROM (SELECT 1 FROM idempotency_keys k
    WHERE k.account = account_number LIMIT asked.keys_per_account) kept) < asked.keys_per_account;
  IF NOT FOUND THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;
END $$;

-- Decides an admission in one round trip, under the locks of the account's and then the plan's row. Purposes:
-- dispatch: binds the step and claims the right to broadcast, where no other claim lives or stands settled;
-- observe: binds the step to a transaction that its chain knows already, so that nothing is to be sent;
-- repeat: gives one more key the outcome of an admitted step;
-- bundle: gives the bundle's key to its request.
-- A refusal undoes all that was written before it.
CREATE FUNCTION claim_dispatch(asked dispatch_request) RETURNS dispatch_verdict LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  held record;
  clock_millis bigint;
  answer dispatch_verdict := ('RECORDED', NULL);
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = asked.account_id FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('ACCOUNT_NOT_FOUND');
  END IF;
  SELECT p.revision, p.expires_at INTO held FROM plans p
  WHERE p.id = asked.plan AND p.account = account_number AND p.principal = asked.principal FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('PLAN_NOT_FOUND');
  ELSIF held.revision <> asked.judged_revision THEN
    PERFORM refuse_claim('CONCURRENT_UPDATE');
  ELSIF asked.purpose IN ('observe', 'bundle') AND NOT may_relay(asked, account_number, unix_millis()) THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;

  IF asked.purpose IN ('dispatch', 'observe') THEN
    PERFORM bind_step(asked);
  END IF;
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();

  IF asked.purpose = 'dispatch' THEN
    IF NOT may_relay(asked, account_number, clock_millis) THEN
      PERFORM refuse_claim('FORBIDDEN');
    ELSIF asked.approval_expires_at <= clock_millis / 1000
      OR asked.approval_issued_at > clock_millis / 1000 + asked.future_allowance_seconds
    THEN
      PERFORM refuse_claim('OWNER_APPROVAL_EXPIRED');
    ELSIF held.expires_at <= clock_millis THEN
      PERFORM refuse_claim('PLAN_EXPIRED');
    ELSIF asked.is_blocked THEN
      PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
    END IF;
    INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at)
    VALUES (asked.plan, asked.step, asked.token, asked.hash, 1, clock_millis, clock_millis + asked.lease_millis)
    ON CONFLICT (plan, step) DO UPDATE SET token = excluded.token, count = l.count + 1, outcome = NULL,
      reserved_at = excluded.reserved_at, expires_at = excluded.expires_at, broadcast_at = NULL
    WHERE l.hash = excluded.hash AND l.count = asked.claims_seen AND (l.expires_at <= clock_millis OR l.outcome = 'unknown');
    IF FOUND THEN
      answer.verdict := 'CLAIMED';
      INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
      VALUES (asked.plan, asked.step, asked.hash, asked.approval_form, asked.approval_signer, asked.approval_issued_at,
        asked.approval_expires_at, asked.approval_nonce, clock_millis);
    END IF;
  ELSIF asked.purpose = 'observe' THEN
    -- What a living or a settled claim says stays.
    INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at, outcome)
    VALUES (asked.plan, asked.step, asked.token, asked.hash, 1, clock_millis, clock_millis + asked.lease_millis, 'already-observed')
    ON CONFLICT (plan, step) DO UPDATE SET outcome = excluded.outcome
    WHERE l.outcome = 'unknown' OR (l.outcome IS NULL AND l.expires_at <= clock_millis);
  END IF;

  PERFORM record_outcome(asked, account_number);
  IF asked.purpose IN ('dispatch', 'observe') THEN
    UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
      pending_since = coalesce(pending_since, clock_millis) WHERE id = asked.plan;
  END IF;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $$;

-- A plan with all that is known of its steps.
CREATE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched,
  (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic,
      'binding', CASE WHEN b.hash IS NOT NULL THEN json_build_object('transport', b.transport,
        'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
      'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
        'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
        'broadcastAt', l.broadcast_at) END) ORDER BY s.step)
    FROM plan_steps s
    LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
    LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
    WHERE s.plan = p.id) AS steps
FROM plans p JOIN accounts a ON a.number = p.account;

-- Stores what became of a broadcast, where the claim still is the caller's, and shows the plan as it then is. The log is not waited for:
-- a server that dies before it is written leaves a claim that runs out, and the step unknown until its chain tells.
CREATE FUNCTION settle_dispatch(of_plan uuid, of_step smallint, by_token uuid, became text) RETURNS SETOF plan_records
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE dispatch_leases l SET outcome = became, broadcast_at = CASE WHEN became = 'submitted' THEN unix_millis() END
  WHERE l.plan = of_plan AND l.step = of_step AND l.token = by_token AND l.outcome IS NULL;
  RETURN QUERY SELECT * FROM plan_records r WHERE r.id = of_plan;
END $$;
