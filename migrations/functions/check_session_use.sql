-- edition 2
-- Refuses an operation that a session's key signed, where that session is not active at this time, was not seen so within the last
-- minute, or has a later operation that may still be executed. Its row is locked before.
CREATE OR REPLACE FUNCTION check_session_use(
  sent user_operations,
  of_session uuid,
  account_number bigint,
  at_millis bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used sessions;
BEGIN
  SELECT s.* INTO STRICT used FROM sessions s WHERE s.id = of_session;
  IF used.released_at IS NOT NULL THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', CASE WHEN used.was_enabled THEN 'revoked' ELSE 'prepared' END);
  ELSIF EXISTS (SELECT 1 FROM session_plans l WHERE l.session = used.id AND l.kind = 'revocation' AND l.superseded_at IS NULL) THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'revoking');
  ELSIF used.invalidation IS NOT NULL
    OR NOT grant_outlasts(account_number, used.grant_id, used.session_key, used.valid_until, at_millis / 1000)
  THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'stale');
  ELSIF used.valid_until * 1000 <= at_millis THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'expired');
  ELSIF coalesce(used.observed_at, 0) < at_millis - 60000 THEN
    PERFORM refuse_claim('SESSION_OBSERVATION_STALE');
  ELSIF NOT used.live THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', CASE used.observation ->> 'status' WHEN 'none' THEN 'prepared'
      WHEN 'revoked' THEN 'revoked' ELSE 'stale' END);
  -- All of a session's operations follow one another by one key of the wallet's nonces, so one of them is on its way at a time: a later
  -- one was sent before a reorganisation took back what came before it.
  ELSIF EXISTS (SELECT 1 FROM user_operations o WHERE o.claimed AND o.chain_id = sent.chain_id AND o.sender = sent.sender
    AND o.nonce > sent.nonce AND div(o.nonce, 18446744073709551616) = div(sent.nonce, 18446744073709551616)
    AND (o.dead_hash IS NULL OR o.revived))
  THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED');
  END IF;
END $$;
