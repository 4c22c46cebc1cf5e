-- edition 1
-- Ends a claim with a verdict, and undoes what it wrote.
CREATE OR REPLACE FUNCTION refuse_claim(code text, bound_to text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  ASSERT is_claim_verdict(code), code;
  RAISE SQLSTATE 'CLAIM' USING MESSAGE = code, DETAIL = bound_to;
END $$;
