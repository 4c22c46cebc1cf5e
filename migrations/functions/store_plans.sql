-- edition 3
-- Stores plans for their idempotency keys, many in one round trip, each under the lock of its account's row.
-- Verdict TWIN: the key has this plan already; a key may also name what has no plan. Verdict HELD: another transaction holds the
-- account row; it is for the caller to ask again with wait_for_locks.
CREATE OR REPLACE FUNCTION store_plans(
  account_ids text[],
  principals text[],
  grant_ids uuid[],
  keys text[],
  identities text[],
  plan_ids uuid[],
  operations text[],
  wallets text[],
  terms_of json[],
  call_counts integer[],
  commitments text[],
  creation_times bigint[],
  expiry_times bigint[],
  plan_limits integer[],
  key_limits integer[],
  wait_for_locks boolean
) RETURNS SETOF plan_storage LANGUAGE plpgsql
-- Planned once for each connection, as admit_requests.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  held bigint[];
  asked record;
  known record;
  stored plan_storage;
BEGIN
  IF wait_for_locks THEN
    SELECT array_agg(l.number) INTO held FROM (
      SELECT a.number FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.number FOR UPDATE
    ) l;
  ELSE
    SELECT array_agg(l.number) INTO held FROM (
      SELECT a.number FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.number FOR UPDATE SKIP LOCKED
    ) l;
  END IF;

  FOR asked IN
    SELECT q.*, a.number FROM unnest(
        account_ids, principals, grant_ids, keys, identities, plan_ids, operations, wallets, terms_of, call_counts,
        commitments, creation_times, expiry_times, plan_limits, key_limits
      )
      WITH ORDINALITY
      AS q (account_id, principal, grant_id, key, identity, plan_id, operation, wallet, terms, calls, commitment, created, expires,
        plan_limit, key_limit, position)
    LEFT JOIN accounts a ON a.id = q.account_id ORDER BY position
  LOOP
    stored := (asked.position, NULL, NULL);
    SELECT k.identity, k.plan INTO known FROM idempotency_keys k
    WHERE k.account = asked.number AND k.principal = asked.principal AND k.key = asked.key;
    IF asked.number IS NULL THEN
      stored.verdict := 'ACCOUNT_NOT_FOUND';
    ELSIF held IS NULL OR asked.number <> ALL (held) THEN
      -- Who waited for every lock and does not hold this one saw the account appear only afterwards.
      stored.verdict := CASE WHEN wait_for_locks THEN 'ACCOUNT_NOT_FOUND' ELSE 'HELD' END;
    ELSIF NOT grant_allows(asked.number, asked.grant_id, 'plan', unix_seconds()) THEN
      stored.verdict := 'FORBIDDEN';
    ELSIF known.identity IS NOT NULL THEN
      stored.verdict := CASE WHEN known.identity = asked.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END;
      stored.plan := known.plan;
    ELSIF (SELECT count(*) FROM (SELECT 1 FROM plans p
      WHERE p.account = asked.number AND p.archived_at IS NULL LIMIT asked.plan_limit) kept) >= asked.plan_limit
    THEN
      stored.verdict := 'PLANS_LIMIT';
    ELSIF (SELECT count(*) FROM (SELECT 1 FROM idempotency_keys k
      WHERE k.account = asked.number LIMIT asked.key_limit) kept) >= asked.key_limit
    THEN
      stored.verdict := 'KEYS_LIMIT';
    ELSE
      INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
      VALUES (asked.plan_id, asked.number, asked.principal, asked.operation, asked.wallet, asked.terms, asked.commitment,
        asked.created, asked.expires);
      INSERT INTO plan_steps (plan, step)
      -- Nothing looks into the terms: PostgreSQL reads no JSON that holds an escaped NUL, as the texts of calls may.
      SELECT asked.plan_id, generate_series(0, asked.calls - 1);
      INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, created_at)
      VALUES (asked.number, asked.principal, asked.key, asked.identity, 'plan', asked.plan_id, unix_millis());
      IF asked.operation = 'prepaid_bundle_funding' AND asked.terms #>> '{summary,sponsorshipId}' IS NOT NULL THEN
        INSERT INTO fundings (plan, sponsorship, chain_id)
        VALUES (asked.plan_id, (asked.terms #>> '{summary,sponsorshipId}')::uuid, (asked.terms #>> '{calls,0,chainId}')::bigint);
      END IF;
      stored.verdict := 'STORED';
      stored.plan := asked.plan_id;
    END IF;
    RETURN NEXT stored;
  END LOOP;
END $$;
