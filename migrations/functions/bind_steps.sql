-- edition 2
-- Gives each step its transport, and each nonce to its step, for good; waits for a claim that is about to take the same nonce. Nonces
-- are taken in the order of their scopes and texts, so that no two claims wait for each other.
CREATE OR REPLACE FUNCTION bind_steps(bound transport_bindings[], reserved reserved_nonces[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  asked transport_bindings;
  known record;
  taken integer;
BEGIN
  FOREACH asked IN ARRAY bound LOOP
    SELECT b.transport, coalesce(b.hash, b.binding_id::text) AS name INTO known FROM transport_bindings b
    WHERE b.plan = asked.plan AND b.step = asked.step;
    IF NOT FOUND THEN
      INSERT INTO transport_bindings VALUES (asked.*);
      PERFORM admit_funding(asked.plan);
    ELSIF known.transport <> asked.transport THEN
      PERFORM refuse_claim('TRANSPORT_CONFLICT', known.transport);
    ELSIF known.name <> coalesce(asked.hash, asked.binding_id::text) THEN
      PERFORM refuse_claim('STEP_ALREADY_BOUND', known.name);
    END IF;
  END LOOP;
  INSERT INTO reserved_nonces AS n (scope, nonce, plan, step)
  SELECT r.scope, r.nonce, r.plan, r.step FROM unnest(reserved) r ORDER BY r.scope, r.nonce
  ON CONFLICT (scope, nonce) DO UPDATE SET step = n.step
  WHERE n.plan = excluded.plan AND n.step = excluded.step;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < cardinality(reserved) THEN
    PERFORM refuse_claim('NONCE_RESERVED');
  END IF;
END $$;
