-- edition 5
-- Gives the wallets of these sessions free where nothing enabled them and none of their plans can any more: the last ran out a minute ago
-- and before the guard was seen last, and was not sent, or by what can be executed no more: it is dead, it failed, or another operation used
-- its nonce in a final block. How many.
CREATE OR REPLACE FUNCTION release_generations(of_sessions uuid[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  released uuid[];
BEGIN
  -- What is judged is seen once the rows are held: a plan that is admitted meanwhile counts.
  PERFORM 1 FROM sessions s WHERE s.id = ANY (of_sessions) ORDER BY s.id FOR UPDATE;
  WITH dead AS (
    UPDATE sessions s SET released_at = unix_millis(), updated_at = unix_millis(), revision = s.revision + 1, sweep_at = NULL
    WHERE s.id = ANY (of_sessions) AND s.released_at IS NULL AND s.observation ->> 'status' = 'none'
      AND (s.invalidation ->> 'reason') IS DISTINCT FROM 'reorg'
      AND EXISTS (SELECT 1 FROM wallet_generations g WHERE g.session = s.id)
      AND NOT EXISTS (
        SELECT 1 FROM session_plans l JOIN plans p ON p.id = l.plan
        WHERE l.session = s.id AND l.kind = 'activation'
          AND (p.expires_at > least(unix_millis() - 60000, s.observed_at) OR may_be_executed(p.id))
      )
    RETURNING s.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO released FROM dead;
  DELETE FROM wallet_generations g WHERE g.session = ANY (released);
  RETURN cardinality(released);
END $$;
