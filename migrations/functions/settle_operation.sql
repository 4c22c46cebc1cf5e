-- edition 1
-- Stores once what became of the sending of a user operation, for whoever claimed it.
CREATE OR REPLACE FUNCTION settle_operation(of_operation uuid, by_token uuid, told text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE operation_sends d SET outcome = told, answered_at = unix_millis()
  WHERE d.operation = of_operation AND d.token = by_token AND d.outcome IS NULL;
  IF FOUND THEN
    UPDATE user_operations SET revision = revision + 1 WHERE id = of_operation;
  END IF;
END $$;
