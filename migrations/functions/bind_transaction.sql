-- edition 1
-- Binds a step to the sender's own transaction, and the sender's nonce on its chain to the step.
CREATE OR REPLACE FUNCTION bind_transaction(asked dispatch_request) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound transport_bindings;
  reserved reserved_nonces;
BEGIN
  bound := (asked.plan, asked.step, asked.transport, asked.binding_id, asked.hash, asked.transaction, asked.raw, unix_millis());
  -- Builds that know no scopes name the sender and the number.
  reserved := (
    coalesce(asked.nonce_scope, 'eip155:' || asked.chain_id || ':' || asked.sender),
    coalesce(asked.nonce_text, asked.nonce::text),
    asked.plan,
    asked.step
  );
  PERFORM bind_steps(ARRAY[bound], ARRAY[reserved]);
END $$;
