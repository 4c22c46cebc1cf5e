-- edition 3
-- Lets a plan that pays for a sponsorship leave, unless another one did, or may have before the database was restored; of any other plan it
-- says nothing. A plan from before a restoration has ended by it: what of that one left is taken up. The account's row is locked.
CREATE OR REPLACE FUNCTION admit_funding(of_plan uuid) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
