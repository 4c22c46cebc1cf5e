-- edition 1
-- What is told of a publication; its signatures are told to nobody.
CREATE OR REPLACE FUNCTION publication_facts(u publications) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('submissionHash', u.submission_hash, 'startedAt', u.reserved_at, 'leaseEndsAt', u.expires_at,
    'outcome', u.outcome, 'settledAt', u.settled_at, 'quote', u.quote, 'transactions', u.transactions,
    'commitment', u.quote_commitment, 'verifiedAt', u.verified_at, 'doubt', u.doubt)
$$;
