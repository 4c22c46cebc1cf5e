import { Effect } from "effect"
import { References } from "../../../references/References.ts"
import { searchTokens } from "../../../references/Tokens.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { CONTRACT_NAMES } from "../ContractNames.ts"
import { TEXT_WARNINGS } from "../Warnings.ts"
import { searchReference } from "./Declaration.ts"

/** Parts that stand in most of the names say nothing of which is meant. */
const COMMON = new Set(["jb", "rev", "721"])

const PARTS = new Map(
  [...CONTRACT_NAMES].map(name => [name, searchTokens(name).filter(part => !COMMON.has(part))])
)

const meant = (query: string): ReadonlyArray<string> => {
  const words = new Set(searchTokens(query))
  return [...PARTS].filter(([, parts]) => parts.some(part => words.has(part))).map(([name]) => name)
}

export const runSearchReference = defineOperation(
  searchReference,
  Effect.fn("Operations.searchReference")(function* ({ query, category, limit }) {
    const references = yield* References
    const { totalMatches, results } = yield* references.search({ query, category, limit })
    return {
      bundleId: references.bundleId,
      referenceOnly: true as const,
      query,
      totalMatches,
      results,
      contractReferences: meant(query),
      warnings: TEXT_WARNINGS
    }
  })
)
