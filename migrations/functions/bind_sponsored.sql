-- edition 3
-- Gives each step of a sponsorship its transport, and each forwarder's nonce to its request, until that is proved dead; nonces are taken in
-- one order, so that no two claims wait for each other.
CREATE OR REPLACE FUNCTION bind_sponsored(published sponsorships) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  requests constant json := published.authorizations;
  taken integer;
BEGIN
  PERFORM bind_steps(
    ARRAY(
      SELECT (published.plan, r."stepIndex", 'forwarder-prepaid-erc2771', published.id, NULL, NULL, NULL,
        unix_millis())::transport_bindings
      FROM json_to_recordset(requests) AS r ("stepIndex" smallint)
    ),
    ARRAY[]::reserved_nonces[]
  );
  INSERT INTO sponsored_calls (plan, step, sponsorship, chain_id, forwarder, signer, nonce, forwarder_code_hash, gas, deadline, since_block)
  SELECT published.plan, q.step, published.id, q.chain_id, q.forwarder, q.signer, q.nonce, q.code_hash, q.gas, q.deadline, q.since_block
  FROM (
    SELECT r."stepIndex" AS step, r."chainId" AS chain_id, lower(r.forwarder) AS forwarder, lower(m."from") AS signer, m.nonce,
      r."forwarderCodeHash" AS code_hash, m.gas, m.deadline, e."blockNumber" AS since_block
    FROM json_to_recordset(requests) AS r ("stepIndex" smallint, "chainId" bigint, forwarder text, "forwarderCodeHash" text,
        message json, evidence json),
      json_to_record(r.message) AS m ("from" text, nonce numeric, gas numeric, deadline bigint),
      json_to_record(r.evidence) AS e ("blockNumber" bigint)
  ) q
  -- One that was thought dead and is not has its nonce still, whoever took it since.
  WHERE NOT EXISTS (SELECT 1 FROM sponsored_calls c WHERE c.revived AND c.chain_id = q.chain_id AND c.forwarder = q.forwarder
    AND c.signer = q.signer AND c.nonce = q.nonce)
  ORDER BY q.chain_id, q.forwarder, q.signer, q.nonce
  ON CONFLICT (chain_id, forwarder, signer, nonce) WHERE dead_hash IS NULL DO NOTHING;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < json_array_length(requests) THEN
    PERFORM refuse_claim('FORWARD_NONCE_RESERVED');
  END IF;
END $$;
