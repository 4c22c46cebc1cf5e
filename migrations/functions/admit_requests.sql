-- edition 4
-- Decides a batch of signed requests in one round trip: locks the account rows, rechecks owner or grant, counts the
-- quota, bounds and consumes the nonces, and looks at the clock again after the nonces are in.
-- Verdict HELD: another transaction holds the account row. Verdict ALONE: the nonce bound is so near that the request must be
-- judged singly. Both are for the caller to retry with wait_for_locks.
CREATE OR REPLACE FUNCTION admit_requests(
  account_ids text[],
  signers text[],
  grant_ids uuid[],
  owner_only_flags boolean[],
  required_scopes text[],
  nonces bytea[],
  issue_times bigint[],
  expiry_times bigint[],
  account_wanted boolean[],
  owner_quota integer,
  bots_quota integer,
  wait_for_locks boolean
) RETURNS SETOF request_admission LANGUAGE plpgsql
-- Planned once for each connection rather than for each batch, which took longer than the work; a batch finds its own rows by their keys.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  held bigint[];
  clock_seconds bigint;
  lost_until bigint;
  admissions request_admission[];
  late request_admission;
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
  clock_seconds := unix_seconds();
  lost_until := (SELECT max(r.requests_after) FROM restorations r);

  WITH asked AS MATERIALIZED (
    SELECT a.number, a.owner_address, CASE WHEN q.wants_account THEN to_jsonb(a) END AS account_record, g.scopes, g.bot_address, g.expires_at AS grant_expires_at, g.revoked_at, q.*
    FROM unnest(
        account_ids, signers, grant_ids, owner_only_flags, required_scopes, nonces, issue_times, expiry_times, account_wanted
      )
      WITH ORDINALITY
      AS q (account_id, signer, grant_id, owner_only, scope, nonce, issued, expires, wants_account, position)
    LEFT JOIN accounts a ON a.id = q.account_id
    LEFT JOIN bot_grants g ON g.id = q.grant_id AND g.account = a.number
  ), identified AS MATERIALIZED (
    SELECT asked.*, grant_id IS NULL AS by_owner,
      CASE
        WHEN number IS NULL THEN 'ACCOUNT_NOT_FOUND'
        WHEN held IS NULL OR number <> ALL (held) THEN
          -- Who waited for every lock and does not hold this one saw the account appear only afterwards.
          CASE WHEN wait_for_locks THEN 'ACCOUNT_NOT_FOUND' ELSE 'HELD' END
        -- One from before a restoration may have been accepted then.
        WHEN expires <= clock_seconds OR issued > clock_seconds + 30 OR issued <= lost_until THEN 'AUTH_EXPIRED'
        WHEN grant_id IS NULL AND signer = owner_address THEN 'OK'
        WHEN NOT owner_only AND bot_address = signer AND revoked_at IS NULL AND grant_expires_at > clock_seconds
          AND asked.scope = ANY (asked.scopes) THEN 'OK'
        ELSE 'FORBIDDEN'
      END AS verdict
    FROM asked
  ), heard AS (
    SELECT identified.*,
      row_number() OVER (PARTITION BY number, verdict, nonce ORDER BY position) AS nonce_rank,
      -- A scalar, so that no plan hashes the table.
      verdict = 'OK' AND (SELECT n.account FROM request_nonces n
        WHERE n.account = identified.number AND n.nonce = identified.nonce) IS NOT NULL AS said_before
    FROM identified
  ), ranked AS MATERIALIZED (
    -- What was said before costs its account nothing: whoever heard it could say it again until no request was left.
    SELECT heard.*, nonce_rank = 1 AND NOT said_before AS is_new,
      count(*) FILTER (WHERE nonce_rank = 1 AND NOT said_before)
        OVER (PARTITION BY number, verdict, by_owner ORDER BY position) AS quota_rank
    FROM heard
  ), recent AS MATERIALIZED (
    SELECT r.number,
      count(*) FILTER (WHERE is_new AND by_owner)::int AS owner_new,
      count(*) FILTER (WHERE is_new AND NOT by_owner)::int AS bots_new,
      count(*) FILTER (WHERE is_new) + (SELECT coalesce(sum(u.expiring), 0) FROM request_usage u
        WHERE u.account = r.number AND u.minute >= clock_seconds / 60) AS at_most
    FROM ranked r WHERE r.verdict = 'OK' GROUP BY r.number
  ), usage AS MATERIALIZED (
    -- Only an account whose bound is near the limit pays for the exact count.
    SELECT r.*, CASE WHEN at_most <= 968 THEN 0 ELSE
      (SELECT count(*) FROM request_nonces n WHERE n.account = r.number AND n.expires_at > clock_seconds) END AS live
    FROM recent r
  ), bounded AS MATERIALIZED (
    SELECT u.*, owner_new + bots_new > 1 AND live + owner_new + bots_new > 968 AS crowded FROM usage u
  ), counted AS (
    INSERT INTO request_usage AS u (account, minute, owner_count, bots_count)
    SELECT number, clock_seconds / 60, owner_new, bots_new FROM bounded WHERE NOT crowded ORDER BY number
    ON CONFLICT (account, minute) DO UPDATE
      SET owner_count = u.owner_count + excluded.owner_count, bots_count = u.bots_count + excluded.bots_count
    RETURNING u.account, u.owner_count, u.bots_count
  ), decided AS MATERIALIZED (
    SELECT r.*, b.crowded,
      CASE WHEN c.account IS NOT NULL THEN CASE WHEN r.by_owner THEN owner_quota ELSE bots_quota END END AS quota,
      CASE WHEN r.by_owner THEN c.owner_count - b.owner_new ELSE c.bots_count - b.bots_new END + r.quota_rank AS used,
      b.live >= CASE WHEN r.by_owner THEN 1000 ELSE 968 END AS full_up
    FROM ranked r
    LEFT JOIN bounded b ON b.number = r.number AND r.verdict = 'OK'
    LEFT JOIN counted c ON c.account = b.number
  ), judged AS MATERIALIZED (
    SELECT d.*,
      CASE
        WHEN d.verdict <> 'OK' THEN d.verdict
        WHEN d.said_before THEN 'NONCE_REUSED'
        WHEN d.crowded THEN 'ALONE'
        WHEN d.used > d.quota THEN 'RATE_LIMITED'
        WHEN d.full_up THEN 'STORAGE_LIMIT'
        ELSE 'OK'
      END AS judgement
    FROM decided d
  ), consumed AS (
    INSERT INTO request_nonces (account, nonce, expires_at)
    SELECT number, nonce, expires FROM judged WHERE is_new AND judgement = 'OK' ORDER BY number, nonce
    ON CONFLICT DO NOTHING
    RETURNING account, nonce
  )
  SELECT array_agg((
    j.position,
    CASE
      WHEN n.account IS NULL AND j.judgement = 'OK' OR n.account IS NOT NULL AND NOT j.is_new THEN 'NONCE_REUSED'
      ELSE j.judgement
    END,
    j.quota,
    greatest(j.quota - j.used, 0),
    CASE j.judgement
      WHEN 'RATE_LIMITED' THEN 60 - clock_seconds % 60
      WHEN 'STORAGE_LIMIT' THEN (SELECT min(o.expires_at) - clock_seconds FROM request_nonces o
        WHERE o.account = j.number AND o.expires_at > clock_seconds)
    END,
    NULL, j.expires, j.grant_expires_at, CASE WHEN j.is_new THEN j.number END, j.nonce, j.scopes, j.account_record
  )::request_admission ORDER BY j.position)
  INTO admissions
  FROM judged j LEFT JOIN consumed n ON n.account = j.number AND n.nonce = j.nonce AND j.verdict = 'OK';

  -- Takes the count back of what another transaction said meanwhile.
  INSERT INTO request_usage AS u (account, minute, owner_count, bots_count, expiring)
  SELECT a.account, CASE a.verdict WHEN 'OK' THEN a.expires_at ELSE clock_seconds END / 60,
    -count(*) FILTER (WHERE a.verdict <> 'OK' AND a.scopes IS NULL),
    -count(*) FILTER (WHERE a.verdict <> 'OK' AND a.scopes IS NOT NULL),
    count(*) FILTER (WHERE a.verdict = 'OK')
  FROM unnest(admissions) a WHERE a.account IS NOT NULL AND a.verdict IN ('OK', 'NONCE_REUSED')
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account, minute) DO UPDATE SET owner_count = u.owner_count + excluded.owner_count,
    bots_count = u.bots_count + excluded.bots_count, expiring = u.expiring + excluded.expiring;

  clock_seconds := unix_seconds();
  FOREACH late IN ARRAY admissions LOOP
    IF late.verdict = 'OK' AND least(late.expires_at, late.grant_expires_at) <= clock_seconds THEN
      DELETE FROM request_nonces n WHERE n.account = late.account AND n.nonce = late.nonce;
      late.verdict := CASE WHEN late.expires_at <= clock_seconds THEN 'AUTH_EXPIRED' ELSE 'FORBIDDEN' END;
    END IF;
    late.clock_millis := unix_millis();
    RETURN NEXT late;
  END LOOP;
END $$;
