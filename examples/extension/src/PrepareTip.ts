/** A tip as a plan: one call, whose event proves it. */
import { Effect, Either, Schema } from "effect"
import {
  Address,
  definePlanOperation,
  effects,
  type PlannedCall,
  Project,
  strict,
  Uint256
} from "signed-request-service/service"
import { TIP_JAR } from "./TipJar.ts"

const { exactlyOne, is, planEffects, predicate } = effects

const tipped = predicate({
  name: "tip",
  contractId: TIP_JAR,
  signature: "tip(uint256,string)",
  args: Schema.Struct({ projectId: Schema.String, words: Schema.String }),
  judge: ({ args: { projectId, words }, value, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "Tipped",
        about: { projectId, tipper: account },
        says: { amount: is(value), words: is(words) },
        shows: ["projectId", "tipper", "amount"]
      }),
      event => [event]
    )
})

const tipEffects = planEffects({ "TipJar.tip(uint256,string)": tipped })

const Tip = strict({
  project: Project,
  account: Address,
  amount: Uint256,
  words: Schema.String.pipe(Schema.maxLength(140))
})

/** A call that the effects do not name does not compile. */
const tipCalls = ({
  project,
  amount,
  words
}: typeof Tip.Type): ReadonlyArray<PlannedCall<typeof tipEffects>> => [
  {
    contract: "TipJar",
    function: "tip(uint256,string)",
    args: [project.projectId, words],
    value: BigInt(amount),
    label: `Tip project ${project.projectId}`
  }
]

export const prepareTip = definePlanOperation({
  id: "prepare_tip",
  plan: "tip",
  sources: ["onchain"],
  title: "Prepare a tip",
  description: "Plans the tip of an amount of the chain's own coin for a project, with a word to it.",
  input: Tip,
  summary: strict({ amount: Uint256, words: Schema.String }),
  problems: [],
  effects: tipEffects,
  run: input =>
    Effect.succeed({
      calls: tipCalls(input),
      told: Effect.succeed({ summary: { amount: input.amount, words: input.words }, warnings: [] })
    })
})
