-- edition 3
-- Whether a claim may end so; npm run schema writes this from schema/claim-verdicts.json.
CREATE OR REPLACE FUNCTION is_claim_verdict(verdict text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT verdict IN (
    'CLAIMED',
    'RECORDED',
    'ACCOUNT_NOT_FOUND',
    'PLAN_NOT_FOUND',
    'CONCURRENT_UPDATE',
    'FORBIDDEN',
    'TRANSPORT_CONFLICT',
    'STEP_ALREADY_BOUND',
    'NONCE_RESERVED',
    'OWNER_APPROVAL_EXPIRED',
    'PLAN_EXPIRED',
    'DEPENDENCIES_UNCONFIRMED',
    'IDEMPOTENCY_CONFLICT',
    'STORAGE_LIMIT',
    'SPONSORSHIP_CONFLICT',
    'SPONSORSHIP_NOT_FOUND',
    'SPONSORSHIP_EXPIRED',
    'FORWARD_NONCE_RESERVED'
  )
$$;
