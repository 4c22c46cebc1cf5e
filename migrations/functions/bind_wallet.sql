-- edition 2
-- Binds a wallet that its owners signed for, under the lock of the account's row; asked.account and the times of storage are given here.
-- Verdict TWIN: what they signed is bound already. What ended stays known for a minute longer, for a clock that a failover sets back.
CREATE OR REPLACE FUNCTION bind_wallet(
  of_account text,
  asked bindings,
  wallets_limit integer,
  nonces_limit integer
) RETURNS binding_storage LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  now bigint;
  bound binding_storage;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL, NULL)::binding_storage;
  END IF;

  SELECT n.digest, n.ended, b.created_at, b.revision INTO known
  FROM binding_nonces n JOIN bindings b ON b.id = n.binding
  WHERE n.account = account_number AND n.nonce = asked.nonce;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.digest <> asked.digest THEN 'NONCE_REUSED' WHEN known.ended THEN 'REVOKED' ELSE 'TWIN' END,
      known.created_at, known.revision
    )::binding_storage;
  ELSIF asked.expires_at * 1000 <= now THEN
    RETURN ('EXPIRED', NULL, NULL)::binding_storage;
  ELSIF EXISTS (
    SELECT 1 FROM bindings b
    WHERE b.account = account_number AND b.unlinked_at IS NULL AND b.id <> asked.id OFFSET wallets_limit - 1
  ) THEN
    RETURN ('WALLETS_LIMIT', NULL, NULL)::binding_storage;
  END IF;

  DELETE FROM binding_nonces n WHERE n.account = account_number AND (n.expires_at + 60) * 1000 <= now
    AND NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = n.binding AND b.nonce = n.nonce AND b.unlinked_at IS NULL);
  IF EXISTS (
    SELECT 1 FROM binding_nonces n
    WHERE n.account = account_number AND n.expires_at * 1000 > now OFFSET nonces_limit - 1
  ) THEN
    RETURN ('NONCES_LIMIT', NULL, NULL)::binding_storage;
  END IF;

  INSERT INTO wallets (chain_id, address) VALUES (asked.chain_id, asked.address) ON CONFLICT DO NOTHING;
  INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
  VALUES (asked.id, account_number, asked.chain_id, asked.address, asked.manifest, asked.state_hash, asked.snapshot, asked.digest,
    asked.nonce, asked.expires_at, now)
  ON CONFLICT (id) DO UPDATE SET manifest = excluded.manifest, state_hash = excluded.state_hash, snapshot = excluded.snapshot,
    digest = excluded.digest, nonce = excluded.nonce, expires_at = excluded.expires_at, unlinked_at = NULL,
    revision = bindings.revision + 1
  RETURNING 'STORED', created_at, revision INTO bound;
  INSERT INTO binding_nonces (account, nonce, binding, digest, expires_at)
  VALUES (account_number, asked.nonce, asked.id, asked.digest, asked.expires_at);
  RETURN bound;
END $$;
