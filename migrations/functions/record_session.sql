-- edition 4
-- Keeps what a look at its guard means for a session, unless it changed meanwhile; whether it did not. A generation that is seen enabled is
-- admitted, by whatever way its owners enabled it; one that is seen revoked in a final block gives its wallet free, until that block is gone.
CREATE OR REPLACE FUNCTION record_session(
  of_session uuid,
  judged_revision integer,
  seen json,
  seen_at bigint,
  is_live boolean,
  doubt json,
  is_retired boolean,
  sweep_millis integer
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  status text := coalesce(seen ->> 'status', 'none');
  now bigint := unix_millis();
  was_retired boolean;
BEGIN
  UPDATE sessions s SET observation = seen, observed_at = seen_at, live = is_live, was_enabled = s.was_enabled OR status <> 'none',
    invalidation = doubt, updated_at = now, revision = s.revision + 1, sweep_attempts = 0,
    released_at = CASE WHEN is_retired THEN coalesce(s.released_at, now) WHEN status = 'none' THEN s.released_at END,
    sweep_at = CASE WHEN NOT is_retired AND (status <> 'none' OR s.sweep_at IS NOT NULL) THEN now + sweep_millis END
  FROM sessions before
  WHERE s.id = of_session AND s.revision = judged_revision AND before.id = s.id
  RETURNING before.released_at IS NOT NULL INTO was_retired;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF was_retired AND NOT is_retired THEN
    PERFORM reopen_session_operations(of_session);
  END IF;
  IF is_retired THEN
    DELETE FROM wallet_generations g WHERE g.session = of_session;
    PERFORM end_session_operations(of_session, (seen -> 'shown' -> 'evidence' ->> 'timestamp')::bigint);
  ELSIF status = 'enabled' AND NOT EXISTS (SELECT 1 FROM wallet_generations g WHERE g.session = of_session) THEN
    -- Whoever admits another one holds the wallet's row, and waits for this one's.
    PERFORM 1 FROM sessions s JOIN wallets w ON w.chain_id = s.chain_id AND w.address = s.wallet WHERE s.id = of_session FOR UPDATE OF w;
    INSERT INTO wallet_generations (chain_id, wallet, session, admitted_at)
    SELECT s.chain_id, s.wallet, s.id, now FROM sessions s WHERE s.id = of_session ON CONFLICT DO NOTHING;
  END IF;
  RETURN true;
END $$;
