-- edition 4
-- Decides an admission in one round trip, under the locks of the account's and then the plan's row. Purposes:
-- dispatch: binds the step and claims the right to broadcast, where no other claim lives or stands settled; a plan's expiry bounds the
-- step's first admission only, as an execution of the requests that the plan pays for and a doubt of what is asked for them do;
-- observe: binds the step to a transaction that its chain knows already, so that nothing is to be sent;
-- repeat: gives one more key the outcome of an admitted step;
-- bundle: gives the bundle's key to its request.
-- A refusal undoes all that was written before it.
CREATE OR REPLACE FUNCTION claim_dispatch(asked dispatch_request) RETURNS dispatch_verdict LANGUAGE plpgsql AS $$
DECLARE
  held record;
  clock_millis bigint;
  is_first boolean;
  answer dispatch_verdict := ('RECORDED', NULL);
BEGIN
  held := locked_plan(asked.account_id, asked.principal, asked.plan, asked.judged_revision);
  IF asked.purpose IN ('observe', 'bundle')
    AND NOT grant_allows(held.account_number, asked.grant_id, 'relay', unix_millis() / 1000)
  THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;

  IF asked.purpose IN ('dispatch', 'observe') THEN
    PERFORM bind_transaction(asked);
  END IF;
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();

  IF asked.purpose = 'dispatch' THEN
    -- An earlier binding is another request's.
    is_first := NOT EXISTS (SELECT 1 FROM transport_bindings b
      WHERE b.plan = asked.plan AND b.step = asked.step AND b.binding_id <> asked.binding_id);
    IF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
      PERFORM refuse_claim('FORBIDDEN');
    ELSIF asked.approval_expires_at <= clock_millis / 1000
      OR asked.approval_issued_at > clock_millis / 1000 + asked.future_allowance_seconds
    THEN
      PERFORM refuse_claim('OWNER_APPROVAL_EXPIRED');
    ELSIF is_first AND held.expires_at <= clock_millis THEN
      PERFORM refuse_claim('PLAN_EXPIRED');
    ELSIF (is_first AND pays_needlessly(asked.plan)) OR (NOT is_first AND pays_in_vain(asked.plan)) THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT');
    ELSIF is_first AND pays_unproved(asked.plan) THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT', 'unproved');
    ELSIF asked.is_blocked THEN
      PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
    END IF;
    IF lease_for(asked.plan, asked.step, asked.hash, asked.token, asked.claims_seen, clock_millis, asked.lease_millis) THEN
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

  PERFORM record_outcome(asked, held.account_number);
  IF asked.purpose IN ('dispatch', 'observe') THEN
    UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
      pending_since = coalesce(pending_since, clock_millis) WHERE id = asked.plan;
  END IF;
  ASSERT is_claim_verdict(answer.verdict), answer.verdict;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $$;
