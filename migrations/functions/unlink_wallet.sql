-- edition 1
-- Ends a binding under the lock of the account's row, and with it all that was signed for it; whether there is or was one.
-- What it was used for keeps what it reserved.
CREATE OR REPLACE FUNCTION unlink_wallet(of_account text, of_binding text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  UPDATE bindings b SET unlinked_at = coalesce(b.unlinked_at, unix_millis()),
    revision = b.revision + (b.unlinked_at IS NULL)::integer
  WHERE b.id = of_binding AND b.account = account_number;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE binding_nonces n SET ended = true WHERE n.binding = of_binding AND NOT n.ended;
  RETURN true;
END $$;
