-- edition 1
-- Gives the step its transport and transaction, and the wallet's nonce to the step, for good; waits for a claim of another account
-- on the same wallet.
CREATE OR REPLACE FUNCTION bind_step(asked dispatch_request) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound record;
BEGIN
  SELECT b.transport, b.hash INTO bound FROM transport_bindings b WHERE b.plan = asked.plan AND b.step = asked.step;
  IF NOT FOUND THEN
    INSERT INTO transport_bindings (plan, step, transport, binding_id, hash, transaction, raw, bound_at)
    VALUES (asked.plan, asked.step, asked.transport, asked.binding_id, asked.hash, asked.transaction, asked.raw, unix_millis());
  ELSIF bound.transport <> asked.transport THEN
    PERFORM refuse_claim('TRANSPORT_CONFLICT', bound.transport);
  ELSIF bound.hash <> asked.hash THEN
    PERFORM refuse_claim('STEP_ALREADY_BOUND', bound.hash);
  END IF;
  INSERT INTO wallet_nonces AS w (chain_id, sender, nonce, plan, step)
  VALUES (asked.chain_id, asked.sender, asked.nonce, asked.plan, asked.step)
  ON CONFLICT (chain_id, sender, nonce) DO UPDATE SET step = w.step
  WHERE w.plan = excluded.plan AND w.step = excluded.step;
  IF NOT FOUND THEN
    PERFORM refuse_claim('NONCE_RESERVED');
  END IF;
END $$;
