-- edition 2
-- Shortens the time in which operations of a session that are on their way can be executed to the block in which it was seen revoked for
-- good: its guard refuses them in every later one.
CREATE OR REPLACE FUNCTION end_session_operations(of_session uuid, at_seconds bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_operations o SET valid_until = at_seconds, revision = o.revision + 1
  FROM sessions s WHERE s.id = of_session AND o.chain_id = s.chain_id AND o.sender = s.wallet AND o.claimed
    AND (o.dead_hash IS NULL OR o.revived) AND o.terms -> 'signing' -> 'session' ->> 'id' = of_session::text AND o.valid_until > at_seconds;
END $$;
