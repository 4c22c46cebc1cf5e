-- edition 2
-- Keeps the passkey of a wallet that is bound to the account, under the lock of its row; the same key of the same owner keeps its count, whatever its id is said to be. Null: it is not bound so.
CREATE OR REPLACE FUNCTION register_credential(of_account text, asked credentials, of_state text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  stored_at bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = asked.binding AND b.account = account_number
    AND b.unlinked_at IS NULL AND b.state_hash = of_state)
  THEN
    RETURN NULL;
  END IF;
  INSERT INTO credentials AS c (binding, account, owner, credential_id, x, y, created_at)
  VALUES (asked.binding, account_number, asked.owner, asked.credential_id, asked.x, asked.y, unix_millis())
  ON CONFLICT (binding) DO UPDATE SET owner = excluded.owner, credential_id = excluded.credential_id, x = excluded.x, y = excluded.y,
    counter = CASE WHEN (c.owner, c.x, c.y) = (excluded.owner, excluded.x, excluded.y) THEN c.counter ELSE 0 END,
    created_at = CASE WHEN (c.owner, c.credential_id, c.x, c.y) = (excluded.owner, excluded.credential_id, excluded.x, excluded.y)
      THEN c.created_at ELSE excluded.created_at END
  RETURNING c.created_at INTO stored_at;
  RETURN stored_at;
END $$;
