-- edition 3
-- Gives each step of a user operation its transport, and its wallet's nonce to the operation, until that is proved dead: then to another one
-- of the same account, or of any where its chain gave the nonce to another one for good. The wallet's row is locked before, so that the accounts
-- that share the wallet take their turns.
CREATE OR REPLACE FUNCTION bind_operation(sent user_operations) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  others record;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.chain_id = sent.chain_id AND w.address = sent.sender FOR UPDATE;
  PERFORM bind_steps(
    ARRAY(
      SELECT (sent.plan, s, 'eip4337-user-operation', sent.id, NULL, NULL, NULL, unix_millis())::transport_bindings
      FROM unnest(sent.steps) s
    ),
    ARRAY[]::reserved_nonces[]
  );
  -- One that was thought dead and is not has its nonce still, whoever took it since.
  SELECT bool_or(o.dead_hash IS NULL OR o.revived) AS may_be_executed,
    bool_or(o.account <> sent.account AND NOT EXISTS (SELECT 1 FROM plan_steps t WHERE t.plan = o.plan AND t.step = ANY (o.steps)
      AND t.semantic ->> 'reason' = 'OPERATION_NONCE_CONSUMED')) AS are_of_others INTO others
  FROM user_operations o WHERE o.claimed AND o.chain_id = sent.chain_id AND o.sender = sent.sender AND o.nonce = sent.nonce;
  IF others.may_be_executed THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED');
  ELSIF others.are_of_others THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED', 'account');
  END IF;
  UPDATE user_operations SET claimed = true, revision = revision + 1 WHERE id = sent.id;
END $$;
