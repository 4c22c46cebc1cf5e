-- edition 2
-- Whether a step of a plan may still be executed by what left: by an operation that is not dead, did not fail in a final block, and whose nonce
-- no other took in one. It has the place of never_left, which asked whether anything left at all.
DROP FUNCTION IF EXISTS never_left(uuid, bigint);
CREATE OR REPLACE FUNCTION may_be_executed(of_plan uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM transport_bindings b JOIN plan_steps t ON t.plan = b.plan AND t.step = b.step
      LEFT JOIN user_operations o ON o.id = b.binding_id
    WHERE b.plan = of_plan AND (o.dead_hash IS NULL OR o.revived)
      AND (t.observed = 'reverted' AND (t.receipt ->> 'finality' = 'finalized'
        OR (t.receipt ->> 'finality' = 'unknown' AND (t.receipt ->> 'confirmations')::integer >= 256))) IS NOT TRUE
      AND t.semantic ->> 'reason' IS DISTINCT FROM 'OPERATION_NONCE_CONSUMED'
  )
$$;
