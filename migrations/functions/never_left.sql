-- edition 1
-- Whether a plan ran out before any of its steps had a transport: nothing that it holds can leave any more.
CREATE OR REPLACE FUNCTION never_left(of_plan uuid, clock_millis bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM plans p WHERE p.id = of_plan AND p.expires_at <= clock_millis)
    AND NOT EXISTS (SELECT 1 FROM transport_bindings b WHERE b.plan = of_plan)
$$;
