-- What is counted or looked at again is found without what is done, however much of that there is.
CREATE INDEX plans_counted ON plans (account) WHERE archived_at IS NULL;
CREATE INDEX sessions_counted ON sessions (account) WHERE archived_at IS NULL;

-- A quote is looked at for two days: those that were never proved came first and were passed over each time.
DROP INDEX publications_to_verify;
CREATE INDEX publications_watched ON publications (settled_at) WHERE quote IS NOT NULL AND verified_at IS NULL;
