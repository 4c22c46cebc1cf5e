-- edition 2
-- Decides a publication in one round trip, under the locks of the account's, the plan's and then the sponsorship's row: binds the steps and
-- the forwarder's nonces, and gives the one right to publish that there ever is. A repeat of the request is told that it stands.
-- A refusal undoes all that was written before it.
CREATE OR REPLACE FUNCTION claim_sponsorship(asked publication_request) RETURNS dispatch_verdict LANGUAGE plpgsql AS $$
DECLARE
  of_plan uuid;
  published sponsorships;
  held record;
  known record;
  clock_millis bigint;
  answer dispatch_verdict := ('CLAIMED', NULL);
BEGIN
  SELECT s.plan INTO of_plan FROM sponsorships s WHERE s.id = asked.sponsorship AND s.principal = asked.principal;
  IF NOT FOUND THEN
    PERFORM refuse_claim('SPONSORSHIP_NOT_FOUND');
  END IF;
  held := locked_plan(asked.account_id, asked.principal, of_plan, asked.judged_revision);
  SELECT s.* INTO STRICT published FROM sponsorships s WHERE s.id = asked.sponsorship FOR UPDATE;

  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = held.account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND AND known.identity <> asked.identity THEN
    PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
  ELSIF FOUND THEN
    RETURN ('RECORDED', NULL)::dispatch_verdict;
  ELSIF EXISTS (SELECT 1 FROM publications u WHERE u.sponsorship = asked.sponsorship) THEN
    PERFORM refuse_claim('SPONSORSHIP_CONFLICT');
  END IF;

  PERFORM bind_sponsored(published);
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();
  IF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
    PERFORM refuse_claim('FORBIDDEN');
  ELSIF asked.approval_expires_at <= clock_millis / 1000
    OR asked.approval_issued_at > clock_millis / 1000 + asked.future_allowance_seconds
  THEN
    PERFORM refuse_claim('OWNER_APPROVAL_EXPIRED');
  ELSIF least(published.expires_at, held.expires_at) <= clock_millis THEN
    PERFORM refuse_claim('SPONSORSHIP_EXPIRED');
  ELSIF asked.is_blocked THEN
    PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = held.account_number OFFSET asked.keys_per_account - 1) THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;

  INSERT INTO publications (sponsorship, submission_hash, signatures, token, reserved_at, expires_at)
  VALUES (asked.sponsorship, asked.submission_hash, asked.signatures, asked.token, clock_millis, clock_millis + asked.lease_millis);
  INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
  SELECT c.plan, c.step, asked.submission_hash, asked.approval_form, asked.approval_signer, asked.approval_issued_at,
    asked.approval_expires_at, asked.approval_nonce, clock_millis
  FROM sponsored_calls c WHERE c.sponsorship = asked.sponsorship;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (held.account_number, asked.principal, asked.key, asked.identity, 'publication', of_plan, asked.sponsorship, clock_millis);
  UPDATE sponsorships SET revision = revision + 1 WHERE id = asked.sponsorship;
  UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
    pending_since = coalesce(pending_since, clock_millis) WHERE id = of_plan;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $$;
