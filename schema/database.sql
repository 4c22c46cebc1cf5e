-- The schema that the migrations build; npm run schema writes it.

CREATE TYPE binding_storage AS (
  verdict text,
  created_at bigint,
  revision integer
);

CREATE TYPE dispatch_request AS (
  purpose text,
  account_id text,
  principal text,
  grant_id uuid,
  plan uuid,
  step smallint,
  key text,
  identity text,
  keys_per_account integer,
  hash text,
  transport text,
  binding_id uuid,
  transaction json,
  raw bytea,
  chain_id bigint,
  sender text,
  nonce numeric,
  judged_revision integer,
  is_blocked boolean,
  approval_form text,
  approval_signer text,
  approval_nonce text,
  approval_issued_at bigint,
  approval_expires_at bigint,
  future_allowance_seconds integer,
  token uuid,
  claims_seen integer,
  lease_millis integer,
  sweep_millis integer,
  nonce_scope text,
  nonce_text text
);

CREATE TYPE dispatch_verdict AS (
  verdict text,
  bound_to text
);

CREATE TYPE intent_publication AS (
  verdict text,
  intent uuid,
  retry_after bigint
);

CREATE TYPE operation_storage AS (
  verdict text,
  operation uuid
);

CREATE TYPE plan_storage AS (
  "position" integer,
  verdict text,
  plan uuid
);

CREATE TYPE publication_request AS (
  account_id text,
  principal text,
  grant_id uuid,
  sponsorship uuid,
  key text,
  identity text,
  keys_per_account integer,
  submission_hash text,
  signatures text[],
  judged_revision integer,
  is_blocked boolean,
  approval_form text,
  approval_signer text,
  approval_nonce text,
  approval_issued_at bigint,
  approval_expires_at bigint,
  future_allowance_seconds integer,
  token uuid,
  lease_millis integer,
  sweep_millis integer
);

CREATE TYPE request_admission AS (
  "position" integer,
  verdict text,
  quota_limit integer,
  quota_remaining integer,
  retry_after integer,
  clock_millis bigint,
  expires_at bigint,
  grant_expires_at bigint,
  account bigint,
  nonce bytea,
  scopes text[],
  account_record jsonb
);

CREATE TYPE review_storage AS (
  verdict text,
  review uuid
);

CREATE TYPE send_request AS (
  account_id text,
  principal text,
  grant_id uuid,
  operation uuid,
  key text,
  identity text,
  keys_per_account integer,
  commitment text,
  signature text,
  judged_revision integer,
  is_blocked boolean,
  token uuid,
  lease_millis integer,
  sweep_millis integer
);

CREATE TYPE session_storage AS (
  verdict text,
  session uuid
);

CREATE TYPE sponsorship_storage AS (
  verdict text,
  sponsorship uuid
);

CREATE TABLE accounts (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id text NOT NULL,
  authority_chain_id bigint NOT NULL,
  owner_address text NOT NULL,
  display_name text NOT NULL DEFAULT ''::text,
  bio text NOT NULL DEFAULT ''::text,
  avatar_uri text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT accounts_authority_chain_id_owner_address_key UNIQUE (authority_chain_id, owner_address),
  CONSTRAINT accounts_avatar_uri_check CHECK ((octet_length(avatar_uri) <= 2048)),
  CONSTRAINT accounts_bio_check CHECK ((octet_length(bio) <= 2000)),
  CONSTRAINT accounts_check CHECK ((id = ((('eip155:'::text || authority_chain_id) || ':'::text) || owner_address))),
  CONSTRAINT accounts_display_name_check CHECK ((octet_length(display_name) <= 120)),
  CONSTRAINT accounts_id_key UNIQUE (id),
  CONSTRAINT accounts_pkey PRIMARY KEY (number)
);

CREATE TABLE address_enrolments (
  day bigint NOT NULL,
  address_hash text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT address_enrolments_pkey PRIMARY KEY (day, address_hash)
);

CREATE TABLE address_usage (
  kind text NOT NULL,
  address_hash text NOT NULL,
  minute bigint NOT NULL,
  count integer NOT NULL,
  CONSTRAINT address_usage_pkey PRIMARY KEY (kind, address_hash, minute)
);

CREATE TABLE binding_nonces (
  account bigint NOT NULL,
  nonce text NOT NULL,
  binding text NOT NULL,
  digest text NOT NULL,
  expires_at bigint NOT NULL,
  ended boolean NOT NULL DEFAULT false,
  CONSTRAINT binding_nonces_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT binding_nonces_binding_fkey FOREIGN KEY (binding) REFERENCES bindings(id),
  CONSTRAINT binding_nonces_pkey PRIMARY KEY (account, nonce)
);

CREATE TABLE bindings (
  id text NOT NULL,
  account bigint NOT NULL,
  chain_id bigint NOT NULL,
  address text NOT NULL,
  manifest text NOT NULL,
  state_hash text NOT NULL,
  snapshot json NOT NULL,
  digest text NOT NULL,
  nonce text NOT NULL,
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  unlinked_at bigint,
  CONSTRAINT bindings_account_chain_id_address_key UNIQUE (account, chain_id, address),
  CONSTRAINT bindings_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT bindings_chain_id_address_fkey FOREIGN KEY (chain_id, address) REFERENCES wallets(chain_id, address),
  CONSTRAINT bindings_id_check CHECK ((id ~ '^0x[0-9a-f]{64}$'::text)),
  CONSTRAINT bindings_pkey PRIMARY KEY (id),
  CONSTRAINT bindings_snapshot_check CHECK ((octet_length((snapshot)::text) <= 65536))
);

CREATE TABLE bot_grants (
  id uuid NOT NULL,
  account bigint NOT NULL,
  bot_address text NOT NULL,
  scopes text[] NOT NULL,
  label text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint,
  CONSTRAINT bot_grants_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT bot_grants_label_check CHECK ((octet_length(label) <= 120)),
  CONSTRAINT bot_grants_pkey PRIMARY KEY (id),
  CONSTRAINT bot_grants_scopes_check CHECK ((((scopes = ARRAY['read'::text]) OR (scopes = ARRAY['read'::text, 'plan'::text])) OR (scopes = ARRAY['read'::text, 'plan'::text, 'relay'::text])))
);

CREATE TABLE credentials (
  binding text NOT NULL,
  account bigint NOT NULL,
  owner text NOT NULL,
  credential_id text NOT NULL,
  x text NOT NULL,
  y text NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  CONSTRAINT credentials_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT credentials_binding_fkey FOREIGN KEY (binding) REFERENCES bindings(id),
  CONSTRAINT credentials_check CHECK (((x ~ '^0x[0-9a-f]{64}$'::text) AND (y ~ '^0x[0-9a-f]{64}$'::text))),
  CONSTRAINT credentials_credential_id_check CHECK (((credential_id ~ '^[A-Za-z0-9_-]+$'::text) AND (octet_length(credential_id) <= 1364))),
  CONSTRAINT credentials_owner_check CHECK ((owner ~ '^0x[0-9a-f]{40}$'::text)),
  CONSTRAINT credentials_pkey PRIMARY KEY (binding)
);

CREATE TABLE dispatch_leases (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  token uuid NOT NULL,
  hash text NOT NULL,
  count integer NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  broadcast_at bigint,
  CONSTRAINT dispatch_leases_outcome_check CHECK ((outcome = ANY (ARRAY['submitted'::text, 'already-observed'::text, 'unknown'::text]))),
  CONSTRAINT dispatch_leases_pkey PRIMARY KEY (plan, step),
  CONSTRAINT dispatch_leases_plan_step_fkey FOREIGN KEY (plan, step) REFERENCES transport_bindings(plan, step)
);

CREATE TABLE ended_plans (
  plan uuid NOT NULL,
  committed_until bigint NOT NULL,
  CONSTRAINT ended_plans_pkey PRIMARY KEY (plan),
  CONSTRAINT ended_plans_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id)
);

CREATE TABLE function_migrations (
  name text NOT NULL,
  edition integer NOT NULL,
  hash text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT function_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE fundings (
  plan uuid NOT NULL,
  sponsorship uuid NOT NULL,
  chain_id bigint NOT NULL,
  admitted boolean NOT NULL DEFAULT false,
  CONSTRAINT fundings_pkey PRIMARY KEY (plan),
  CONSTRAINT fundings_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id),
  CONSTRAINT fundings_sponsorship_fkey FOREIGN KEY (sponsorship) REFERENCES sponsorships(id)
);

CREATE TABLE history (
  single boolean NOT NULL DEFAULT true,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  beats bigint NOT NULL DEFAULT 0,
  behind_since bigint,
  CONSTRAINT history_pkey PRIMARY KEY (single),
  CONSTRAINT history_single_check CHECK (single)
);

CREATE TABLE idempotency_archive (
  account bigint NOT NULL,
  principal text NOT NULL,
  key text NOT NULL,
  identity text NOT NULL,
  kind text NOT NULL,
  plan uuid,
  step smallint,
  created_at bigint NOT NULL,
  subject uuid
);

CREATE TABLE idempotency_keys (
  account bigint NOT NULL,
  principal text NOT NULL,
  key text NOT NULL,
  identity text NOT NULL,
  kind text NOT NULL,
  plan uuid,
  step smallint,
  created_at bigint NOT NULL,
  subject uuid,
  CONSTRAINT idempotency_keys_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT idempotency_keys_kind_check CHECK ((kind = ANY (ARRAY['plan'::text, 'submission'::text, 'bundle'::text, 'sponsorship'::text, 'publication'::text, 'operation'::text, 'send'::text, 'session'::text, 'lifecycle'::text, 'review'::text]))),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account, principal, key),
  CONSTRAINT idempotency_keys_plan_check CHECK (((kind = 'session'::text) OR (plan IS NOT NULL))),
  CONSTRAINT idempotency_keys_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id),
  CONSTRAINT idempotency_keys_subject_check CHECK (((kind = ANY (ARRAY['sponsorship'::text, 'publication'::text, 'operation'::text, 'send'::text, 'session'::text, 'lifecycle'::text, 'review'::text])) = (subject IS NOT NULL)))
);

CREATE TABLE intent_deployments (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  intent bigint NOT NULL,
  chain_id bigint NOT NULL,
  transaction_hash text NOT NULL,
  project_id text NOT NULL,
  forwarded boolean NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  created_at bigint NOT NULL,
  look_at bigint,
  displaced_at bigint,
  CONSTRAINT intent_deployments_intent_chain_id_transaction_hash_key UNIQUE (intent, chain_id, transaction_hash),
  CONSTRAINT intent_deployments_intent_fkey FOREIGN KEY (intent) REFERENCES intents(number),
  CONSTRAINT intent_deployments_pkey PRIMARY KEY (number)
);

CREATE TABLE intent_origins (
  address_hash text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE intents (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id uuid NOT NULL,
  account bigint NOT NULL,
  publisher text NOT NULL,
  content_hash text NOT NULL,
  signature text NOT NULL,
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
  CONSTRAINT intents_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT intents_envelope_check CHECK ((octet_length(envelope) <= 1048576)),
  CONSTRAINT intents_id_key UNIQUE (id),
  CONSTRAINT intents_pkey PRIMARY KEY (number),
  CONSTRAINT intents_publisher_content_hash_key UNIQUE (publisher, content_hash)
);

CREATE TABLE migrations (
  name text NOT NULL,
  hash text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE operation_sends (
  operation uuid NOT NULL,
  signature text NOT NULL,
  commitment text NOT NULL,
  token uuid NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  answered_at bigint,
  CONSTRAINT operation_sends_check CHECK (((outcome IS NULL) = (answered_at IS NULL))),
  CONSTRAINT operation_sends_operation_fkey FOREIGN KEY (operation) REFERENCES user_operations(id),
  CONSTRAINT operation_sends_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'unknown'::text]))),
  CONSTRAINT operation_sends_pkey PRIMARY KEY (operation)
);

CREATE TABLE owner_approvals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  plan uuid NOT NULL,
  step smallint NOT NULL,
  hash text NOT NULL,
  form text NOT NULL,
  signer text NOT NULL,
  issued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  nonce text NOT NULL,
  recorded_at bigint NOT NULL,
  CONSTRAINT owner_approvals_form_check CHECK ((form = ANY (ARRAY['owner-request'::text, 'owner-approval'::text]))),
  CONSTRAINT owner_approvals_pkey PRIMARY KEY (id),
  CONSTRAINT owner_approvals_plan_step_fkey FOREIGN KEY (plan, step) REFERENCES plan_steps(plan, step)
);

CREATE TABLE payment_reviews (
  id uuid NOT NULL,
  account bigint NOT NULL,
  grant_id uuid NOT NULL,
  operation uuid NOT NULL,
  state text NOT NULL,
  terms json NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  decision text,
  decided_at bigint,
  envelope text,
  signed_commitment text,
  CONSTRAINT payment_reviews_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT payment_reviews_check CHECK (((decision IS NULL) = (decided_at IS NULL))),
  CONSTRAINT payment_reviews_check1 CHECK (((NOT (decision IS DISTINCT FROM 'approved'::text)) = (envelope IS NOT NULL))),
  CONSTRAINT payment_reviews_check2 CHECK (((envelope IS NULL) = (signed_commitment IS NULL))),
  CONSTRAINT payment_reviews_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'cancelled'::text]))),
  CONSTRAINT payment_reviews_envelope_check CHECK (((envelope ~ '^0x([0-9a-f]{2})+$'::text) AND (octet_length(envelope) <= 32770))),
  CONSTRAINT payment_reviews_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES bot_grants(id),
  CONSTRAINT payment_reviews_operation_fkey FOREIGN KEY (operation) REFERENCES user_operations(id),
  CONSTRAINT payment_reviews_operation_key UNIQUE (operation),
  CONSTRAINT payment_reviews_pkey PRIMARY KEY (id),
  CONSTRAINT payment_reviews_signed_commitment_check CHECK ((signed_commitment ~ '^0x[0-9a-f]{64}$'::text)),
  CONSTRAINT payment_reviews_state_check CHECK ((state ~ '^[A-Za-z0-9_-]{43}$'::text)),
  CONSTRAINT payment_reviews_terms_check CHECK ((octet_length((terms)::text) <= 65536))
);

CREATE TABLE plan_steps (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  observed text,
  receipt json,
  semantic json,
  revert json,
  proof text,
  sights json,
  CONSTRAINT plan_steps_observed_check CHECK ((observed = ANY (ARRAY['submitted'::text, 'unknown'::text, 'confirming'::text, 'confirmed'::text, 'reverted'::text, 'reorged'::text]))),
  CONSTRAINT plan_steps_pkey PRIMARY KEY (plan, step),
  CONSTRAINT plan_steps_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id),
  CONSTRAINT plan_steps_proof_check CHECK ((proof = ANY (ARRAY['direct'::text, 'batched'::text, 'traced'::text, 'operation'::text]))),
  CONSTRAINT plan_steps_step_check CHECK (((step >= 0) AND (step <= 31)))
);

CREATE TABLE plans (
  id uuid NOT NULL,
  account bigint NOT NULL,
  principal text NOT NULL,
  operation text NOT NULL,
  wallet text NOT NULL,
  terms json NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  pending_since bigint,
  archived_at bigint,
  changed_at bigint NOT NULL DEFAULT unix_millis(),
  CONSTRAINT plans_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT plans_check CHECK ((expires_at >= created_at)),
  CONSTRAINT plans_pkey PRIMARY KEY (id)
);

CREATE TABLE publications (
  sponsorship uuid NOT NULL,
  submission_hash text NOT NULL,
  signatures text[] NOT NULL,
  token uuid NOT NULL,
  reserved_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  outcome text,
  settled_at bigint,
  bundle_id uuid,
  quote json,
  transactions json,
  quote_commitment text,
  verified_at bigint,
  doubt text,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT publications_bundle_id_key UNIQUE (bundle_id),
  CONSTRAINT publications_check CHECK (((outcome IS NULL) = (settled_at IS NULL))),
  CONSTRAINT publications_check1 CHECK (((NOT (outcome IS DISTINCT FROM 'answered'::text)) = (quote IS NOT NULL))),
  CONSTRAINT publications_check2 CHECK (((bundle_id IS NULL) = (quote IS NULL))),
  CONSTRAINT publications_check3 CHECK (((transactions IS NULL) = (quote_commitment IS NULL))),
  CONSTRAINT publications_check4 CHECK (((verified_at IS NULL) OR ((transactions IS NOT NULL) AND (doubt IS NULL)))),
  CONSTRAINT publications_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'unknown'::text]))),
  CONSTRAINT publications_pkey PRIMARY KEY (sponsorship),
  CONSTRAINT publications_sponsorship_fkey FOREIGN KEY (sponsorship) REFERENCES sponsorships(id)
);

CREATE TABLE readiness_probe (
  single boolean NOT NULL DEFAULT true,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT readiness_probe_pkey PRIMARY KEY (single),
  CONSTRAINT readiness_probe_single_check CHECK (single)
);

CREATE TABLE request_nonces (
  account bigint NOT NULL,
  nonce bytea NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT request_nonces_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT request_nonces_pkey PRIMARY KEY (account, nonce)
);

CREATE TABLE request_usage (
  account bigint NOT NULL,
  minute bigint NOT NULL,
  owner_count integer NOT NULL,
  bots_count integer NOT NULL,
  expiring integer NOT NULL DEFAULT 0,
  CONSTRAINT request_usage_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT request_usage_pkey PRIMARY KEY (account, minute)
) WITH (fillfactor=70);

CREATE TABLE reserved_nonces (
  scope text NOT NULL,
  nonce text NOT NULL,
  plan uuid NOT NULL,
  step smallint NOT NULL,
  CONSTRAINT reserved_nonces_nonce_check CHECK ((nonce ~ '^(0|[1-9][0-9]*)$'::text)),
  CONSTRAINT reserved_nonces_pkey PRIMARY KEY (scope, nonce),
  CONSTRAINT reserved_nonces_plan_step_fkey FOREIGN KEY (plan, step) REFERENCES plan_steps(plan, step)
);

CREATE TABLE restorations (
  restored_at bigint NOT NULL,
  requests_after bigint NOT NULL,
  plans_ended integer NOT NULL,
  grants_ended integer NOT NULL,
  compared_from bigint,
  CONSTRAINT restorations_pkey PRIMARY KEY (restored_at)
);

CREATE TABLE session_plans (
  plan uuid NOT NULL,
  session uuid NOT NULL,
  kind text NOT NULL,
  owner_request_digest text NOT NULL,
  issued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  superseded_at bigint,
  CONSTRAINT session_plans_kind_check CHECK ((kind = ANY (ARRAY['activation'::text, 'revocation'::text]))),
  CONSTRAINT session_plans_pkey PRIMARY KEY (plan),
  CONSTRAINT session_plans_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id),
  CONSTRAINT session_plans_session_fkey FOREIGN KEY (session) REFERENCES sessions(id)
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  account bigint NOT NULL,
  principal text NOT NULL,
  grant_id uuid NOT NULL,
  binding text NOT NULL,
  chain_id bigint NOT NULL,
  wallet text NOT NULL,
  session_key text NOT NULL,
  generation numeric(20,0) NOT NULL,
  nonce text NOT NULL,
  permission_id text NOT NULL,
  compiled_hash text NOT NULL,
  valid_until bigint NOT NULL,
  terms json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  observation json,
  observed_at bigint,
  live boolean NOT NULL DEFAULT false,
  was_enabled boolean NOT NULL DEFAULT false,
  invalidation json,
  released_at bigint,
  archived_at bigint,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT sessions_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT sessions_binding_fkey FOREIGN KEY (binding) REFERENCES bindings(id),
  CONSTRAINT sessions_chain_id_wallet_fkey FOREIGN KEY (chain_id, wallet) REFERENCES wallets(chain_id, address),
  CONSTRAINT sessions_chain_id_wallet_nonce_key UNIQUE (chain_id, wallet, nonce),
  CONSTRAINT sessions_chain_id_wallet_permission_id_key UNIQUE (chain_id, wallet, permission_id),
  CONSTRAINT sessions_chain_id_wallet_session_key_generation_key UNIQUE (chain_id, wallet, session_key, generation),
  CONSTRAINT sessions_check CHECK (((observation IS NULL) = (observed_at IS NULL))),
  CONSTRAINT sessions_check1 CHECK ((was_enabled OR (NOT live))),
  CONSTRAINT sessions_generation_check CHECK (((generation >= (1)::numeric) AND (generation <= '18446744073709551615'::numeric))),
  CONSTRAINT sessions_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES bot_grants(id),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_terms_check CHECK ((octet_length((terms)::text) <= 524288))
);

CREATE TABLE silent_nonces (
  operation uuid NOT NULL,
  block bigint NOT NULL,
  hash text NOT NULL,
  seen_at bigint NOT NULL,
  anew boolean NOT NULL DEFAULT false,
  CONSTRAINT silent_nonces_operation_fkey FOREIGN KEY (operation) REFERENCES user_operations(id),
  CONSTRAINT silent_nonces_pkey PRIMARY KEY (operation)
);

CREATE TABLE sponsored_calls (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  sponsorship uuid NOT NULL,
  chain_id bigint NOT NULL,
  forwarder text NOT NULL,
  signer text NOT NULL,
  nonce numeric(78,0) NOT NULL,
  forwarder_code_hash text NOT NULL,
  gas numeric(78,0) NOT NULL,
  deadline bigint NOT NULL,
  since_block bigint NOT NULL,
  hint text,
  provider_state text,
  searched_block bigint,
  searched_hash text,
  dead_block bigint,
  dead_hash text,
  revived boolean NOT NULL DEFAULT false,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT sponsored_calls_check CHECK (((searched_block IS NULL) = (searched_hash IS NULL))),
  CONSTRAINT sponsored_calls_check1 CHECK (((dead_block IS NULL) = (dead_hash IS NULL))),
  CONSTRAINT sponsored_calls_check2 CHECK (((dead_hash IS NOT NULL) OR (NOT revived))),
  CONSTRAINT sponsored_calls_hint_check CHECK ((hint ~ '^0x[0-9a-f]{64}$'::text)),
  CONSTRAINT sponsored_calls_pkey PRIMARY KEY (plan, step),
  CONSTRAINT sponsored_calls_plan_step_fkey FOREIGN KEY (plan, step) REFERENCES transport_bindings(plan, step),
  CONSTRAINT sponsored_calls_provider_state_check CHECK ((char_length(provider_state) <= 64)),
  CONSTRAINT sponsored_calls_sponsorship_fkey FOREIGN KEY (sponsorship) REFERENCES sponsorships(id)
);

CREATE TABLE sponsorships (
  id uuid NOT NULL,
  account bigint NOT NULL,
  principal text NOT NULL,
  plan uuid NOT NULL,
  authorizations json NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  archived_at bigint,
  CONSTRAINT sponsorships_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT sponsorships_authorizations_check CHECK ((octet_length((authorizations)::text) <= 524288)),
  CONSTRAINT sponsorships_pkey PRIMARY KEY (id),
  CONSTRAINT sponsorships_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id)
);

CREATE TABLE transport_bindings (
  plan uuid NOT NULL,
  step smallint NOT NULL,
  transport text NOT NULL,
  binding_id uuid NOT NULL,
  hash text,
  transaction json,
  raw bytea,
  bound_at bigint NOT NULL,
  CONSTRAINT transport_bindings_check CHECK (((transport <> 'signed-eoa-transaction'::text) OR ((hash IS NOT NULL) AND (transaction IS NOT NULL) AND (raw IS NOT NULL)))),
  CONSTRAINT transport_bindings_pkey PRIMARY KEY (plan, step),
  CONSTRAINT transport_bindings_plan_step_fkey FOREIGN KEY (plan, step) REFERENCES plan_steps(plan, step),
  CONSTRAINT transport_bindings_transport_check CHECK ((transport = ANY (ARRAY['signed-eoa-transaction'::text, 'forwarder-prepaid-erc2771'::text, 'eip4337-user-operation'::text])))
);

CREATE TABLE user_operations (
  id uuid NOT NULL,
  account bigint NOT NULL,
  principal text NOT NULL,
  plan uuid NOT NULL,
  steps smallint[] NOT NULL,
  chain_id bigint NOT NULL,
  entry_point text NOT NULL,
  sender text NOT NULL,
  nonce numeric(78,0) NOT NULL,
  binding text NOT NULL,
  state_hash text NOT NULL,
  terms json NOT NULL,
  operation_hash text NOT NULL,
  commitment text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  valid_until bigint NOT NULL,
  since_block bigint NOT NULL,
  paymaster text,
  maximum_cost numeric(78,0) NOT NULL,
  wallet_code_hash text NOT NULL,
  entry_point_code_hash text NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  claimed boolean NOT NULL DEFAULT false,
  hint text,
  observed_block text,
  scoped_count integer,
  scoped_hash text,
  actual_gas_cost numeric(78,0),
  searched_block bigint,
  searched_hash text,
  dead_block bigint,
  dead_hash text,
  revived boolean NOT NULL DEFAULT false,
  sweep_at bigint,
  sweep_attempts integer NOT NULL DEFAULT 0,
  archived_at bigint,
  CONSTRAINT user_operations_account_fkey FOREIGN KEY (account) REFERENCES accounts(number),
  CONSTRAINT user_operations_chain_id_operation_hash_key UNIQUE (chain_id, operation_hash),
  CONSTRAINT user_operations_check CHECK ((num_nulls(observed_block, scoped_count, scoped_hash, actual_gas_cost) = ANY (ARRAY[0, 4]))),
  CONSTRAINT user_operations_check1 CHECK (((searched_block IS NULL) = (searched_hash IS NULL))),
  CONSTRAINT user_operations_check2 CHECK (((dead_block IS NULL) = (dead_hash IS NULL))),
  CONSTRAINT user_operations_check3 CHECK (((dead_hash IS NOT NULL) OR (NOT revived))),
  CONSTRAINT user_operations_hint_check CHECK ((hint ~ '^0x[0-9a-f]{64}$'::text)),
  CONSTRAINT user_operations_pkey PRIMARY KEY (id),
  CONSTRAINT user_operations_plan_fkey FOREIGN KEY (plan) REFERENCES plans(id),
  CONSTRAINT user_operations_steps_check CHECK (((cardinality(steps) >= 1) AND (cardinality(steps) <= 16))),
  CONSTRAINT user_operations_terms_check CHECK ((octet_length((terms)::text) <= 524288))
);

CREATE TABLE wallet_generations (
  chain_id bigint NOT NULL,
  wallet text NOT NULL,
  session uuid NOT NULL,
  admitted_at bigint NOT NULL,
  CONSTRAINT wallet_generations_chain_id_wallet_fkey FOREIGN KEY (chain_id, wallet) REFERENCES wallets(chain_id, address),
  CONSTRAINT wallet_generations_pkey PRIMARY KEY (chain_id, wallet),
  CONSTRAINT wallet_generations_session_fkey FOREIGN KEY (session) REFERENCES sessions(id),
  CONSTRAINT wallet_generations_session_key UNIQUE (session)
);

CREATE TABLE wallets (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  CONSTRAINT wallets_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text)),
  CONSTRAINT wallets_pkey PRIMARY KEY (chain_id, address)
);

CREATE INDEX address_usage_by_minute ON address_usage USING btree (minute);

CREATE INDEX binding_nonces_of_binding ON binding_nonces USING btree (binding);

CREATE INDEX bindings_linked ON bindings USING btree (account, created_at DESC, id DESC) WHERE (unlinked_at IS NULL);

CREATE INDEX bot_grants_of_account ON bot_grants USING btree (account, created_at, id);

CREATE UNIQUE INDEX fundings_admitted ON fundings USING btree (sponsorship) WHERE admitted;

CREATE INDEX fundings_of_sponsorship ON fundings USING btree (sponsorship);

CREATE INDEX idempotency_archive_of_plan ON idempotency_archive USING btree (plan);

CREATE INDEX idempotency_keys_of_plan ON idempotency_keys USING btree (plan);

CREATE INDEX idempotency_keys_of_session ON idempotency_keys USING btree (subject) WHERE (kind = 'session'::text);

CREATE INDEX intent_deployments_to_look_at ON intent_deployments USING btree (look_at) WHERE (look_at IS NOT NULL);

CREATE INDEX intent_origins_by_time ON intent_origins USING btree (created_at);

CREATE INDEX intent_origins_of_address ON intent_origins USING btree (address_hash, created_at);

CREATE INDEX intents_by_words ON intents USING gin (words);

CREATE INDEX intents_of_account ON intents USING btree (account);

CREATE INDEX intents_of_owner ON intents USING btree (owner);

CREATE INDEX intents_of_publisher ON intents USING btree (publisher, created_at);

CREATE INDEX operation_sends_unheard ON operation_sends USING btree (reserved_at) WHERE (outcome IS DISTINCT FROM 'accepted'::text);

CREATE INDEX owner_approvals_of_step ON owner_approvals USING btree (plan, step);

CREATE INDEX plans_counted ON plans USING btree (account) WHERE (archived_at IS NULL);

CREATE INDEX plans_of_account ON plans USING btree (account, created_at DESC, id DESC);

CREATE INDEX plans_of_principal ON plans USING btree (account, principal, created_at DESC, id DESC);

CREATE INDEX plans_of_wallet ON plans USING btree (account, wallet, created_at DESC, id DESC);

CREATE INDEX plans_of_wallet_and_principal ON plans USING btree (account, wallet, principal, created_at DESC, id DESC);

CREATE INDEX plans_pending ON plans USING btree (pending_since) WHERE (sweep_at IS NOT NULL);

CREATE INDEX plans_to_archive ON plans USING btree (GREATEST(expires_at, changed_at)) WHERE ((archived_at IS NULL) AND (sweep_at IS NULL));

CREATE INDEX plans_to_sweep ON plans USING btree (sweep_at, id) WHERE (sweep_at IS NOT NULL);

CREATE INDEX publications_unheard ON publications USING btree (reserved_at) WHERE (outcome IS DISTINCT FROM 'answered'::text);

CREATE INDEX publications_watched ON publications USING btree (settled_at) WHERE ((quote IS NOT NULL) AND (verified_at IS NULL));

CREATE INDEX request_nonces_by_expiry ON request_nonces USING btree (expires_at);

CREATE INDEX request_usage_by_minute ON request_usage USING btree (minute);

CREATE UNIQUE INDEX session_plans_current ON session_plans USING btree (session, kind) WHERE (superseded_at IS NULL);

CREATE INDEX session_plans_of_session ON session_plans USING btree (session, issued_at);

CREATE INDEX sessions_counted ON sessions USING btree (account) WHERE (archived_at IS NULL);

CREATE INDEX sessions_of_account ON sessions USING btree (account, created_at DESC, id DESC);

CREATE INDEX sessions_of_binding ON sessions USING btree (binding, created_at DESC, id DESC);

CREATE INDEX sessions_of_grant ON sessions USING btree (grant_id, created_at DESC, id DESC);

CREATE INDEX sessions_to_archive ON sessions USING btree (GREATEST((valid_until * 1000), updated_at)) WHERE ((archived_at IS NULL) AND (sweep_at IS NULL));

CREATE INDEX sessions_to_sweep ON sessions USING btree (sweep_at) WHERE (sweep_at IS NOT NULL);

CREATE UNIQUE INDEX sponsored_calls_of_nonces ON sponsored_calls USING btree (chain_id, forwarder, signer, nonce) WHERE (dead_hash IS NULL);

CREATE INDEX sponsored_calls_of_sponsorship ON sponsored_calls USING btree (sponsorship);

CREATE INDEX sponsored_calls_revived ON sponsored_calls USING btree (chain_id, forwarder, signer, nonce) WHERE revived;

CREATE INDEX sponsored_calls_to_sweep ON sponsored_calls USING btree (sweep_at) WHERE (sweep_at IS NOT NULL);

CREATE INDEX sponsorships_counted ON sponsorships USING btree (account) WHERE (archived_at IS NULL);

CREATE INDEX sponsorships_of_account ON sponsorships USING btree (account, created_at DESC, id DESC);

CREATE INDEX sponsorships_of_plan ON sponsorships USING btree (plan);

CREATE INDEX sponsorships_of_principal ON sponsorships USING btree (account, principal, created_at DESC, id DESC);

CREATE INDEX transport_bindings_by_hash ON transport_bindings USING btree (hash);

CREATE UNIQUE INDEX transport_bindings_of_transactions ON transport_bindings USING btree (binding_id) WHERE (transport = 'signed-eoa-transaction'::text);

CREATE INDEX user_operations_claimed ON user_operations USING btree (chain_id, sender, nonce) WHERE claimed;

CREATE INDEX user_operations_counted ON user_operations USING btree (account) WHERE (archived_at IS NULL);

CREATE INDEX user_operations_of_account ON user_operations USING btree (account, created_at DESC, id DESC);

CREATE UNIQUE INDEX user_operations_of_nonces ON user_operations USING btree (chain_id, sender, nonce) WHERE (claimed AND (dead_hash IS NULL));

CREATE INDEX user_operations_of_plan ON user_operations USING btree (plan);

CREATE INDEX user_operations_of_principal ON user_operations USING btree (account, principal, created_at DESC, id DESC);

CREATE INDEX user_operations_to_sweep ON user_operations USING btree (sweep_at) WHERE (sweep_at IS NOT NULL);

CREATE OR REPLACE FUNCTION public.admit_funding(of_plan uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  of_sponsorship uuid;
  other uuid;
BEGIN
  SELECT f.sponsorship INTO of_sponsorship FROM fundings f WHERE f.plan = of_plan;
  IF FOUND THEN
    SELECT f.plan INTO other FROM fundings f WHERE f.sponsorship = of_sponsorship AND f.admitted AND f.plan <> of_plan;
    IF FOUND THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT', other::text);
    ELSIF EXISTS (SELECT 1 FROM publications u JOIN restorations r ON r.restored_at >= u.reserved_at JOIN plans p ON p.created_at > r.restored_at
      WHERE u.sponsorship = of_sponsorship AND p.id = of_plan)
    THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT', 'restored');
    END IF;
    UPDATE fundings f SET admitted = true WHERE f.plan = of_plan;
    UPDATE sponsorships s SET revision = s.revision + 1 WHERE s.id = of_sponsorship;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.admit_lifecycle_plan(of_account text, key text, identity text, proposed plans, admitted session_plans, compiled text, plans_limit integer, keys_limit integer, superseded_limit integer, OUT verdict text, OUT plan uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  held sessions;
  former session_plans;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF account_number IS NULL THEN
    verdict := 'ACCOUNT_NOT_FOUND';
    RETURN;
  END IF;

  SELECT k.identity, k.plan INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = proposed.principal AND k.key = admit_lifecycle_plan.key;
  IF FOUND THEN
    verdict := CASE WHEN known.identity = admit_lifecycle_plan.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END;
    plan := known.plan;
    RETURN;
  ELSIF NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = admitted.session AND s.account = account_number) THEN
    verdict := 'SESSION_NOT_FOUND';
    RETURN;
  END IF;

  -- Plans of a session come and go under the lock of its account.
  SELECT l.* INTO former FROM session_plans l
  WHERE l.session = admitted.session AND l.kind = admitted.kind AND l.superseded_at IS NULL;
  PERFORM 1 FROM plans p WHERE p.id = former.plan FOR UPDATE;
  SELECT s.* INTO STRICT held FROM sessions s WHERE s.id = admitted.session FOR UPDATE;
  PERFORM 1 FROM wallets w WHERE w.chain_id = held.chain_id AND w.address = held.wallet FOR UPDATE;
  -- That was the last wait: time is looked at after it, and once.
  now := unix_millis();

  IF held.compiled_hash <> compiled THEN
    verdict := 'SESSION_CHANGED';
  ELSIF admitted.kind = 'activation' AND EXISTS (SELECT 1 FROM session_plans l
    WHERE l.session = held.id AND l.kind = 'revocation' AND l.superseded_at IS NULL)
  THEN
    verdict := 'REVOKING';
  ELSIF admitted.kind = 'activation' AND held.was_enabled THEN
    verdict := 'ENABLED_BEFORE';
  ELSIF admitted.kind = 'activation' AND held.valid_until * 1000 <= now THEN
    verdict := 'SESSION_EXPIRED';
  ELSIF admitted.kind = 'activation' AND EXISTS (SELECT 1 FROM wallet_generations g
    WHERE g.chain_id = held.chain_id AND g.wallet = held.wallet AND g.session <> held.id)
  THEN
    verdict := 'SESSION_RETIREMENT_REQUIRED';
  ELSIF EXISTS (SELECT 1 FROM plans p WHERE p.id = former.plan AND (p.expires_at > now OR may_be_executed(p.id))) THEN
    verdict := 'SESSION_PLAN_NOT_REPLACEABLE';
    plan := former.plan;
  ELSIF former.plan IS NOT NULL AND (admitted.kind = 'activation' OR (held.observation ->> 'status') IS DISTINCT FROM 'enabled')
    AND EXISTS (SELECT 1 FROM session_plans l
      WHERE l.session = held.id AND l.kind = admitted.kind AND l.superseded_at IS NOT NULL OFFSET superseded_limit - 1)
  THEN
    verdict := 'SUPERSEDED_LIMIT';
  ELSIF EXISTS (SELECT 1 FROM plans p WHERE p.account = account_number AND p.archived_at IS NULL OFFSET plans_limit - 1) THEN
    verdict := 'PLANS_LIMIT';
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    verdict := 'KEYS_LIMIT';
  ELSE
    UPDATE session_plans l SET superseded_at = now WHERE l.plan = former.plan;
    INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
    VALUES (proposed.id, account_number, proposed.principal, proposed.operation, proposed.wallet, proposed.terms,
      proposed.commitment, proposed.created_at, proposed.expires_at);
    INSERT INTO plan_steps (plan, step) VALUES (proposed.id, 0);
    INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
    VALUES (account_number, proposed.principal, admit_lifecycle_plan.key, admit_lifecycle_plan.identity, 'lifecycle', proposed.id,
      held.id, now);
    INSERT INTO session_plans (plan, session, kind, owner_request_digest, issued_at, expires_at)
    VALUES (proposed.id, held.id, admitted.kind, admitted.owner_request_digest, admitted.issued_at, proposed.expires_at);
    IF admitted.kind = 'activation' THEN
      INSERT INTO wallet_generations (chain_id, wallet, session, admitted_at) VALUES (held.chain_id, held.wallet, held.id, now)
      ON CONFLICT DO NOTHING;
    END IF;
    UPDATE sessions s SET revision = s.revision + 1, updated_at = now, sweep_at = now, sweep_attempts = 0,
      released_at = CASE WHEN admitted.kind <> 'activation' THEN s.released_at END
    WHERE s.id = held.id;
    verdict := 'STORED';
    plan := proposed.id;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.admit_requests(account_ids text[], signers text[], grant_ids uuid[], owner_only_flags boolean[], required_scopes text[], nonces bytea[], issue_times bigint[], expiry_times bigint[], account_wanted boolean[], owner_quota integer, bots_quota integer, wait_for_locks boolean)
 RETURNS SETOF request_admission
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.bind_operation(sent user_operations)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  others record;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.chain_id = sent.chain_id AND w.address = sent.sender FOR UPDATE;
  PERFORM bind_steps(
    ARRAY(
      SELECT (sent.plan, s, 'eip4337-user-operation', sent.id, NULL, NULL, NULL, unix_millis())::transport_bindings
      FROM unnest(sent.steps) s
    ),
    ARRAY[]::reserved_nonces[]
  );
  -- One that was thought dead and is not has its nonce still, whoever took it since.
  SELECT bool_or(o.dead_hash IS NULL OR o.revived) AS may_be_executed,
    bool_or(o.account <> sent.account AND NOT EXISTS (SELECT 1 FROM plan_steps t WHERE t.plan = o.plan AND t.step = ANY (o.steps)
      AND t.semantic ->> 'reason' = 'OPERATION_NONCE_CONSUMED')) AS are_of_others INTO others
  FROM user_operations o WHERE o.claimed AND o.chain_id = sent.chain_id AND o.sender = sent.sender AND o.nonce = sent.nonce;
  IF others.may_be_executed THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED');
  ELSIF others.are_of_others THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED', 'account');
  END IF;
  UPDATE user_operations SET claimed = true, revision = revision + 1 WHERE id = sent.id;
END $function$
;

CREATE OR REPLACE FUNCTION public.bind_sponsored(published sponsorships)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  requests constant json := published.authorizations;
  taken integer;
BEGIN
  PERFORM bind_steps(
    ARRAY(
      SELECT (published.plan, r."stepIndex", 'forwarder-prepaid-erc2771', published.id, NULL, NULL, NULL,
        unix_millis())::transport_bindings
      FROM json_to_recordset(requests) AS r ("stepIndex" smallint)
    ),
    ARRAY[]::reserved_nonces[]
  );
  INSERT INTO sponsored_calls (plan, step, sponsorship, chain_id, forwarder, signer, nonce, forwarder_code_hash, gas, deadline, since_block)
  SELECT published.plan, q.step, published.id, q.chain_id, q.forwarder, q.signer, q.nonce, q.code_hash, q.gas, q.deadline, q.since_block
  FROM (
    SELECT r."stepIndex" AS step, r."chainId" AS chain_id, lower(r.forwarder) AS forwarder, lower(m."from") AS signer, m.nonce,
      r."forwarderCodeHash" AS code_hash, m.gas, m.deadline, e."blockNumber" AS since_block
    FROM json_to_recordset(requests) AS r ("stepIndex" smallint, "chainId" bigint, forwarder text, "forwarderCodeHash" text,
        message json, evidence json),
      json_to_record(r.message) AS m ("from" text, nonce numeric, gas numeric, deadline bigint),
      json_to_record(r.evidence) AS e ("blockNumber" bigint)
  ) q
  -- One that was thought dead and is not has its nonce still, whoever took it since.
  WHERE NOT EXISTS (SELECT 1 FROM sponsored_calls c WHERE c.revived AND c.chain_id = q.chain_id AND c.forwarder = q.forwarder
    AND c.signer = q.signer AND c.nonce = q.nonce)
  ORDER BY q.chain_id, q.forwarder, q.signer, q.nonce
  ON CONFLICT (chain_id, forwarder, signer, nonce) WHERE dead_hash IS NULL DO NOTHING;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < json_array_length(requests) THEN
    PERFORM refuse_claim('FORWARD_NONCE_RESERVED');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.bind_steps(bound transport_bindings[], reserved reserved_nonces[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  asked transport_bindings;
  known record;
  taken integer;
BEGIN
  FOREACH asked IN ARRAY bound LOOP
    SELECT b.transport, coalesce(b.hash, b.binding_id::text) AS name INTO known FROM transport_bindings b
    WHERE b.plan = asked.plan AND b.step = asked.step;
    IF NOT FOUND THEN
      INSERT INTO transport_bindings VALUES (asked.*);
      PERFORM admit_funding(asked.plan);
    ELSIF known.transport <> asked.transport THEN
      PERFORM refuse_claim('TRANSPORT_CONFLICT', known.transport);
    ELSIF known.name <> coalesce(asked.hash, asked.binding_id::text) THEN
      PERFORM refuse_claim('STEP_ALREADY_BOUND', known.name);
    END IF;
  END LOOP;
  INSERT INTO reserved_nonces AS n (scope, nonce, plan, step)
  SELECT r.scope, r.nonce, r.plan, r.step FROM unnest(reserved) r ORDER BY r.scope, r.nonce
  ON CONFLICT (scope, nonce) DO UPDATE SET step = n.step
  WHERE n.plan = excluded.plan AND n.step = excluded.step;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < cardinality(reserved) THEN
    PERFORM refuse_claim('NONCE_RESERVED');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.bind_transaction(asked dispatch_request)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  bound transport_bindings;
  reserved reserved_nonces;
BEGIN
  bound := (asked.plan, asked.step, asked.transport, asked.binding_id, asked.hash, asked.transaction, asked.raw, unix_millis());
  -- Builds that know no scopes name the sender and the number.
  reserved := (
    coalesce(asked.nonce_scope, 'eip155:' || asked.chain_id || ':' || asked.sender),
    coalesce(asked.nonce_text, asked.nonce::text),
    asked.plan,
    asked.step
  );
  PERFORM bind_steps(ARRAY[bound], ARRAY[reserved]);
END $function$
;

CREATE OR REPLACE FUNCTION public.bind_wallet(of_account text, asked bindings, wallets_limit integer, nonces_limit integer)
 RETURNS binding_storage
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  now bigint;
  bound binding_storage;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL, NULL)::binding_storage;
  END IF;

  SELECT n.digest, n.ended, b.created_at, b.revision INTO known
  FROM binding_nonces n JOIN bindings b ON b.id = n.binding
  WHERE n.account = account_number AND n.nonce = asked.nonce;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.digest <> asked.digest THEN 'NONCE_REUSED' WHEN known.ended THEN 'REVOKED' ELSE 'TWIN' END,
      known.created_at, known.revision
    )::binding_storage;
  ELSIF asked.expires_at * 1000 <= now THEN
    RETURN ('EXPIRED', NULL, NULL)::binding_storage;
  ELSIF EXISTS (
    SELECT 1 FROM bindings b
    WHERE b.account = account_number AND b.unlinked_at IS NULL AND b.id <> asked.id OFFSET wallets_limit - 1
  ) THEN
    RETURN ('WALLETS_LIMIT', NULL, NULL)::binding_storage;
  END IF;

  DELETE FROM binding_nonces n WHERE n.account = account_number AND (n.expires_at + 60) * 1000 <= now
    AND NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = n.binding AND b.nonce = n.nonce AND b.unlinked_at IS NULL);
  IF EXISTS (
    SELECT 1 FROM binding_nonces n
    WHERE n.account = account_number AND n.expires_at * 1000 > now OFFSET nonces_limit - 1
  ) THEN
    RETURN ('NONCES_LIMIT', NULL, NULL)::binding_storage;
  END IF;

  INSERT INTO wallets (chain_id, address) VALUES (asked.chain_id, asked.address) ON CONFLICT DO NOTHING;
  INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
  VALUES (asked.id, account_number, asked.chain_id, asked.address, asked.manifest, asked.state_hash, asked.snapshot, asked.digest,
    asked.nonce, asked.expires_at, now)
  ON CONFLICT (id) DO UPDATE SET manifest = excluded.manifest, state_hash = excluded.state_hash, snapshot = excluded.snapshot,
    digest = excluded.digest, nonce = excluded.nonce, expires_at = excluded.expires_at, unlinked_at = NULL,
    revision = bindings.revision + 1
  RETURNING 'STORED', created_at, revision INTO bound;
  INSERT INTO binding_nonces (account, nonce, binding, digest, expires_at)
  VALUES (account_number, asked.nonce, asked.id, asked.digest, asked.expires_at);
  RETURN bound;
END $function$
;

CREATE OR REPLACE FUNCTION public.check_sending(sent user_operations, account_number bigint, plan_expires_at bigint, at_millis bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  of_session uuid := sent.terms -> 'signing' -> 'session' ->> 'id';
BEGIN
  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = sent.binding AND b.account = account_number
    AND b.state_hash = sent.state_hash AND b.unlinked_at IS NULL)
  THEN
    PERFORM refuse_claim('SMART_ACCOUNT_CHANGED', 'binding');
  ELSIF least(sent.expires_at, sent.valid_until * 1000, plan_expires_at) <= at_millis THEN
    PERFORM refuse_claim('USER_OPERATION_EXPIRED');
  ELSIF NOT lifecycle_plan_stands(sent.plan) THEN
    PERFORM refuse_claim('SESSION_PLAN_NOT_ADMITTED');
  ELSIF of_session IS NOT NULL THEN
    PERFORM check_session_use(sent, of_session, account_number, at_millis);
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.check_session_use(sent user_operations, of_session uuid, account_number bigint, at_millis bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  used sessions;
BEGIN
  SELECT s.* INTO STRICT used FROM sessions s WHERE s.id = of_session;
  IF used.released_at IS NOT NULL THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', CASE WHEN used.was_enabled THEN 'revoked' ELSE 'prepared' END);
  ELSIF EXISTS (SELECT 1 FROM session_plans l WHERE l.session = used.id AND l.kind = 'revocation' AND l.superseded_at IS NULL) THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'revoking');
  ELSIF used.invalidation IS NOT NULL
    OR NOT grant_outlasts(account_number, used.grant_id, used.session_key, used.valid_until, at_millis / 1000)
  THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'stale');
  ELSIF used.valid_until * 1000 <= at_millis THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', 'expired');
  ELSIF coalesce(used.observed_at, 0) < at_millis - 60000 THEN
    PERFORM refuse_claim('SESSION_OBSERVATION_STALE');
  ELSIF NOT used.live THEN
    PERFORM refuse_claim('SESSION_NOT_ACTIVE', CASE used.observation ->> 'status' WHEN 'none' THEN 'prepared'
      WHEN 'revoked' THEN 'revoked' ELSE 'stale' END);
  -- All of a session's operations follow one another by one key of the wallet's nonces, so one of them is on its way at a time: a later
  -- one was sent before a reorganisation took back what came before it.
  ELSIF EXISTS (SELECT 1 FROM user_operations o WHERE o.claimed AND o.chain_id = sent.chain_id AND o.sender = sent.sender
    AND o.nonce > sent.nonce AND div(o.nonce, 18446744073709551616) = div(sent.nonce, 18446744073709551616)
    AND (o.dead_hash IS NULL OR o.revived))
  THEN
    PERFORM refuse_claim('USER_OPERATION_NONCE_RESERVED');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_dispatch(asked dispatch_request)
 RETURNS dispatch_verdict
 LANGUAGE plpgsql
AS $function$
DECLARE
  held record;
  clock_millis bigint;
  is_first boolean;
  answer dispatch_verdict := ('RECORDED', NULL);
BEGIN
  held := locked_plan(asked.account_id, asked.principal, asked.plan, asked.judged_revision);
  IF asked.purpose IN ('observe', 'bundle')
    AND NOT grant_allows(held.account_number, asked.grant_id, 'relay', unix_millis() / 1000)
  THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;

  IF asked.purpose IN ('dispatch', 'observe') THEN
    PERFORM bind_transaction(asked);
  END IF;
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();

  IF asked.purpose = 'dispatch' THEN
    -- An earlier binding is another request's.
    is_first := NOT EXISTS (SELECT 1 FROM transport_bindings b
      WHERE b.plan = asked.plan AND b.step = asked.step AND b.binding_id <> asked.binding_id);
    IF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
      PERFORM refuse_claim('FORBIDDEN');
    ELSIF asked.approval_expires_at <= clock_millis / 1000
      OR asked.approval_issued_at > clock_millis / 1000 + asked.future_allowance_seconds
    THEN
      PERFORM refuse_claim('OWNER_APPROVAL_EXPIRED');
    ELSIF is_first AND held.expires_at <= clock_millis THEN
      PERFORM refuse_claim('PLAN_EXPIRED');
    ELSIF (is_first AND pays_needlessly(asked.plan)) OR (NOT is_first AND pays_in_vain(asked.plan)) THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT');
    ELSIF is_first AND pays_unproved(asked.plan) THEN
      PERFORM refuse_claim('SPONSORSHIP_CONFLICT', 'unproved');
    ELSIF asked.is_blocked THEN
      PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
    END IF;
    IF lease_for(asked.plan, asked.step, asked.hash, asked.token, asked.claims_seen, clock_millis, asked.lease_millis) THEN
      answer.verdict := 'CLAIMED';
      INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
      VALUES (asked.plan, asked.step, asked.hash, asked.approval_form, asked.approval_signer, asked.approval_issued_at,
        asked.approval_expires_at, asked.approval_nonce, clock_millis);
      -- That its chain lacked the step was seen before these bytes leave again, and says nothing of them.
      IF asked.claims_seen > 0 THEN
        UPDATE plan_steps s SET observed = NULL
        WHERE s.plan = asked.plan AND s.step = asked.step AND s.observed IN ('unknown', 'reorged')
          AND s.receipt ->> 'canonical' IS DISTINCT FROM 'true';
      END IF;
    END IF;
  ELSIF asked.purpose = 'observe' THEN
    -- What a living or a settled claim says stays.
    INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at, outcome)
    VALUES (asked.plan, asked.step, asked.token, asked.hash, 1, clock_millis, clock_millis + asked.lease_millis, 'already-observed')
    ON CONFLICT (plan, step) DO UPDATE SET outcome = excluded.outcome
    WHERE l.outcome = 'unknown' OR (l.outcome IS NULL AND l.expires_at <= clock_millis);
  END IF;

  PERFORM record_outcome(asked, held.account_number);
  IF asked.purpose IN ('dispatch', 'observe') THEN
    UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
      pending_since = coalesce(pending_since, clock_millis) WHERE id = asked.plan;
  END IF;
  ASSERT is_claim_verdict(answer.verdict), answer.verdict;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_sponsorship(asked publication_request)
 RETURNS dispatch_verdict
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_user_operation(asked send_request)
 RETURNS dispatch_verdict
 LANGUAGE plpgsql
AS $function$
DECLARE
  of_plan uuid;
  of_session uuid;
  sent user_operations;
  held record;
  known record;
  clock_millis bigint;
  answer dispatch_verdict := ('CLAIMED', NULL);
BEGIN
  SELECT o.plan INTO of_plan FROM user_operations o WHERE o.id = asked.operation AND o.principal = asked.principal;
  IF NOT FOUND THEN
    PERFORM refuse_claim('USER_OPERATION_NOT_FOUND');
  END IF;
  held := locked_plan(asked.account_id, asked.principal, of_plan, asked.judged_revision);
  SELECT o.* INTO STRICT sent FROM user_operations o WHERE o.id = asked.operation FOR UPDATE;

  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = held.account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND AND known.identity <> asked.identity THEN
    PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
  ELSIF FOUND THEN
    RETURN ('RECORDED', NULL)::dispatch_verdict;
  ELSIF sent.claimed THEN
    PERFORM refuse_claim('USER_OPERATION_CONFLICT');
  END IF;

  of_session := sent.terms -> 'signing' -> 'session' ->> 'id';
  PERFORM 1 FROM sessions s WHERE s.id = of_session FOR UPDATE;
  PERFORM bind_operation(sent);
  -- Binding is the last wait: time is looked at after it, and once.
  clock_millis := unix_millis();
  IF NOT grant_allows(held.account_number, asked.grant_id, 'relay', clock_millis / 1000) THEN
    PERFORM refuse_claim('FORBIDDEN');
  END IF;
  IF asked.lease_millis > 0 THEN
    PERFORM check_sending(sent, held.account_number, held.expires_at, clock_millis);
  END IF;
  IF asked.is_blocked THEN
    PERFORM refuse_claim('DEPENDENCIES_UNCONFIRMED');
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = held.account_number OFFSET asked.keys_per_account - 1) THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;

  INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at)
  VALUES (asked.operation, asked.signature, asked.commitment, asked.token, clock_millis, clock_millis + asked.lease_millis);
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (held.account_number, asked.principal, asked.key, asked.identity, 'send', of_plan, asked.operation, clock_millis);
  UPDATE plans SET revision = revision + 1, sweep_at = clock_millis + asked.sweep_millis, sweep_attempts = 0,
    pending_since = coalesce(pending_since, clock_millis) WHERE id = of_plan;
  -- A plan that was archived is so no more, that its new key goes with it once it is again.
  UPDATE plans SET archived_at = NULL, changed_at = clock_millis WHERE id = of_plan AND archived_at IS NOT NULL;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CLAIM' THEN
  GET STACKED DIAGNOSTICS answer.verdict = MESSAGE_TEXT, answer.bound_to = PG_EXCEPTION_DETAIL;
  RETURN answer;
END $function$
;

CREATE OR REPLACE FUNCTION public.decide_payment_review(of_review uuid, by_credential text, counted bigint, of_envelope text, of_commitment text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.end_session_operations(of_session uuid, at_seconds bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH ended AS (
    UPDATE user_operations o SET valid_until = at_seconds, revision = o.revision + 1
    FROM sessions s WHERE s.id = of_session AND o.chain_id = s.chain_id AND o.sender = s.wallet AND o.claimed
      AND (o.dead_hash IS NULL OR o.revived) AND o.terms -> 'signing' -> 'session' ->> 'id' = of_session::text AND o.valid_until > at_seconds
    RETURNING o.plan
  )
  UPDATE plans SET sweep_at = least(sweep_at, unix_millis()), sweep_attempts = 0
  WHERE id IN (SELECT p.id FROM plans p WHERE p.sweep_at IS NOT NULL AND p.id IN (SELECT plan FROM ended) FOR NO KEY UPDATE OF p SKIP LOCKED);
END $function$
;

CREATE OR REPLACE FUNCTION public.grant_allows(account_number bigint, granted uuid, scope text, at_seconds bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN granted IS NULL OR EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = granted AND g.account = account_number
      AND g.revoked_at IS NULL AND g.expires_at > at_seconds AND scope = ANY (g.scopes)
  );
END $function$
;

CREATE OR REPLACE FUNCTION public.grant_outlasts(account_number bigint, granted uuid, bot text, until_seconds bigint, at_seconds bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = granted AND g.account = account_number AND g.bot_address = bot
      AND g.revoked_at IS NULL AND g.expires_at > at_seconds AND g.expires_at >= until_seconds
      AND g.scopes = ARRAY['read', 'plan', 'relay']
  );
END $function$
;

CREATE OR REPLACE FUNCTION public.is_claim_verdict(verdict text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
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
    'FORWARD_NONCE_RESERVED',
    'USER_OPERATION_NOT_FOUND',
    'USER_OPERATION_EXPIRED',
    'USER_OPERATION_CONFLICT',
    'USER_OPERATION_NONCE_RESERVED',
    'SMART_ACCOUNT_CHANGED',
    'SESSION_NOT_ACTIVE',
    'SESSION_OBSERVATION_STALE',
    'SESSION_PLAN_NOT_ADMITTED'
  )
$function$
;

CREATE OR REPLACE FUNCTION public.keep_reached(of_account text, of_principal text, key text, identity text, of_session uuid, of_kind text, keys_limit integer, OUT verdict text, OUT plan uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF account_number IS NULL THEN
    verdict := 'ACCOUNT_NOT_FOUND';
    RETURN;
  END IF;

  SELECT k.identity, k.plan INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = of_principal AND k.key = keep_reached.key;
  IF FOUND THEN
    verdict := CASE WHEN known.identity = keep_reached.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END;
    plan := known.plan;
    RETURN;
  ELSIF NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = of_session AND s.account = account_number) THEN
    verdict := 'SESSION_NOT_FOUND';
    RETURN;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    verdict := 'KEYS_LIMIT';
    RETURN;
  END IF;

  -- Plans of a session come and go under the lock of its account.
  SELECT l.plan INTO plan FROM session_plans l WHERE l.session = of_session AND l.kind = of_kind AND l.superseded_at IS NULL;
  now := unix_millis();
  PERFORM 1 FROM sessions s WHERE s.id = of_session FOR UPDATE;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, of_principal, keep_reached.key, keep_reached.identity, 'session', keep_reached.plan, of_session, now);
  -- A session that was archived is so no more, that its new key goes with it once it is again; nor is one that is over, for it may be archived
  -- just now by a statement that does not see the key.
  UPDATE sessions s SET archived_at = NULL, updated_at = now
  WHERE s.id = of_session AND (s.archived_at IS NOT NULL OR s.valid_until * 1000 < now);
  verdict := 'STORED';
END $function$
;

CREATE OR REPLACE FUNCTION public.lease_for(of_plan uuid, of_step smallint, of_hash text, by_token uuid, claims_seen integer, at_millis bigint, for_millis integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at)
  VALUES (of_plan, of_step, by_token, of_hash, 1, at_millis, at_millis + for_millis)
  ON CONFLICT (plan, step) DO UPDATE SET token = excluded.token, count = l.count + 1, outcome = NULL,
    reserved_at = excluded.reserved_at, expires_at = excluded.expires_at, broadcast_at = NULL
  WHERE l.hash = excluded.hash AND l.count = claims_seen AND (l.expires_at <= at_millis OR l.outcome = 'unknown');
  RETURN FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION public.lifecycle_plan_stands(of_plan uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN NOT EXISTS (
    SELECT 1 FROM session_plans l WHERE l.plan = of_plan AND (l.superseded_at IS NOT NULL
      OR l.kind = 'activation' AND (NOT EXISTS (SELECT 1 FROM wallet_generations w WHERE w.session = l.session)
        OR EXISTS (SELECT 1 FROM session_plans r WHERE r.session = l.session AND r.kind = 'revocation' AND r.superseded_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = l.session
          AND grant_outlasts(s.account, s.grant_id, s.session_key, s.valid_until, unix_seconds()))))
  );
END $function$
;

CREATE OR REPLACE FUNCTION public.locked_plan(of_account text, of_principal text, of_plan uuid, judged_revision integer, OUT account_number bigint, OUT expires_at bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  found_revision integer;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('ACCOUNT_NOT_FOUND');
  END IF;
  SELECT p.revision, p.expires_at INTO found_revision, expires_at FROM plans p
  WHERE p.id = of_plan AND p.account = account_number AND p.principal = of_principal FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('PLAN_NOT_FOUND');
  ELSIF found_revision <> judged_revision THEN
    PERFORM refuse_claim('CONCURRENT_UPDATE');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.mark_restored(keeps_grants boolean)
 RETURNS restorations
 LANGUAGE plpgsql
AS $function$
DECLARE
  future_allowance_seconds constant bigint := 30;
  marked restorations;
BEGIN
  LOCK TABLE restorations IN EXCLUSIVE MODE;
  -- The lost server's clock may have been ahead of this one's, as that of the server may that noticed the loss.
  marked.restored_at := greatest(
    unix_millis(),
    (SELECT max(p.created_at) FROM plans p),
    (SELECT max(o.created_at) FROM user_operations o),
    (SELECT max(b.bound_at) FROM transport_bindings b),
    (SELECT max(u.reserved_at) FROM publications u),
    (SELECT max(w.created_at) FROM payment_reviews w),
    (SELECT max(h.behind_since) FROM history h),
    (SELECT max(r.restored_at) + 1 FROM restorations r)
  );
  marked.requests_after := marked.restored_at / 1000 + future_allowance_seconds;
  INSERT INTO ended_plans (plan, committed_until)
  SELECT p.id, p.expires_at FROM plans p
  WHERE p.expires_at > marked.restored_at AND EXISTS (
    SELECT 1 FROM plan_steps s WHERE s.plan = p.id
      AND NOT EXISTS (SELECT 1 FROM transport_bindings b WHERE b.plan = s.plan AND b.step = s.step)
  );
  UPDATE plans p SET expires_at = marked.restored_at, revision = p.revision + 1
  FROM ended_plans e WHERE e.plan = p.id AND p.expires_at > marked.restored_at;
  GET DIAGNOSTICS marked.plans_ended = ROW_COUNT;
  marked.grants_ended := 0;
  IF NOT keeps_grants THEN
    UPDATE bot_grants g SET revoked_at = greatest(marked.restored_at / 1000, g.created_at)
    WHERE g.revoked_at IS NULL AND g.expires_at > marked.restored_at / 1000;
    GET DIAGNOSTICS marked.grants_ended = ROW_COUNT;
  END IF;
  INSERT INTO restorations VALUES (marked.*);
  RETURN marked;
END $function$
;

CREATE OR REPLACE FUNCTION public.may_be_executed(of_plan uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM transport_bindings b JOIN plan_steps t ON t.plan = b.plan AND t.step = b.step
      LEFT JOIN user_operations o ON o.id = b.binding_id
    WHERE b.plan = of_plan AND (o.dead_hash IS NULL OR o.revived)
      AND (t.observed = 'reverted' AND (t.receipt ->> 'finality' = 'finalized'
        OR (t.receipt ->> 'finality' = 'unknown' AND (t.receipt ->> 'confirmations')::integer >= 256))) IS NOT TRUE
      AND t.semantic ->> 'reason' IS DISTINCT FROM 'OPERATION_NONCE_CONSUMED'
  )
$function$
;

CREATE OR REPLACE FUNCTION public.note_plan_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.changed_at := unix_millis();
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.operations_full(of_account bigint, at_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM user_operations o WHERE o.account = of_account AND o.archived_at IS NULL OFFSET at_most - 1) THEN
    RETURN false;
  END IF;
  UPDATE user_operations o SET archived_at = p.archived_at FROM plans p
  WHERE o.account = of_account AND o.archived_at IS NULL AND p.id = o.plan AND p.archived_at IS NOT NULL;
  RETURN EXISTS (SELECT 1 FROM user_operations o WHERE o.account = of_account AND o.archived_at IS NULL OFFSET at_most - 1);
END $function$
;

CREATE OR REPLACE FUNCTION public.pays_in_vain(of_plan uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT 1 FROM fundings f
    JOIN sponsored_calls c ON c.sponsorship = f.sponsorship
    JOIN plan_steps s ON s.plan = c.plan AND s.step = c.step
    WHERE f.plan = of_plan AND ((c.dead_hash IS NOT NULL AND NOT c.revived)
      OR s.semantic ->> 'reason' IN ('EXECUTION_NOT_OURS', 'FORWARD_NONCE_PASSED', 'FORWARD_NONCE_CONSUMED')))
$function$
;

CREATE OR REPLACE FUNCTION public.pays_needlessly(of_plan uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT pays_in_vain(of_plan) OR EXISTS (SELECT 1 FROM fundings f
    JOIN sponsored_calls c ON c.sponsorship = f.sponsorship
    JOIN plan_steps s ON s.plan = c.plan AND s.step = c.step
    WHERE f.plan = of_plan AND s.receipt ->> 'canonical' = 'true')
$function$
;

CREATE OR REPLACE FUNCTION public.pays_unproved(of_plan uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT 1 FROM fundings f JOIN publications u ON u.sponsorship = f.sponsorship
    WHERE f.plan = of_plan AND u.verified_at IS NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.publication_facts(u publications)
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
  SELECT json_build_object('submissionHash', u.submission_hash, 'startedAt', u.reserved_at, 'leaseEndsAt', u.expires_at,
    'outcome', u.outcome, 'settledAt', u.settled_at, 'quote', u.quote, 'transactions', u.transactions,
    'commitment', u.quote_commitment, 'verifiedAt', u.verified_at, 'doubt', u.doubt)
$function$
;

CREATE OR REPLACE FUNCTION public.publication_stands(asked publication_request)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.publish_intent(account_number bigint, granted uuid, origin text, published intents, per_publisher_day integer, per_origin_hour integer, per_account integer)
 RETURNS intent_publication
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.record_deployment(account_number bigint, granted uuid, of_intent uuid, proven intent_deployments, per_chain integer, look_after integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  deployed bigint;
  known intent_deployments;
BEGIN
  IF NOT grant_allows(account_number, granted, 'plan', unix_seconds()) THEN
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
END $function$
;

CREATE OR REPLACE FUNCTION public.record_outcome(asked dispatch_request, account_number bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  known record;
BEGIN
  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND THEN
    IF known.identity <> asked.identity THEN
      PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
    END IF;
    RETURN;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, step, created_at)
  SELECT account_number, asked.principal, asked.key, asked.identity,
    CASE WHEN asked.step IS NULL THEN 'bundle' ELSE 'submission' END, asked.plan, asked.step, unix_millis()
  WHERE (SELECT count(*) FROM (SELECT 1 FROM idempotency_keys k
    WHERE k.account = account_number LIMIT asked.keys_per_account) kept) < asked.keys_per_account;
  IF NOT FOUND THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;
  UPDATE plans SET archived_at = NULL, changed_at = unix_millis()
  WHERE id = asked.plan AND (archived_at IS NOT NULL OR expires_at < unix_millis());
END $function$
;

CREATE OR REPLACE FUNCTION public.record_session(of_session uuid, judged_revision integer, seen json, seen_at bigint, is_live boolean, doubt json, is_retired boolean, sweep_millis integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  status text := coalesce(seen ->> 'status', 'none');
  now bigint := unix_millis();
  was_retired boolean;
BEGIN
  UPDATE sessions s SET observation = seen, observed_at = seen_at, live = is_live, was_enabled = s.was_enabled OR status <> 'none',
    invalidation = doubt, updated_at = now, revision = s.revision + 1, sweep_attempts = 0,
    released_at = CASE WHEN is_retired THEN coalesce(s.released_at, now) WHEN status = 'none' THEN s.released_at END,
    sweep_at = CASE WHEN NOT is_retired AND (status <> 'none' OR s.sweep_at IS NOT NULL) THEN now + sweep_millis END
  FROM sessions before
  WHERE s.id = of_session AND s.revision = judged_revision AND before.id = s.id
  RETURNING before.released_at IS NOT NULL INTO was_retired;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF was_retired AND NOT is_retired THEN
    PERFORM reopen_session_operations(of_session);
  END IF;
  IF is_retired THEN
    DELETE FROM wallet_generations g WHERE g.session = of_session;
    PERFORM end_session_operations(of_session, (seen -> 'shown' -> 'evidence' ->> 'timestamp')::bigint);
  ELSIF status = 'enabled' AND NOT EXISTS (SELECT 1 FROM wallet_generations g WHERE g.session = of_session) THEN
    -- Whoever admits another one holds the wallet's row, and waits for this one's.
    PERFORM 1 FROM sessions s JOIN wallets w ON w.chain_id = s.chain_id AND w.address = s.wallet WHERE s.id = of_session FOR UPDATE OF w;
    INSERT INTO wallet_generations (chain_id, wallet, session, admitted_at)
    SELECT s.chain_id, s.wallet, s.id, now FROM sessions s WHERE s.id = of_session ON CONFLICT DO NOTHING;
  END IF;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_claim(code text, bound_to text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  ASSERT is_claim_verdict(code), code;
  RAISE SQLSTATE 'CLAIM' USING MESSAGE = code, DETAIL = bound_to;
END $function$
;

CREATE OR REPLACE FUNCTION public.register_credential(of_account text, asked credentials, of_state text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  stored_at bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = asked.binding AND b.account = account_number
    AND b.unlinked_at IS NULL AND b.state_hash = of_state)
  THEN
    RETURN NULL;
  END IF;
  INSERT INTO credentials AS c (binding, account, owner, credential_id, x, y, created_at)
  VALUES (asked.binding, account_number, asked.owner, asked.credential_id, asked.x, asked.y, unix_millis())
  ON CONFLICT (binding) DO UPDATE SET owner = excluded.owner, credential_id = excluded.credential_id, x = excluded.x, y = excluded.y,
    counter = CASE WHEN (c.owner, c.x, c.y) = (excluded.owner, excluded.x, excluded.y) THEN c.counter ELSE 0 END,
    created_at = CASE WHEN (c.owner, c.credential_id, c.x, c.y) = (excluded.owner, excluded.credential_id, excluded.x, excluded.y)
      THEN c.created_at ELSE excluded.created_at END
  RETURNING c.created_at INTO stored_at;
  RETURN stored_at;
END $function$
;

CREATE OR REPLACE FUNCTION public.release_generations(of_sessions uuid[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  released uuid[];
BEGIN
  -- What is judged is seen once the rows are held: a plan that is admitted meanwhile counts.
  PERFORM 1 FROM sessions s WHERE s.id = ANY (of_sessions) ORDER BY s.id FOR UPDATE;
  WITH dead AS (
    UPDATE sessions s SET released_at = unix_millis(), updated_at = unix_millis(), revision = s.revision + 1, sweep_at = NULL
    WHERE s.id = ANY (of_sessions) AND s.released_at IS NULL AND s.observation ->> 'status' = 'none'
      AND (s.invalidation ->> 'reason') IS DISTINCT FROM 'reorg'
      AND EXISTS (SELECT 1 FROM wallet_generations g WHERE g.session = s.id)
      AND NOT EXISTS (
        SELECT 1 FROM session_plans l JOIN plans p ON p.id = l.plan
        WHERE l.session = s.id AND l.kind = 'activation'
          AND (p.expires_at > least(unix_millis() - 60000, s.observed_at) OR may_be_executed(p.id))
      )
    RETURNING s.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO released FROM dead;
  DELETE FROM wallet_generations g WHERE g.session = ANY (released);
  RETURN cardinality(released);
END $function$
;

CREATE OR REPLACE FUNCTION public.reopen_session_operations(of_session uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE user_operations o SET valid_until = (o.terms #>> '{signing,validUntil}')::bigint, revision = o.revision + 1
  FROM sessions s WHERE s.id = of_session AND o.chain_id = s.chain_id AND o.sender = s.wallet AND o.claimed
    AND o.terms -> 'signing' -> 'session' ->> 'id' = of_session::text AND o.valid_until < (o.terms #>> '{signing,validUntil}')::bigint;
END $function$
;

CREATE OR REPLACE FUNCTION public.sending_stands(asked send_request)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_dispatch(of_plan uuid, of_step smallint, by_token uuid, became text)
 RETURNS SETOF plan_records
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE dispatch_leases l SET outcome = became, broadcast_at = CASE WHEN became = 'submitted' THEN unix_millis() END
  WHERE l.plan = of_plan AND l.step = of_step AND l.token = by_token AND l.outcome IS NULL;
  RETURN QUERY SELECT * FROM plan_records r WHERE r.id = of_plan;
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_operation(of_operation uuid, by_token uuid, told text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE operation_sends d SET outcome = told, answered_at = unix_millis()
  WHERE d.operation = of_operation AND d.token = by_token AND d.outcome IS NULL;
  IF FOUND THEN
    UPDATE user_operations SET revision = revision + 1 WHERE id = of_operation;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_publication(of_sponsorship uuid, by_token uuid, told_bundle uuid, told_quote json)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  kept boolean;
BEGIN
  BEGIN
    UPDATE publications u SET outcome = CASE WHEN told_quote IS NULL THEN 'unknown' ELSE 'answered' END, settled_at = unix_millis(),
      bundle_id = told_bundle, quote = told_quote
    WHERE u.sponsorship = of_sponsorship AND u.token = by_token AND u.outcome IS NULL;
    kept := FOUND;
  EXCEPTION WHEN unique_violation THEN
    UPDATE publications u SET outcome = 'unknown', settled_at = unix_millis()
    WHERE u.sponsorship = of_sponsorship AND u.token = by_token AND u.outcome IS NULL;
    kept := FOUND;
  END;
  IF kept THEN
    UPDATE sponsorships SET revision = revision + 1 WHERE id = of_sponsorship;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.settled_publication(of_sponsorship uuid, by_token uuid, told_bundle uuid, told_quote json)
 RETURNS TABLE(revision integer, now bigint, publication json, steps json)
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM settle_publication(of_sponsorship, by_token, told_bundle, told_quote);
  RETURN QUERY SELECT s.revision, unix_millis(), publication_facts(u), p.steps
  FROM sponsorships s JOIN publications u ON u.sponsorship = s.id JOIN plan_records p ON p.id = s.plan
  WHERE s.id = of_sponsorship;
END $function$
;

CREATE OR REPLACE FUNCTION public.sponsorships_full(of_account bigint, at_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM sponsorships s WHERE s.account = of_account AND s.archived_at IS NULL OFFSET at_most - 1) THEN
    RETURN false;
  END IF;
  UPDATE sponsorships s SET archived_at = p.archived_at FROM plans p
  WHERE s.account = of_account AND s.archived_at IS NULL AND p.id = s.plan AND p.archived_at IS NOT NULL;
  RETURN EXISTS (SELECT 1 FROM sponsorships s WHERE s.account = of_account AND s.archived_at IS NULL OFFSET at_most - 1);
END $function$
;

CREATE OR REPLACE FUNCTION public.step_records(of_plan uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic, 'revert', s.revert,
        'proof', s.proof, 'sights', s.sights,
        'binding', CASE b.transport WHEN 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'request', json_build_object('forwarder', c.forwarder,
              'forwarderCodeHash', c.forwarder_code_hash, 'nonce', c.nonce::text, 'gas', c.gas::text, 'deadline', c.deadline,
              'sinceBlock', c.since_block, 'searchedBlock', c.searched_block, 'searchedHash', c.searched_hash, 'hint', c.hint,
              'providerState', c.provider_state, 'isDead', c.dead_hash IS NOT NULL AND NOT c.revived))
            FROM sponsored_calls c WHERE c.plan = b.plan AND c.step = b.step)
          WHEN 'eip4337-user-operation' THEN (SELECT json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'operation', json_build_object('operationHash', o.operation_hash,
              'entryPoint', o.entry_point, 'entryPointCodeHash', o.entry_point_code_hash, 'sender', o.sender,
              'walletCodeHash', o.wallet_code_hash, 'nonce', o.nonce::text, 'validUntil', o.valid_until,
              'sinceBlock', o.since_block, 'searchedBlock', o.searched_block, 'searchedHash', o.searched_hash, 'hint', o.hint,
              'isDead', o.dead_hash IS NOT NULL AND NOT o.revived, 'paymaster', o.paymaster,
              'maximumCost', o.maximum_cost::text, 'calls', cardinality(o.steps),
              'position', array_position(o.steps, b.step) - 1, 'observedBlock', o.observed_block))
            FROM user_operations o WHERE o.id = b.binding_id)
          WHEN 'signed-eoa-transaction' THEN json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
        'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
          'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
          'broadcastAt', l.broadcast_at)
          WHEN b.transport = 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('hash', u.submission_hash, 'count', 1,
            'reservedAt', u.reserved_at, 'expiresAt', u.expires_at,
            'outcome', CASE u.outcome WHEN 'answered' THEN 'submitted' ELSE u.outcome END,
            'broadcastAt', CASE u.outcome WHEN 'answered' THEN u.settled_at END)
            FROM publications u WHERE u.sponsorship = b.binding_id)
          WHEN b.transport = 'eip4337-user-operation' THEN (SELECT json_build_object('hash', o.operation_hash, 'count', 1,
            'reservedAt', d.reserved_at, 'expiresAt', d.expires_at,
            'outcome', CASE d.outcome WHEN 'accepted' THEN 'submitted' ELSE d.outcome END,
            'broadcastAt', CASE d.outcome WHEN 'accepted' THEN d.answered_at END)
            FROM operation_sends d JOIN user_operations o ON o.id = d.operation WHERE d.operation = b.binding_id) END) ORDER BY s.step)
      FROM plan_steps s
      LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
      LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
      WHERE s.plan = of_plan
  );
END $function$
;

CREATE OR REPLACE FUNCTION public.store_payment_review(of_account text, of_principal text, key text, identity text, asked payment_reviews, life_millis bigint, keys_limit integer)
 RETURNS review_storage
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  operated record;
  grant_expiry bigint;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::review_storage;
  ELSIF NOT grant_allows(account_number, asked.grant_id, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::review_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = of_principal AND k.key = store_payment_review.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_payment_review.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::review_storage;
  END IF;

  SELECT o.plan, o.expires_at, o.claimed INTO operated FROM user_operations o
  WHERE o.id = asked.operation AND o.account = account_number AND o.principal = of_principal;
  IF NOT FOUND THEN
    RETURN ('OPERATION_NOT_FOUND', NULL)::review_storage;
  ELSIF operated.claimed THEN
    RETURN ('OPERATION_SENT', NULL)::review_storage;
  ELSIF operated.expires_at <= now THEN
    RETURN ('OPERATION_EXPIRED', NULL)::review_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::review_storage;
  END IF;

  SELECT g.expires_at * 1000 INTO grant_expiry FROM bot_grants g WHERE g.id = asked.grant_id;
  asked.account := account_number;
  asked.created_at := now;
  asked.expires_at := least(operated.expires_at, grant_expiry, now + life_millis);
  INSERT INTO payment_reviews VALUES (asked.*) ON CONFLICT (operation) DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('REVIEWED', NULL)::review_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, of_principal, store_payment_review.key, store_payment_review.identity, 'review', operated.plan, asked.id, now);
  RETURN ('STORED', asked.id)::review_storage;
END $function$
;

CREATE OR REPLACE FUNCTION public.store_plans(account_ids text[], principals text[], grant_ids uuid[], keys text[], identities text[], plan_ids uuid[], operations text[], wallets text[], terms_of json[], call_counts integer[], commitments text[], creation_times bigint[], expiry_times bigint[], plan_limits integer[], key_limits integer[], wait_for_locks boolean)
 RETURNS SETOF plan_storage
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.store_session(of_account text, granted uuid, key text, identity text, asked sessions, bound_state text, sessions_limit integer, keys_limit integer)
 RETURNS session_storage
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::session_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::session_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_session.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_session.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::session_storage;
  END IF;

  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = asked.binding AND b.account = account_number
    AND b.state_hash = bound_state AND b.unlinked_at IS NULL)
  THEN
    RETURN ('BINDING_CHANGED', NULL)::session_storage;
  ELSIF NOT grant_outlasts(account_number, asked.grant_id, asked.session_key, asked.valid_until, now / 1000) THEN
    RETURN ('GRANT_UNSUITABLE', NULL)::session_storage;
  -- Those that ended long ago no longer count.
  ELSIF EXISTS (SELECT 1 FROM sessions s WHERE s.account = account_number AND s.archived_at IS NULL OFFSET sessions_limit - 1) THEN
    RETURN ('SESSIONS_LIMIT', NULL)::session_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::session_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := now;
  asked.updated_at := now;
  asked.revision := 0;
  asked.live := false;
  asked.was_enabled := false;
  asked.sweep_attempts := 0;
  INSERT INTO sessions VALUES (asked.*) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('USED_BEFORE', NULL)::session_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, subject, created_at)
  VALUES (account_number, asked.principal, store_session.key, store_session.identity, 'session', asked.id, now);
  RETURN ('STORED', asked.id)::session_storage;
END $function$
;

CREATE OR REPLACE FUNCTION public.store_sponsorship(of_account text, granted uuid, key text, identity text, asked sponsorships, sponsorships_limit integer, keys_limit integer)
 RETURNS sponsorship_storage
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::sponsorship_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::sponsorship_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_sponsorship.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_sponsorship.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::sponsorship_storage;
  END IF;

  IF NOT EXISTS (
    SELECT 1 FROM plans p WHERE p.id = asked.plan AND p.account = account_number AND p.principal = asked.principal
  ) THEN
    RETURN ('PLAN_NOT_FOUND', NULL)::sponsorship_storage;
  ELSIF asked.expires_at <= now THEN
    RETURN ('PLAN_EXPIRED', NULL)::sponsorship_storage;
  -- Those of archived plans no longer count.
  ELSIF sponsorships_full(account_number, sponsorships_limit) THEN
    RETURN ('SPONSORSHIPS_LIMIT', NULL)::sponsorship_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::sponsorship_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := coalesce(asked.created_at, now);
  asked.revision := 0;
  INSERT INTO sponsorships VALUES (asked.*);
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, asked.principal, store_sponsorship.key, store_sponsorship.identity, 'sponsorship', asked.plan, asked.id, now);
  RETURN ('STORED', asked.id)::sponsorship_storage;
END $function$
;

CREATE OR REPLACE FUNCTION public.store_user_operation(of_account text, granted uuid, key text, identity text, asked user_operations, operations_limit integer, keys_limit integer)
 RETURNS operation_storage
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
  plan_expiry bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::operation_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::operation_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_user_operation.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_user_operation.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::operation_storage;
  END IF;

  SELECT p.expires_at INTO plan_expiry FROM plans p
  WHERE p.id = asked.plan AND p.account = account_number AND p.principal = asked.principal;
  IF NOT FOUND THEN
    RETURN ('PLAN_NOT_FOUND', NULL)::operation_storage;
  ELSIF plan_expiry <= now THEN
    RETURN ('PLAN_EXPIRED', NULL)::operation_storage;
  -- Those of archived plans no longer count.
  ELSIF operations_full(account_number, operations_limit) THEN
    RETURN ('OPERATIONS_LIMIT', NULL)::operation_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::operation_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := now;
  asked.revision := 0;
  asked.claimed := false;
  asked.revived := false;
  asked.sweep_attempts := 0;
  INSERT INTO user_operations VALUES (asked.*) ON CONFLICT (chain_id, operation_hash) DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('OPERATION_EXISTS', NULL)::operation_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, asked.principal, store_user_operation.key, store_user_operation.identity, 'operation', asked.plan, asked.id, now);
  RETURN ('STORED', asked.id)::operation_storage;
END $function$
;

CREATE OR REPLACE FUNCTION public.unix_millis()
 RETURNS bigint
 LANGUAGE sql
AS $function$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $function$
;

CREATE OR REPLACE FUNCTION public.unix_seconds()
 RETURNS bigint
 LANGUAGE sql
AS $function$ SELECT floor(extract(epoch FROM clock_timestamp()))::bigint $function$
;

CREATE OR REPLACE FUNCTION public.unlink_wallet(of_account text, of_binding text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  account_number bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  UPDATE bindings b SET unlinked_at = coalesce(b.unlinked_at, unix_millis()),
    revision = b.revision + (b.unlinked_at IS NULL)::integer
  WHERE b.id = of_binding AND b.account = account_number;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE binding_nonces n SET ended = true WHERE n.binding = of_binding AND NOT n.ended;
  RETURN true;
END $function$
;

CREATE TRIGGER plan_changed BEFORE UPDATE OF revision ON public.plans FOR EACH ROW EXECUTE FUNCTION note_plan_change();
