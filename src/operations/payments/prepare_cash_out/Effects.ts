/** A cash-out from the treasury or, where the metadata asks for it, by a buyback hook's swap. Free: ruleset, cycle and tax rate. */

import { Either, Schema } from "effect"
import { BUYBACK_HOOK, CONTROLLER, MULTI_TERMINAL } from "../../../effects/Contracts.ts"
import type { Emitter, EventFields } from "../../../effects/Events.ts"
import {
  agreeing,
  between,
  doubted,
  eventsAbout,
  exactlyOne,
  is,
  none,
  type Verdict
} from "../../../effects/Judgement.ts"
import { metadataEntry } from "../../../effects/MetadataEntry.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { type EffectProof, predicate, type Scene } from "../../../effects/Predicate.ts"
import { decodeValues } from "../../../protocol/AbiValues.ts"

const Args = Schema.Struct({
  holder: Schema.String,
  projectId: Schema.String,
  cashOutCount: Schema.String,
  minTokensReclaimed: Schema.String,
  beneficiary: Schema.String,
  metadata: Schema.String
})

type CashOutScene = Scene<typeof Args.Type>

const cashedOut = ({ args, account, target, logs }: CashOutScene): Verdict<EventFields> =>
  exactlyOne(logs, {
    emitter: target,
    event: "CashOutTokens",
    about: { projectId: args.projectId, holder: args.holder, caller: account },
    says: {
      beneficiary: is(args.beneficiary),
      cashOutCount: is(args.cashOutCount),
      reclaimAmount: between(args.minTokensReclaimed),
      metadata: is(args.metadata)
    },
    shows: ["projectId", "holder", "beneficiary", "cashOutCount", "reclaimAmount"]
  })

/** The burn is part of the same call, so it may be missing but not say otherwise; a holder that is a contract may cash out more beside it. */
const burned = ({ args, target, logs, published }: CashOutScene): EffectProof => {
  const event = "BurnTokens"
  const about = { projectId: args.projectId, holder: args.holder, caller: target.address }
  const burns = published(CONTROLLER).map(emitter => eventsAbout(logs, { emitter, event, about }))
  return Either.flatMap(Either.all(burns), found => {
    const [first, ...others] = found.flat()
    if (first === undefined) return Either.right([])
    const says = { tokenCount: is(args.cashOutCount) }
    const own = others.find(({ tokenCount }) => says.tokenCount(tokenCount)) ?? first
    return Either.map(agreeing({ event, says, shows: ["tokenCount"] }, own), burn => [burn])
  })
}

const WORDS = [
  { name: "minimum", type: "uint256" },
  { name: "skip", type: "bool" }
]

const quote = Schema.decodeUnknownEither(Schema.Tuple(Schema.String, Schema.Boolean))

/** The hook does not say whose tokens it sold, and a revnet takes some of them first. */
const sold = ({ args, target, logs }: CashOutScene, hook: Emitter, minimum: string): EffectProof =>
  Either.gen(function* () {
    const { projectId, cashOutCount } = args
    const subject = { emitter: target, event: "CashOutTokens", about: { projectId } }
    const [, another] = yield* eventsAbout(logs, subject)
    if (another !== undefined) return yield* doubted("another cash-out of the project may be what was sold")
    const swap = yield* exactlyOne(logs, {
      emitter: hook,
      event: "CashOutSwap",
      about: { projectId, caller: target.address },
      says: { cashOutCount: between("1", cashOutCount), amountReceived: between(minimum) },
      shows: ["projectId", "cashOutCount", "amountReceived"]
    })
    return [swap]
  })

/** Where the treasury gives the asked minimum, the hook leaves the cash-out to it. */
const swapped = (scene: CashOutScene, hook: Emitter, { reclaimAmount }: EventFields): EffectProof => {
  const entry = metadataEntry(scene.args.metadata, "cashOut", hook.address, WORDS.length)
  if (entry === undefined) return Either.right([])
  const asked = Either.flatMap(decodeValues(WORDS, entry), quote)
  if (Either.isLeft(asked)) return doubted("the metadata's entry for the buyback hook cannot be read")
  const [minimum, skip] = asked.right
  const isReclaimed = reclaimAmount !== "0" && between(minimum)(reclaimAmount)
  return skip || isReclaimed ? Either.right([]) : sold(scene, hook, minimum)
}

const cashOut = predicate({
  name: "cash_out",
  contractId: MULTI_TERMINAL,
  signature: "cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)",
  witnesses: [CONTROLLER, BUYBACK_HOOK],
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      const { args, logs } = scene
      const cashing = yield* cashedOut(scene)
      const burning = yield* burned(scene)
      const hooks = scene.published(BUYBACK_HOOK)
      const about = { projectId: args.projectId }
      for (const emitter of hooks)
        yield* none(logs, { emitter, event: "SellSwapReverted", about }, "the hook's sale failed")
      const swaps = yield* Either.all(hooks.map(hook => swapped(scene, hook, cashing)))
      return [cashing, ...burning, ...swaps.flat()]
    })
})

export const prepareCashOutEffects = planEffects({
  "JBMultiTerminal.cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)": cashOut
})
