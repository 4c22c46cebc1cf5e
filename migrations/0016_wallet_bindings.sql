-- Wallets of several owners that are bound to accounts. The row of a wallet is what its users lock.
CREATE TABLE wallets (
  chain_id bigint NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (chain_id, address),
  CHECK (address ~ '^0x[0-9a-f]{40}$')
);

-- One of an account and a wallet for good, by the state that its owners signed for last.
CREATE TABLE bindings (
  id text PRIMARY KEY,
  account bigint NOT NULL REFERENCES accounts (number),
  chain_id bigint NOT NULL,
  address text NOT NULL,
  manifest text NOT NULL,
  state_hash text NOT NULL,
  -- What was seen of the wallet then, as it is shown.
  snapshot json NOT NULL,
  digest text NOT NULL,
  nonce text NOT NULL,
  -- Unix time in seconds.
  expires_at bigint NOT NULL,
  created_at bigint NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  unlinked_at bigint,
  UNIQUE (account, chain_id, address),
  FOREIGN KEY (chain_id, address) REFERENCES wallets (chain_id, address),
  CHECK (id ~ '^0x[0-9a-f]{64}$'),
  CHECK (octet_length(snapshot::text) <= 65536)
);

CREATE INDEX bindings_linked ON bindings (account, created_at DESC, id DESC) WHERE unlinked_at IS NULL;

-- What owners signed once binds once: of what has run out, only a binding's own is kept.
CREATE TABLE binding_nonces (
  account bigint NOT NULL REFERENCES accounts (number),
  nonce text NOT NULL,
  binding text NOT NULL REFERENCES bindings (id),
  digest text NOT NULL,
  expires_at bigint NOT NULL,
  -- Its binding ended since.
  ended boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account, nonce)
);

CREATE INDEX binding_nonces_of_binding ON binding_nonces (binding);

CREATE TYPE binding_storage AS (
  verdict text,
  created_at bigint,
  revision integer
);
