-- edition 3
-- Shortens the time in which operations of a session that are on their way can be executed to the block in which it was seen revoked for
-- good: its guard refuses them in every later one. Their plans are due at once; one that somebody holds keeps its back-off.
CREATE OR REPLACE FUNCTION end_session_operations(of_session uuid, at_seconds bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE user_operations o SET valid_until = at_seconds, revision = o.revision + 1
    FROM sessions s WHERE s.id = of_session AND o.chain_id = s.chain_id AND o.sender = s.wallet AND o.claimed
      AND (o.dead_hash IS NULL OR o.revived) AND o.terms -> 'signing' -> 'session' ->> 'id' = of_session::text AND o.valid_until > at_seconds
    RETURNING o.plan
  )
  UPDATE plans SET sweep_at = least(sweep_at, unix_millis()), sweep_attempts = 0
  WHERE id IN (SELECT p.id FROM plans p WHERE p.sweep_at IS NOT NULL AND p.id IN (SELECT plan FROM ended) FOR NO KEY UPDATE OF p SKIP LOCKED);
END $$;
