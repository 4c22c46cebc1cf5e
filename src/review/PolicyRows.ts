/** The policy of a session that a call enables, in sentences. */
import { type NamedAsset, policySentences } from "../sessions/PolicyWords.ts"
import { type Tokens, tokenKey } from "./Amounts.ts"
import { enabledAssets, enablingOf } from "./EnabledPolicy.ts"
import type { ExplainedCall } from "./ExplainCall.ts"
import { type ReviewRow, row, toned, words } from "./Words.ts"

const namedBy = (tokens: Tokens, { call: { chainId }, ...read }: ExplainedCall): ReadonlyArray<NamedAsset> =>
  enabledAssets(read).flatMap(address => {
    const facts = tokens.get(tokenKey(chainId, address))
    return facts === undefined ? [] : [{ ...facts, address }]
  })

const NAMES = {
  key: "key",
  right: "right",
  allocation: "limit",
  gas: "gas",
  payer: "payer",
  end: "beside"
} as const

/** None where the call enables none. */
export const policyRows = (explained: ExplainedCall, tokens: Tokens): ReadonlyArray<ReviewRow> => {
  const enabling = enablingOf(explained)
  const sentences = enabling && policySentences(enabling.encoded, { assets: namedBy(tokens, explained) })
  return (sentences ?? []).map(({ about, text, isDoubtful }) =>
    toned(isDoubtful ? "warning" : "key", row(NAMES[about], words(text)))
  )
}
