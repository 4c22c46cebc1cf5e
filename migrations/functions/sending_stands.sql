-- edition 1
-- Whether a claim whose answer was lost stands, and the operation may leave still: by what a claim asks, under its locks. It is written, not
-- read: whoever is answered has all that was written before it, the claim too, where a standby confirms what is written.
CREATE OR REPLACE FUNCTION sending_stands(asked send_request) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  of_plan uuid;
  sent user_operations;
  held record;
  clock_millis bigint;
BEGIN
  SELECT o.plan INTO of_plan FROM user_operations o WHERE o.id = asked.operation;
  held := locked_plan(asked.account_id, asked.principal, of_plan, NULL);
  SELECT o.* INTO STRICT sent FROM user_operations o WHERE o.id = asked.operation FOR UPDATE;
  PERFORM 1 FROM sessions s WHERE s.id = (sent.terms -> 'signing' -> 'session' ->> 'id')::uuid FOR UPDATE;
  clock_millis := unix_millis();
  UPDATE operation_sends d SET expires_at = clock_millis + asked.lease_millis
  WHERE d.operation = asked.operation AND d.token = asked.token AND d.outcome IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  ELSIF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;
  PERFORM check_sending(sent, held.account_number, held.expires_at, clock_millis);
  RETURN true;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  RETURN false;
END $$;
