-- edition 1
-- Stores once what became of a publication, for whoever claimed it; an answer that names another sponsorship's bundle says nothing.
CREATE OR REPLACE FUNCTION settle_publication(of_sponsorship uuid, by_token uuid, told_bundle uuid, told_quote json) RETURNS void
LANGUAGE plpgsql AS $$
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
END $$;
