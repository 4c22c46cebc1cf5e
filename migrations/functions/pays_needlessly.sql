-- edition 4
-- Whether a plan pays for requests of which one was executed already, or can be executed no more; what a chain shows counts while it shows it.
CREATE OR REPLACE FUNCTION pays_needlessly(of_plan uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT pays_in_vain(of_plan) OR EXISTS (SELECT 1 FROM fundings f
    JOIN sponsored_calls c ON c.sponsorship = f.sponsorship
    JOIN plan_steps s ON s.plan = c.plan AND s.step = c.step
    WHERE f.plan = of_plan AND s.receipt ->> 'canonical' = 'true')
$$;
