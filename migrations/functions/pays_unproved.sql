-- edition 1
-- Whether a plan pays what a provider asked for and what is proved no more.
CREATE OR REPLACE FUNCTION pays_unproved(of_plan uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM fundings f JOIN publications u ON u.sponsorship = f.sponsorship
    WHERE f.plan = of_plan AND u.verified_at IS NULL)
$$;
