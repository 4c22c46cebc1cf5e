/** What an operation's calldata makes a wallet do: the calls that it is said to make, held against its bytes and read by the catalog. */
import { type CallReview, reviewCall } from "./CallReview.ts"
import { type Contracts, explainCall } from "./ExplainCall.ts"
import { type ActionRequest, statedDangers } from "./OwnerRequest.ts"
import { chainText, spendersIn } from "./PlanReview.ts"
import { contractNamesIn, planSentence } from "./Sentence.ts"
import { type Piece, words } from "./Words.ts"

interface ActionFacts {
  readonly contracts: Contracts
  readonly chains: ReadonlyMap<number, string>
  /** Whether the wallet did it already. */
  readonly isDone?: boolean
}

interface ActionReview {
  readonly sentence: ReadonlyArray<Piece>
  readonly calls: ReadonlyArray<CallReview>
  /** Empty where the calls are what the wallet would do; otherwise nothing is to be signed. */
  readonly dangers: ReadonlyArray<string>
}

const NOT_WHAT_IT_SEEMS = [words("This is not what it seems: sign nothing of it.")]

export const reviewAction = (
  { adapted, calls }: ActionRequest,
  { contracts, chains, isDone = false }: ActionFacts
): ActionReview => {
  const { chainId, operation } = adapted
  const explained = calls.map(call => explainCall(contracts, call))
  const [tokens, clones] = [new Map(), new Map()]
  const told = {
    wallet: operation.sender,
    self: "it",
    tokens,
    clones,
    names: contractNamesIn(explained),
    isDone
  } as const
  const context = { ...told, chain: chainText(chains, chainId), spenders: spendersIn(explained) }
  const reviews = explained.map((each, index) => reviewCall(each, { ...context, index }))
  const dangers = [
    ...statedDangers({ adapted, calls }),
    ...reviews.flatMap(review => review.dangers.map(danger => `call ${review.index}: ${danger}`))
  ]
  const sentence = dangers.length > 0 ? NOT_WHAT_IT_SEEMS : planSentence(explained, told)
  return { sentence, calls: reviews, dangers }
}
