-- Decides an admission in one round trip, under the locks of the account's and then the plan's row. Purposes:
-- dispatch: binds the step and claims the right to broadcast, where no other claim lives or stands settled; a plan's expiry bounds the
-- step's first admission only;
-- observe: binds the step to a transaction that its chain knows already, so that nothing is to be sent;
-- repeat: gives one more key the outcome of an admitted step;
-- bundle: gives the bundle's key to its request.
-- A refusal undoes all that was written before it.
CREATE OR REPLACE FUNCTION claim_dispatch(asked dispatch_request) RETURNS dispatch_verdict LANGUAGE plpgsql AS $$
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
    -- An earlier binding is another request's.
    ELSIF held.expires_at <= clock_millis AND NOT EXISTS (SELECT 1 FROM transport_bindings b
      WHERE b.plan = asked.plan AND b.step = asked.step AND b.binding_id <> asked.binding_id)
    THEN
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
      -- That its chain lacked the step was seen before these bytes leave again, and says nothing of them.
      IF asked.claims_seen > 0 THEN
        UPDATE plan_steps s SET observed = NULL
        WHERE s.plan = asked.plan AND s.step = asked.step AND s.observed IN ('unknown', 'reorged')
          AND s.receipt ->> 'canonical' IS DISTINCT FROM 'true';
      END IF;
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
