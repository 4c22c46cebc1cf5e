-- edition 2
-- Decides a review once, under the lock of its account's row, so that no grant ends and no wallet is unlinked meanwhile.
-- An approval has its envelope, its commitment, the passkey that it is by and what that counted to; a cancellation has none of them. What was sent
-- by another signature can be neither approved nor cancelled, and what a backup brought back may have been decided since.
CREATE OR REPLACE FUNCTION decide_payment_review(
  of_review uuid,
  by_credential text,
  counted bigint,
  of_envelope text,
  of_commitment text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  judged record;
  now bigint;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.number = (SELECT r.account FROM payment_reviews r WHERE r.id = of_review) FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 'NOT_FOUND';
  END IF;
  SELECT r.decision, r.created_at, r.expires_at, r.account, r.grant_id, o.claimed, o.binding, o.state_hash INTO STRICT judged
  FROM payment_reviews r JOIN user_operations o ON o.id = r.operation WHERE r.id = of_review FOR UPDATE OF r;
  now := unix_millis();
  IF judged.decision IS NOT NULL THEN
    RETURN upper(judged.decision);
  ELSIF judged.claimed THEN
    RETURN 'SENT';
  ELSIF EXISTS (SELECT 1 FROM restorations s WHERE s.restored_at >= judged.created_at) THEN
    RETURN 'EXPIRED';
  ELSIF EXISTS (SELECT 1 FROM bot_grants g WHERE g.id = judged.grant_id AND g.revoked_at * 1000 < judged.expires_at) THEN
    RETURN 'CANCELLED';
  ELSIF judged.expires_at <= now THEN
    RETURN 'EXPIRED';
  END IF;

  IF of_envelope IS NULL THEN
    UPDATE payment_reviews r SET decision = 'cancelled', decided_at = now WHERE r.id = of_review;
    RETURN 'STORED';
  ELSIF NOT EXISTS (SELECT 1 FROM bindings b
    WHERE b.id = judged.binding AND b.unlinked_at IS NULL AND b.state_hash = judged.state_hash)
  THEN
    RETURN 'UNBOUND';
  END IF;
  UPDATE credentials c SET counter = counted
  WHERE c.binding = judged.binding AND c.credential_id = by_credential AND (c.counter < counted OR (c.counter = 0 AND counted = 0));
  IF NOT FOUND THEN
    RETURN 'COUNTER';
  END IF;
  UPDATE payment_reviews r SET decision = 'approved', decided_at = now, envelope = of_envelope, signed_commitment = of_commitment
  WHERE r.id = of_review;
  RETURN 'STORED';
END $$;
