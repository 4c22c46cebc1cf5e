-- edition 1
-- Whether a plan pays for requests of which one can be executed no more: it is dead, or another one took its nonce, as far as is seen.
CREATE OR REPLACE FUNCTION pays_in_vain(of_plan uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM fundings f
    JOIN sponsored_calls c ON c.sponsorship = f.sponsorship
    JOIN plan_steps s ON s.plan = c.plan AND s.step = c.step
    WHERE f.plan = of_plan AND ((c.dead_hash IS NOT NULL AND NOT c.revived)
      OR s.semantic ->> 'reason' IN ('EXECUTION_NOT_OURS', 'FORWARD_NONCE_PASSED', 'FORWARD_NONCE_CONSUMED')))
$$;
