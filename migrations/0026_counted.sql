-- What counts against its account is found without what is archived. The archive notes it from now on; of what was archived before,
-- sponsorships_full and operations_full note it.
ALTER TABLE sponsorships ADD COLUMN archived_at bigint;
ALTER TABLE user_operations ADD COLUMN archived_at bigint;
CREATE INDEX sponsorships_counted ON sponsorships (account) WHERE archived_at IS NULL;
CREATE INDEX user_operations_counted ON user_operations (account) WHERE archived_at IS NULL;

-- The plans of a wallet are listed without those of an account's other wallets, and a bot's without those of others.
CREATE INDEX plans_of_wallet ON plans (account, wallet, created_at DESC, id DESC);
CREATE INDEX plans_of_wallet_and_principal ON plans (account, wallet, principal, created_at DESC, id DESC);
