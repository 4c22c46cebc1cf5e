-- edition 1
-- Refuses an operation that may not leave at this time: whose binding, session or plan lets it go no more, or whose time is over. Its own
-- row and its session's are locked before.
CREATE OR REPLACE FUNCTION check_sending(
  sent user_operations,
  account_number bigint,
  plan_expires_at bigint,
  at_millis bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_session uuid := sent.terms -> 'signing' -> 'session' ->> 'id';
BEGIN
  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = sent.binding AND b.account = account_number
    AND b.state_hash = sent.state_hash AND b.unlinked_at IS NULL)
  THEN
    PERFORM refuse_claim('SMART_ACCOUNT_CHANGED', 'binding');
  ELSIF least(sent.expires_at, sent.valid_until * 1000, plan_expires_at) <= at_millis THEN
    PERFORM refuse_claim('USER_OPERATION_EXPIRED');
  ELSIF NOT lifecycle_plan_stands(sent.plan) THEN
    PERFORM refuse_claim('SESSION_PLAN_NOT_ADMITTED');
  ELSIF of_session IS NOT NULL THEN
    PERFORM check_session_use(sent, of_session, account_number, at_millis);
  END IF;
END $$;
