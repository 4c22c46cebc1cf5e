-- edition 3
-- Whether a plan is none by which a session is enabled or revoked, or is the one that is admitted for it. None enables a session whose
-- revocation is admitted, or whose bot has its grant no more.
CREATE OR REPLACE FUNCTION lifecycle_plan_stands(of_plan uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT 1 FROM session_plans l WHERE l.plan = of_plan AND (l.superseded_at IS NOT NULL
      OR l.kind = 'activation' AND (NOT EXISTS (SELECT 1 FROM wallet_generations w WHERE w.session = l.session)
        OR EXISTS (SELECT 1 FROM session_plans r WHERE r.session = l.session AND r.kind = 'revocation' AND r.superseded_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = l.session
          AND grant_outlasts(s.account, s.grant_id, s.session_key, s.valid_until, unix_seconds()))))
  );
END $$;
