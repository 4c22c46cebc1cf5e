-- edition 6
-- Says once that the database was brought back from a backup, before anybody is served by it. What may have left since the backup leaves no
-- more by what is stored here: plans with steps that no transport has end now, and what their owners committed to is kept. What may have been
-- revoked since is not trusted: bots' grants end too, unless the operator keeps them. Requests from before are accepted no more, up to the
-- allowance of the clients' clocks.
CREATE OR REPLACE FUNCTION mark_restored(keeps_grants boolean) RETURNS restorations LANGUAGE plpgsql AS $$
DECLARE
  future_allowance_seconds constant bigint := 30;
  marked restorations;
BEGIN
  LOCK TABLE restorations IN EXCLUSIVE MODE;
  -- The lost server's clock may have been ahead of this one's, as that of the server may that noticed the loss.
  marked.restored_at := greatest(
    unix_millis(),
    (SELECT max(p.created_at) FROM plans p),
    (SELECT max(o.created_at) FROM user_operations o),
    (SELECT max(b.bound_at) FROM transport_bindings b),
    (SELECT max(u.reserved_at) FROM publications u),
    (SELECT max(w.created_at) FROM payment_reviews w),
    (SELECT max(h.behind_since) FROM history h),
    (SELECT max(r.restored_at) + 1 FROM restorations r)
  );
  marked.requests_after := marked.restored_at / 1000 + future_allowance_seconds;
  INSERT INTO ended_plans (plan, committed_until)
  SELECT p.id, p.expires_at FROM plans p
  WHERE p.expires_at > marked.restored_at AND EXISTS (
    SELECT 1 FROM plan_steps s WHERE s.plan = p.id
      AND NOT EXISTS (SELECT 1 FROM transport_bindings b WHERE b.plan = s.plan AND b.step = s.step)
  );
  UPDATE plans p SET expires_at = marked.restored_at, revision = p.revision + 1
  FROM ended_plans e WHERE e.plan = p.id AND p.expires_at > marked.restored_at;
  GET DIAGNOSTICS marked.plans_ended = ROW_COUNT;
  marked.grants_ended := 0;
  IF NOT keeps_grants THEN
    UPDATE bot_grants g SET revoked_at = greatest(marked.restored_at / 1000, g.created_at)
    WHERE g.revoked_at IS NULL AND g.expires_at > marked.restored_at / 1000;
    GET DIAGNOSTICS marked.grants_ended = ROW_COUNT;
  END IF;
  INSERT INTO restorations VALUES (marked.*);
  RETURN marked;
END $$;
