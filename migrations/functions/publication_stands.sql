-- edition 1
-- Whether a claim whose answer was lost stands, and its requests may be published still: by what a claim asks, under its locks. It is written,
-- not read: whoever is answered has all that was written before it, the claim too, where a standby confirms what is written.
CREATE OR REPLACE FUNCTION publication_stands(asked publication_request) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  of_plan uuid;
  published sponsorships;
  held record;
  clock_millis bigint;
BEGIN
  SELECT s.plan INTO of_plan FROM sponsorships s WHERE s.id = asked.sponsorship;
  held := locked_plan(asked.account_id, asked.principal, of_plan, NULL);
  SELECT s.* INTO STRICT published FROM sponsorships s WHERE s.id = asked.sponsorship FOR UPDATE;
  clock_millis := unix_millis();
  UPDATE publications u SET expires_at = clock_millis + asked.lease_millis
  WHERE u.sponsorship = asked.sponsorship AND u.token = asked.token AND u.outcome IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  ELSIF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000)
    OR asked.approval_expires_at <= clock_millis / 1000
    OR least(published.expires_at, held.expires_at) <= clock_millis
  THEN
    PERFORM refuse_claim('SPONSORSHIP_EXPIRED');
  END IF;
  RETURN true;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  RETURN false;
END $$;
