-- edition 1
-- Takes back what end_session_operations shortened, where the block in which a session was seen revoked for good is gone: what may be executed
-- until its policy's end is not over before.
CREATE OR REPLACE FUNCTION reopen_session_operations(of_session uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_operations o SET valid_until = (o.terms #>> '{signing,validUntil}')::bigint, revision = o.revision + 1
  FROM sessions s WHERE s.id = of_session AND o.chain_id = s.chain_id AND o.sender = s.wallet AND o.claimed
    AND o.terms -> 'signing' -> 'session' ->> 'id' = of_session::text AND o.valid_until < (o.terms #>> '{signing,validUntil}')::bigint;
END $$;
