-- edition 6
-- Decides the sending of a user operation in one round trip, under the locks of the account's, the plan's, the operation's, its session's
-- and then the wallet's row: binds the steps and the wallet's nonce, and gives the one right to send that there ever is. A repeat of the request is
-- told that it stands. A refusal undoes all that was written before it.
-- Without a lease nothing is sent, for its chain has the operation: what would keep it from being sent keeps it from nothing then.
CREATE OR REPLACE FUNCTION claim_user_operation(asked send_request) RETURNS dispatch_verdict LANGUAGE plpgsql AS $$
DECLARE
  of_plan uuid;
  of_session uuid;
  sent user_operations;
  held record;
  known record;
  clock_millis bigint;
  answer dispatch_verdict := ('CLAIMED', NULL);
BEGIN
  SELECT o.plan INTO of_plan FROM user_operations o WHERE o.id = asked.operation AND o.principal = asked.principal;
  IF NOT FOUND THEN
    PERFORM refuse_claim('USER_OPERATION_NOT_FOUND');
  END IF;
  held := locked_plan(asked.account_id, asked.principal, of_plan, asked.judged_revision);
  SELECT o.* INTO STRICT sent FROM user_operations o WHERE o.id = asked.operation FOR UPDATE;

  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = held.account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND AND known.identity <> asked.identity THEN
    PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
  ELSIF FOUND THEN
    RETURN ('RECORDED', NULL)::dispatch_verdict;
  ELSIF sent.claimed THEN
    PERFORM refuse_claim('USER_OPERATION_CONFLICT');
  END IF;

  of_session := sent.terms -> 'signing' -> 'session' ->> 'id';
  PERFORM 1 FROM sessions s WHERE s.id = of_session FOR UPDATE;
  PERFORM bind_operation(sent);
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();
  IF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;
  IF asked.lease_millis > 0 THEN
    PERFORM check_sending(sent, held.account_number, held.expires_at, clock_millis);
  END IF;
  IF asked.is_blocked THEN
    PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = held.account_number OFFSET asked.keys_per_account - 1) THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;

  INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at)
  VALUES (asked.operation, asked.signature, asked.commitment, asked.token, clock_millis, clock_millis + asked.lease_millis);
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (held.account_number, asked.principal, asked.key, asked.identity, 'send', of_plan, asked.operation, clock_millis);
  UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
    pending_since = coalesce(pending_since, clock_millis) WHERE id = of_plan;
  -- A plan that was archived is so no more, that its new key goes with it once it is again.
  UPDATE plans SET archived_at = NULL, changed_at = clock_millis WHERE id = of_plan AND archived_at IS NOT NULL;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $$;
