-- What was proved of a provider's quotes, and the plans that pay them. Replicas serve meanwhile: the view that they read is locked first.
ALTER VIEW plan_records RESET (security_barrier);

ALTER TABLE publications
  -- Which of the provider's ids names which request, once it is known, and what is committed to by it: neither changes again.
  ADD COLUMN transactions json,
  ADD COLUMN quote_commitment text,
  -- Since then the quote is proved.
  ADD COLUMN verified_at bigint,
  -- Why it is not.
  ADD COLUMN doubt text,
  -- When it is looked at again by itself, and how often it was.
  ADD COLUMN sweep_at bigint,
  ADD COLUMN sweep_attempts integer NOT NULL DEFAULT 0,
  ADD CHECK ((transactions IS NULL) = (quote_commitment IS NULL)),
  ADD CHECK (verified_at IS NULL OR (transactions IS NOT NULL AND doubt IS NULL));

CREATE INDEX publications_to_verify ON publications (coalesce(sweep_at, settled_at)) WHERE quote IS NOT NULL AND verified_at IS NULL;

-- The plans that pay for a sponsorship's bundle: one of them may leave.
CREATE TABLE fundings (
  plan uuid PRIMARY KEY REFERENCES plans (id),
  sponsorship uuid NOT NULL REFERENCES sponsorships (id),
  chain_id bigint NOT NULL,
  admitted boolean NOT NULL DEFAULT false
);

CREATE INDEX fundings_of_sponsorship ON fundings (sponsorship);
CREATE UNIQUE INDEX fundings_admitted ON fundings (sponsorship) WHERE admitted;
