-- edition 1
-- Stores what became of a broadcast, where the claim still is the caller's, and shows the plan as it then is. The log is not waited for:
-- a server that dies before it is written leaves a claim that runs out, and the step unknown until its chain tells.
CREATE OR REPLACE FUNCTION settle_dispatch(of_plan uuid, of_step smallint, by_token uuid, became text) RETURNS SETOF plan_records
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE dispatch_leases l SET outcome = became, broadcast_at = CASE WHEN became = 'submitted' THEN unix_millis() END
  WHERE l.plan = of_plan AND l.step = of_step AND l.token = by_token AND l.outcome IS NULL;
  RETURN QUERY SELECT * FROM plan_records r WHERE r.id = of_plan;
END $$;
