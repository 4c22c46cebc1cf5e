-- edition 1
-- Settles a publication and shows what is then stored of it, so that it need not be read again.
CREATE OR REPLACE FUNCTION settled_publication(of_sponsorship uuid, by_token uuid, told_bundle uuid, told_quote json)
RETURNS TABLE (revision integer, now bigint, publication json, steps json) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_publication(of_sponsorship, by_token, told_bundle, told_quote);
  RETURN QUERY SELECT s.revision, unix_millis(), publication_facts(u), p.steps
  FROM sponsorships s JOIN publications u ON u.sponsorship = s.id JOIN plan_records p ON p.id = s.plan
  WHERE s.id = of_sponsorship;
END $$;
