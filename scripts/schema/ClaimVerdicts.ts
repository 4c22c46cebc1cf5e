/** The verdicts of a claim, listed once as data, in the two languages that speak of them. */
import verdicts from "../../schema/claim-verdicts.json" with { type: "json" }

const { edition, answers, refusals, sponsorshipRefusals, operationRefusals } = verdicts

const lines = (names: ReadonlyArray<string>, indent: string, quote: string): string =>
  names.map(name => `${indent}${quote}${name}${quote}`).join(",\n")

const SQL = `-- edition ${edition}
-- Whether a claim may end so; npm run schema writes this from schema/claim-verdicts.json.
CREATE OR REPLACE FUNCTION is_claim_verdict(verdict text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT verdict IN (
${lines([...answers, ...refusals, ...sponsorshipRefusals, ...operationRefusals], "    ", "'")}
  )
$$;
`

const TYPESCRIPT = `/** The verdicts of a claim; npm run schema writes them from schema/claim-verdicts.json. */
export const CLAIM_ANSWERS = [${answers.map(name => `"${name}"`).join(", ")}] as const

export const CLAIM_REFUSALS = [
${lines(refusals, "  ", '"')}
] as const

/** Of a sponsorship's claim, besides. */
export const SPONSORSHIP_REFUSALS = [
${lines(sponsorshipRefusals, "  ", '"')}
] as const

/** Of a user operation's claim, besides. */
export const OPERATION_REFUSALS = [
${lines(operationRefusals, "  ", '"')}
] as const
`

/** The generated files by their paths. */
export const claimVerdicts: Readonly<Record<string, string>> = {
  "migrations/functions/is_claim_verdict.sql": SQL,
  "src/dispatch/ClaimVerdicts.ts": TYPESCRIPT
}
