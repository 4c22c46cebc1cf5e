-- edition 1
-- Gives a bound step's token the right to send until its time is over, where no other claim lives or stands settled and no other
-- was made since the chain was asked.
CREATE OR REPLACE FUNCTION lease_for(
  of_plan uuid,
  of_step smallint,
  of_hash text,
  by_token uuid,
  claims_seen integer,
  at_millis bigint,
  for_millis integer
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at)
  VALUES (of_plan, of_step, by_token, of_hash, 1, at_millis, at_millis + for_millis)
  ON CONFLICT (plan, step) DO UPDATE SET token = excluded.token, count = l.count + 1, outcome = NULL,
    reserved_at = excluded.reserved_at, expires_at = excluded.expires_at, broadcast_at = NULL
  WHERE l.hash = excluded.hash AND l.count = claims_seen AND (l.expires_at <= at_millis OR l.outcome = 'unknown');
  RETURN FOUND;
END $$;
