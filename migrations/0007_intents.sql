-- Signed intents of projects that are not deployed. Rows never change: what a publisher signed stays as it was signed.
CREATE TABLE intents (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  -- Whose request stored it, which need not be the publisher.
  account bigint NOT NULL REFERENCES accounts (number),
  publisher text NOT NULL,
  content_hash text NOT NULL,
  signature text NOT NULL,
  -- The canonical JSON that the hash is of, as text: PostgreSQL reads no JSON that holds an escaped NUL.
  envelope text NOT NULL,
  format text NOT NULL,
  deployment_version text NOT NULL,
  chain_ids bigint[] NOT NULL,
  name text NOT NULL,
  description text,
  tagline text,
  tags text[] NOT NULL,
  logo_uri text,
  owner text,
  words tsvector NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (publisher, content_hash),
  CHECK (octet_length(envelope) <= 1048576)
);

CREATE INDEX intents_by_words ON intents USING gin (words);
CREATE INDEX intents_of_publisher ON intents (publisher, created_at);
CREATE INDEX intents_of_owner ON intents (owner);
CREATE INDEX intents_of_account ON intents (account);

-- Which client addresses published within the last hour, as hashes.
CREATE TABLE intent_origins (
  address_hash text NOT NULL,
  created_at bigint NOT NULL
);

CREATE INDEX intent_origins_of_address ON intent_origins (address_hash, created_at);
CREATE INDEX intent_origins_by_time ON intent_origins (created_at);

-- Where intents were deployed: what the chain proved when its block was canonical.
CREATE TABLE intent_deployments (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  intent bigint NOT NULL REFERENCES intents (number),
  chain_id bigint NOT NULL,
  transaction_hash text NOT NULL,
  project_id text NOT NULL,
  forwarded boolean NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  created_at bigint NOT NULL,
  -- When to look at the block again; none where it is final.
  look_at bigint,
  -- Since when the block is known to have left its chain: until it is back, nothing is shown of it.
  displaced_at bigint,
  UNIQUE (intent, chain_id, transaction_hash)
);

CREATE INDEX intent_deployments_to_look_at ON intent_deployments (look_at) WHERE look_at IS NOT NULL;

CREATE FUNCTION may_publish(account_number bigint, granted uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT granted IS NULL OR EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = granted AND g.account = account_number
      AND g.revoked_at IS NULL AND g.expires_at > unix_seconds() AND 'plan' = ANY (g.scopes)
  )
$$;

CREATE TYPE intent_publication AS (
  verdict text,
  intent uuid,
  retry_after bigint
);

-- Stores one intent; call it with the account's row locked. Verdict TWIN: the publisher has published this content before.
-- Publishers and addresses wait in line for their own limits, publishers first, so that no two wait for each other.
CREATE FUNCTION publish_intent(
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
  IF NOT may_publish(account_number, granted) THEN
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
  DELETE FROM intent_origins WHERE ctid IN (
    SELECT o.ctid FROM intent_origins o WHERE o.created_at <= now - hour LIMIT 1000 FOR UPDATE SKIP LOCKED
  );
  RETURN ROW ('STORED', published.id, NULL)::intent_publication;
END $$;

-- Stores one proved deployment; call it with the account's row locked. Verdict TWIN: it is known and shown already.
CREATE FUNCTION record_deployment(
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
  IF NOT may_publish(account_number, granted) THEN
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
