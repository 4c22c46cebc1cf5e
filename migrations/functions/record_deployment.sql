-- edition 1
-- Stores one proved deployment; call it with the account's row locked. Verdict TWIN: it is known and shown already.
CREATE OR REPLACE FUNCTION record_deployment(
  account_number bigint,
  granted uuid,
  of_intent uuid,
  proven intent_deployments,
  per_chain integer,
  look_after integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  deployed bigint;
  known intent_deployments;
BEGIN
  IF NOT grant_allows(account_number, granted, 'plan', unix_seconds()) THEN
    RETURN 'FORBIDDEN';
  END IF;

  SELECT i.number INTO STRICT deployed FROM intents i WHERE i.id = of_intent FOR UPDATE;
  SELECT d.* INTO known FROM intent_deployments d
  WHERE d.intent = deployed AND d.chain_id = proven.chain_id AND d.transaction_hash = proven.transaction_hash;
  IF known.displaced_at IS NULL AND known.block_hash = proven.block_hash THEN
    RETURN 'TWIN';
  END IF;

  IF known.number IS NULL AND EXISTS (
    SELECT 1 FROM intent_deployments d WHERE d.intent = deployed AND d.chain_id = proven.chain_id OFFSET per_chain - 1
  ) THEN
    RETURN 'LIMIT';
  END IF;

  INSERT INTO intent_deployments (intent, chain_id, transaction_hash, project_id, forwarded, block_number, block_hash,
    created_at, look_at)
  VALUES (deployed, proven.chain_id, proven.transaction_hash, proven.project_id, proven.forwarded, proven.block_number,
    proven.block_hash, unix_seconds(), unix_seconds() + look_after)
  ON CONFLICT (intent, chain_id, transaction_hash) DO UPDATE SET project_id = excluded.project_id,
    forwarded = excluded.forwarded, block_number = excluded.block_number, block_hash = excluded.block_hash,
    look_at = excluded.look_at, displaced_at = NULL;
  RETURN 'STORED';
END $$;
