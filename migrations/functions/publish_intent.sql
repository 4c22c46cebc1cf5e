-- edition 2
-- Stores one intent; call it with the account's row locked. Verdict TWIN: the publisher has published this content before.
-- Publishers and addresses wait in line for their own limits, publishers first, so that no two wait for each other.
CREATE OR REPLACE FUNCTION publish_intent(
  account_number bigint,
  granted uuid,
  origin text,
  published intents,
  per_publisher_day integer,
  per_origin_hour integer,
  per_account integer
) RETURNS intent_publication LANGUAGE plpgsql AS $$
DECLARE
  day constant integer := 86400;
  hour constant integer := 3600;
  now bigint;
  known uuid;
  since bigint;
BEGIN
  IF NOT grant_allows(account_number, granted, 'plan', unix_seconds()) THEN
    RETURN ROW ('FORBIDDEN', NULL, NULL)::intent_publication;
  END IF;

  PERFORM pg_advisory_xact_lock(7310003, hashtext(published.publisher));
  SELECT i.id INTO known FROM intents i
  WHERE i.publisher = published.publisher AND i.content_hash = published.content_hash;
  IF known IS NOT NULL THEN
    RETURN ROW ('TWIN', known, NULL)::intent_publication;
  END IF;

  IF EXISTS (SELECT 1 FROM intents i WHERE i.account = account_number OFFSET per_account - 1) THEN
    RETURN ROW ('ACCOUNT_LIMIT', NULL, NULL)::intent_publication;
  END IF;

  now := unix_seconds();
  SELECT i.created_at INTO since FROM intents i
  WHERE i.publisher = published.publisher AND i.created_at > now - day
  ORDER BY i.created_at DESC OFFSET per_publisher_day - 1 LIMIT 1;
  IF since IS NOT NULL THEN
    RETURN ROW ('PUBLISHER_LIMIT', NULL, since + day - now)::intent_publication;
  END IF;

  PERFORM pg_advisory_xact_lock(7310004, hashtext(origin));
  SELECT o.created_at INTO since FROM intent_origins o
  WHERE o.address_hash = origin AND o.created_at > now - hour
  ORDER BY o.created_at DESC OFFSET per_origin_hour - 1 LIMIT 1;
  IF since IS NOT NULL THEN
    RETURN ROW ('ORIGIN_LIMIT', NULL, since + hour - now)::intent_publication;
  END IF;

  INSERT INTO intents (id, account, publisher, content_hash, signature, envelope, format, deployment_version, chain_ids, name,
    description, tagline, tags, logo_uri, owner, words, created_at)
  VALUES (published.id, account_number, published.publisher, published.content_hash, published.signature, published.envelope,
    published.format, published.deployment_version, published.chain_ids, published.name, published.description,
    published.tagline, published.tags, published.logo_uri, published.owner,
    to_tsvector('simple', concat_ws(' ', published.name, published.tagline, published.description,
      array_to_string(published.tags, ' '))),
    now);
  INSERT INTO intent_origins (address_hash, created_at) VALUES (origin, now);
  RETURN ROW ('STORED', published.id, NULL)::intent_publication;
END $$;
