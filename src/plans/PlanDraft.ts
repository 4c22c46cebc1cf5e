/** The rules of a proposed plan before it is stored; a draft is pure of storage and chains. */
import { Effect, Either } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { decoder } from "../values/Conforms.ts"
import { misfitOf } from "../values/Expectation.ts"
import { hasHalfCharacter } from "../values/JsonEscapes.ts"
import {
  type Call,
  MAXIMUM_CALLDATA_BYTES,
  MAXIMUM_CALLS,
  MAXIMUM_LABEL,
  MAXIMUM_RECORD_BYTES,
  MAXIMUM_WARNINGS,
  type PlanSmartAccount
} from "./Plan.ts"
import { Terms } from "./PlanRow.ts"
import {
  InvalidPlan,
  InvalidPlanCall,
  InvalidPlanEvidence,
  PlanAccountMismatch,
  PlanTooLarge
} from "./refusals.ts"

const MAXIMUM_WARNING = 4_000

export type PlanDraft = typeof Terms.Type

export interface WalletDraft extends PlanDraft {
  readonly smartAccount: PlanSmartAccount
}

const callFault = (call: Call, index: number): string | undefined => {
  if (call.dependsOn.some(dependency => dependency >= index))
    return "dependsOn: distinct indices of earlier calls"
  if (new Set(call.dependsOn).size !== call.dependsOn.length)
    return "dependsOn: distinct indices of earlier calls"
  if (call.data.length > 2 + 2 * MAXIMUM_CALLDATA_BYTES)
    return `data: at most ${MAXIMUM_CALLDATA_BYTES} bytes`
  return call.label.length <= MAXIMUM_LABEL ? undefined : `label: at most ${MAXIMUM_LABEL} characters`
}

const checkCalls = (calls: ReadonlyArray<Call>) => {
  if (calls.length < 1 || calls.length > MAXIMUM_CALLS)
    return Effect.fail(
      new InvalidPlan({ context: { path: "calls", expected: `1 to ${MAXIMUM_CALLS} calls` } })
    )
  const index = calls.findIndex((call, position) => callFault(call, position) !== undefined)
  const faulty = calls[index]
  return faulty === undefined
    ? Effect.void
    : Effect.fail(
        new InvalidPlanCall({ context: { path: `calls[${index}]`, expected: callFault(faulty, index) } })
      )
}

const checkEvidence = ({ calls, evidence }: PlanDraft) => {
  const chains = new Set(calls.map(call => call.chainId))
  const covered = new Set(evidence.map(item => item.chainId))
  return evidence.length === chains.size && [...chains].every(chain => covered.has(chain))
    ? Effect.void
    : Effect.fail(
        new InvalidPlanEvidence({ context: { expected: "exactly one block for each chain of the calls" } })
      )
}

const decodeTerms = decoder(Terms)

/** What is stored has to be read again, with every list that it stands in. */
const checkForm = (draft: PlanDraft) => {
  const stored = Object.fromEntries(Object.entries(draft).filter(([, member]) => member !== undefined))
  return Either.match(decodeTerms(stored), {
    onLeft: error => {
      const { path, expected } = misfitOf(error)
      return Effect.fail(new InvalidPlan({ context: { path: path.map(String).join("."), expected } }))
    },
    onRight: () => Effect.void
  })
}

/** What no database takes apart would keep it from every other plan that is looked at beside it. */
const checkText = (draft: PlanDraft): Effect.Effect<void, PlanTooLarge | InvalidPlan> => {
  const text = canonicalJson(draft)
  if (Buffer.byteLength(text) > MAXIMUM_RECORD_BYTES)
    return new PlanTooLarge({ context: { limitBytes: MAXIMUM_RECORD_BYTES } })
  return hasHalfCharacter(text)
    ? new InvalidPlan({ context: { path: "summary", expected: "text of whole characters" } })
    : Effect.void
}

const checkWarnings = ({ warnings }: PlanDraft) => {
  const refused = (path: string, expected: string) =>
    Effect.fail(new InvalidPlan({ context: { path, expected } }))
  if (warnings.length > MAXIMUM_WARNINGS) return refused("warnings", `at most ${MAXIMUM_WARNINGS}`)
  const index = warnings.findIndex(({ length }) => length > MAXIMUM_WARNING)
  return index === -1 ? Effect.void : refused(`warnings[${index}]`, `at most ${MAXIMUM_WARNING} characters`)
}

/** A plan's wallet is the account owner's own, or one that is bound to the account. */
export const checkDraft = Effect.fnUntraced(function* (draft: PlanDraft, ownerAddress: string) {
  const wallet = draft.smartAccount?.address.toLowerCase() ?? ownerAddress
  if (draft.account.toLowerCase() !== wallet) return yield* new PlanAccountMismatch()
  yield* checkCalls(draft.calls)
  yield* checkEvidence(draft)
  yield* checkWarnings(draft)
  yield* checkForm(draft)
  yield* checkText(draft)
})
