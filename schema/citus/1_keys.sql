-- On an empty database that the migrations made: keys that hold what each table is distributed by. docs/scaling.md says why.

-- What one account's rows may not share with another account's: claimed here first, each key in the shard that its own text leads to.
CREATE TABLE global_keys (
  kind text NOT NULL,
  key text NOT NULL,
  -- Whose row holds it, and which one; the same claim may be made again.
  account bigint NOT NULL,
  subject text NOT NULL,
  claimed_at bigint NOT NULL DEFAULT unix_millis(),
  CONSTRAINT global_keys_pkey PRIMARY KEY (kind, key),
  CHECK (kind IN (
    'account',
    'intent',
    'operation-hash',
    'operation-nonce',
    'forwarder-nonce',
    'bundle',
    'session-nonce',
    'session-permission',
    'session-generation'
  ))
);

-- Says whether the key is the caller's now; the caller's own statements follow in the same transaction.
CREATE FUNCTION claim_global_key(of_kind text, of_key text, of_account bigint, of_subject text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  held global_keys;
BEGIN
  INSERT INTO global_keys (kind, key, account, subject) VALUES (of_kind, of_key, of_account, of_subject)
  ON CONFLICT DO NOTHING;
  SELECT k.* INTO STRICT held FROM global_keys k WHERE k.kind = of_kind AND k.key = of_key;
  RETURN held.account = of_account AND held.subject = of_subject;
END $$;

-- Of what can never be executed any more, by the proof that its row keeps.
CREATE FUNCTION release_global_key(of_kind text, of_key text, of_account bigint, of_subject text) RETURNS void
LANGUAGE sql AS $$
  DELETE FROM global_keys WHERE kind = of_kind AND key = of_key AND account = of_account AND subject = of_subject
$$;

-- Every reference goes; those that one shard can hold come back behind the distribution.
DO $$
DECLARE
  reference record;
BEGIN
  FOR reference IN
    SELECT c.conrelid::regclass AS owner, c.conname FROM pg_constraint c
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference.owner, reference.conname);
  END LOOP;
END $$;

-- An account is found by its id among the global keys; its id is put together of chain and owner.
ALTER TABLE accounts DROP CONSTRAINT accounts_id_key, DROP CONSTRAINT accounts_authority_chain_id_owner_address_key;
CREATE INDEX accounts_by_id ON accounts (id);

ALTER TABLE bot_grants DROP CONSTRAINT bot_grants_pkey, ADD PRIMARY KEY (account, id);

ALTER TABLE plans DROP CONSTRAINT plans_pkey, ADD PRIMARY KEY (account, id);

ALTER TABLE ended_plans ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT ended_plans_pkey, ADD PRIMARY KEY (account, plan);

ALTER TABLE plan_steps ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT plan_steps_pkey, ADD PRIMARY KEY (account, plan, step);

ALTER TABLE transport_bindings ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT transport_bindings_pkey, ADD PRIMARY KEY (account, plan, step);
DROP INDEX transport_bindings_of_transactions;
CREATE UNIQUE INDEX transport_bindings_of_transactions ON transport_bindings (account, binding_id)
  WHERE transport = 'signed-eoa-transaction';

ALTER TABLE dispatch_leases ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT dispatch_leases_pkey, ADD PRIMARY KEY (account, plan, step);

ALTER TABLE owner_approvals ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT owner_approvals_pkey, ADD PRIMARY KEY (account, id);

-- Its key is the claim itself: the nonces of one wallet on one chain lie together, wherever their plans are.
ALTER TABLE reserved_nonces ADD COLUMN account bigint NOT NULL;

ALTER TABLE sponsorships DROP CONSTRAINT sponsorships_pkey, ADD PRIMARY KEY (account, id);

ALTER TABLE fundings ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT fundings_pkey, ADD PRIMARY KEY (account, plan);
DROP INDEX fundings_admitted;
CREATE UNIQUE INDEX fundings_admitted ON fundings (account, sponsorship) WHERE admitted;

ALTER TABLE publications ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT publications_pkey, DROP CONSTRAINT publications_bundle_id_key, ADD PRIMARY KEY (account, sponsorship);

ALTER TABLE sponsored_calls ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT sponsored_calls_pkey, ADD PRIMARY KEY (account, plan, step);
DROP INDEX sponsored_calls_of_nonces;
CREATE INDEX sponsored_calls_of_nonces ON sponsored_calls (chain_id, forwarder, signer, nonce) WHERE dead_hash IS NULL;

ALTER TABLE user_operations DROP CONSTRAINT user_operations_pkey,
  DROP CONSTRAINT user_operations_chain_id_operation_hash_key, ADD PRIMARY KEY (account, id);
CREATE INDEX user_operations_by_hash ON user_operations (chain_id, operation_hash);
DROP INDEX user_operations_of_nonces;
CREATE INDEX user_operations_of_nonces ON user_operations (chain_id, sender, nonce) WHERE claimed AND dead_hash IS NULL;

ALTER TABLE silent_nonces ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT silent_nonces_pkey, ADD PRIMARY KEY (account, operation);
ALTER TABLE operation_sends ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT operation_sends_pkey, ADD PRIMARY KEY (account, operation);

ALTER TABLE payment_reviews DROP CONSTRAINT payment_reviews_pkey, DROP CONSTRAINT payment_reviews_operation_key,
  ADD PRIMARY KEY (account, id), ADD UNIQUE (account, operation);

ALTER TABLE bindings DROP CONSTRAINT bindings_pkey, ADD PRIMARY KEY (account, id);

ALTER TABLE credentials DROP CONSTRAINT credentials_pkey, ADD PRIMARY KEY (account, binding);

ALTER TABLE sessions DROP CONSTRAINT sessions_pkey, DROP CONSTRAINT sessions_chain_id_wallet_nonce_key,
  DROP CONSTRAINT sessions_chain_id_wallet_permission_id_key,
  DROP CONSTRAINT sessions_chain_id_wallet_session_key_generation_key, ADD PRIMARY KEY (account, id);

ALTER TABLE session_plans ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT session_plans_pkey, ADD PRIMARY KEY (account, plan);
DROP INDEX session_plans_current;
CREATE UNIQUE INDEX session_plans_current ON session_plans (account, session, kind) WHERE superseded_at IS NULL;

-- Locked by all who use a wallet, whatever their account: it lies with what is reserved for the wallet.
ALTER TABLE wallet_generations ADD COLUMN account bigint NOT NULL,
  DROP CONSTRAINT wallet_generations_session_key, ADD UNIQUE (wallet, session);

-- What a publisher signed lies with its publisher, who need not have an account.
ALTER TABLE intents DROP CONSTRAINT intents_pkey, DROP CONSTRAINT intents_id_key,
  ADD PRIMARY KEY (publisher, number), ADD UNIQUE (publisher, id);
ALTER TABLE intent_deployments ADD COLUMN publisher text NOT NULL,
  DROP CONSTRAINT intent_deployments_pkey, DROP CONSTRAINT intent_deployments_intent_chain_id_transaction_hash_key,
  ADD PRIMARY KEY (publisher, number), ADD UNIQUE (publisher, intent, chain_id, transaction_hash);
