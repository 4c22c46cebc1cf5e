-- edition 3
-- Stores the plan by which a wallet's owners enable or revoke a session, and admits it in the same moment, under the locks of the
-- account's, the plan's, the session's and then the wallet's row: of a wallet one generation is admitted, of a session one plan of a
-- kind, and the one before it is superseded where it ran out and nothing of it can be executed any more. That is so often at most of a
-- kind, but for what revokes a session that its guard has: of that the account's plans alone are the bound. Verdict TWIN: the key has this plan already.
CREATE OR REPLACE FUNCTION admit_lifecycle_plan(
  of_account text,
  key text,
  identity text,
  proposed plans,
  admitted session_plans,
  compiled text,
  plans_limit integer,
  keys_limit integer,
  superseded_limit integer,
  OUT verdict text,
  OUT plan uuid
) LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  held sessions;
  former session_plans;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF account_number IS NULL THEN
    verdict := 'ACCOUNT_NOT_FOUND';
    RETURN;
  END IF;

  SELECT k.identity, k.plan INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = proposed.principal AND k.key = admit_lifecycle_plan.key;
  IF FOUND THEN
    verdict := CASE WHEN known.identity = admit_lifecycle_plan.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END;
    plan := known.plan;
    RETURN;
  ELSIF NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = admitted.session AND s.account = account_number) THEN
    verdict := 'SESSION_NOT_FOUND';
    RETURN;
  END IF;

  -- Plans of a session come and go under the lock of its account.
  SELECT l.* INTO former FROM session_plans l
  WHERE l.session = admitted.session AND l.kind = admitted.kind AND l.superseded_at IS NULL;
  PERFORM 1 FROM plans p WHERE p.id = former.plan FOR UPDATE;
  SELECT s.* INTO STRICT held FROM sessions s WHERE s.id = admitted.session FOR UPDATE;
  PERFORM 1 FROM wallets w WHERE w.chain_id = held.chain_id AND w.address = held.wallet FOR UPDATE;
  -- That was the last wait: time is looked at after it, and once.
  now := unix_millis();

  IF held.compiled_hash <> compiled THEN
    verdict := 'SESSION_CHANGED';
  ELSIF admitted.kind = 'activation' AND EXISTS (SELECT 1 FROM session_plans l
    WHERE l.session = held.id AND l.kind = 'revocation' AND l.superseded_at IS NULL)
  THEN
    verdict := 'REVOKING';
  ELSIF admitted.kind = 'activation' AND held.was_enabled THEN
    verdict := 'ENABLED_BEFORE';
  ELSIF admitted.kind = 'activation' AND held.valid_until * 1000 <= now THEN
    verdict := 'SESSION_EXPIRED';
  ELSIF admitted.kind = 'activation' AND EXISTS (SELECT 1 FROM wallet_generations g
    WHERE g.chain_id = held.chain_id AND g.wallet = held.wallet AND g.session <> held.id)
  THEN
    verdict := 'SESSION_RETIREMENT_REQUIRED';
  ELSIF EXISTS (SELECT 1 FROM plans p WHERE p.id = former.plan AND (p.expires_at > now OR may_be_executed(p.id))) THEN
    verdict := 'SESSION_PLAN_NOT_REPLACEABLE';
    plan := former.plan;
  ELSIF former.plan IS NOT NULL AND (admitted.kind = 'activation' OR (held.observation ->> 'status') IS DISTINCT FROM 'enabled')
    AND EXISTS (SELECT 1 FROM session_plans l
      WHERE l.session = held.id AND l.kind = admitted.kind AND l.superseded_at IS NOT NULL OFFSET superseded_limit - 1)
  THEN
    verdict := 'SUPERSEDED_LIMIT';
  ELSIF EXISTS (SELECT 1 FROM plans p WHERE p.account = account_number AND p.archived_at IS NULL OFFSET plans_limit - 1) THEN
    verdict := 'PLANS_LIMIT';
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    verdict := 'KEYS_LIMIT';
  ELSE
    UPDATE session_plans l SET superseded_at = now WHERE l.plan = former.plan;
    INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
    VALUES (proposed.id, account_number, proposed.principal, proposed.operation, proposed.wallet, proposed.terms,
      proposed.commitment, proposed.created_at, proposed.expires_at);
    INSERT INTO plan_steps (plan, step) VALUES (proposed.id, 0);
    INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
    VALUES (account_number, proposed.principal, admit_lifecycle_plan.key, admit_lifecycle_plan.identity, 'lifecycle', proposed.id,
      held.id, now);
    INSERT INTO session_plans (plan, session, kind, owner_request_digest, issued_at, expires_at)
    VALUES (proposed.id, held.id, admitted.kind, admitted.owner_request_digest, admitted.issued_at, proposed.expires_at);
    IF admitted.kind = 'activation' THEN
      INSERT INTO wallet_generations (chain_id, wallet, session, admitted_at) VALUES (held.chain_id, held.wallet, held.id, now)
      ON CONFLICT DO NOTHING;
    END IF;
    UPDATE sessions s SET revision = s.revision + 1, updated_at = now, sweep_at = now, sweep_attempts = 0,
      released_at = CASE WHEN admitted.kind <> 'activation' THEN s.released_at END
    WHERE s.id = held.id;
    verdict := 'STORED';
    plan := proposed.id;
  END IF;
END $$;
