/** A payment that a router leads to the terminal, with the tokens of the tiers that it asks a shop for. Free: what the terminal gets for what the wallet gave, and what is issued for that beyond the minimum. */

import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../../../catalog/CloneFamilies.ts"
import {
  CONTROLLER,
  GATEWAY,
  MULTI_TERMINAL,
  PROJECT_TOKEN,
  ROUTER,
  ROUTER_REGISTRY
} from "../../../effects/Contracts.ts"
import type { Emitter, EventFields } from "../../../effects/Events.ts"
import { agreeing, doubted, eventsAbout, exactlyOne, is, type Verdict } from "../../../effects/Judgement.ts"
import { mintedTiers } from "../../../effects/MintedTiers.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { type EffectProof, predicate, type Scene, sole } from "../../../effects/Predicate.ts"
import { isQueuedFor } from "../../../effects/QueuedPayment.ts"
import { Address } from "../../../values/Scalars.ts"
import { approvalEffects } from "../../shared/effects/Approve.ts"
import { payEffect } from "../../shared/effects/Pay.ts"

const Args = Schema.Struct({
  projectId: Schema.String,
  token: Address,
  amount: Schema.String,
  beneficiary: Schema.String,
  minReturnedTokens: Schema.String,
  memo: Schema.String,
  metadata: Schema.String
})

type RoutedScene = Scene<typeof Args.Type>

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

/** The terminal takes whoever calls it for the payer. */
const led = ({ args, logs, target, published }: RoutedScene, emitter: Emitter): Verdict<EventFields> => {
  const between = [target, ...published(ROUTER), ...published(GATEWAY)].map(({ address }) => address)
  const { projectId, beneficiary, memo, metadata } = args
  const event = "Pay"
  const about = { projectId, beneficiary, memo, metadata }
  return Either.gen(function* () {
    const paid = yield* eventsAbout(logs, { emitter, event, about })
    const [only, another] = paid.filter(
      ({ payer, caller }) => payer === caller && between.some(address => address === caller)
    )
    if (only === undefined) return yield* doubted("no router's Pay event is about this call")
    if (another !== undefined) return yield* doubted("several routers' Pay events are about this call")
    const shows = ["projectId", "beneficiary", "amount", "newlyIssuedTokenCount"]
    return yield* agreeing({ event, says: {}, shows }, only)
  })
}

/** A router may pay another terminal, which pays a part on: the minimum is enforced where the money went, and its tokens may be another's. */
const issued = ({ args, logs, published }: RoutedScene): EffectProof => {
  const { projectId, beneficiary, minReturnedTokens } = args
  if (minReturnedTokens === "0") return Either.right([])
  const event = "MintTokens"
  const about = { projectId, beneficiary }
  const minted = published(CONTROLLER).map(emitter => eventsAbout(logs, { emitter, event, about }))
  return Either.flatMap(Either.all(minted), found => {
    const counts = found.flat().map(({ beneficiaryTokenCount }) => String(beneficiaryTokenCount))
    return counts.reduce((total, count) => total + BigInt(count), 0n) < BigInt(minReturnedTokens)
      ? doubted(`the ${event} events do not add up to the minimum`)
      : Either.right(counts.map(beneficiaryTokenCount => ({ event, beneficiaryTokenCount })))
  })
}

/** An ERC-20 has the events of the project tokens that are used here. */
const taken = ({ args, account, target, logs, published }: RoutedScene): EffectProof => {
  const { token, amount } = args
  if (token === NATIVE_TOKEN) return Either.right([])
  const [known] = published(PROJECT_TOKEN)
  if (known === undefined) return doubted("the catalog has no token on the chain")
  return Either.map(
    exactlyOne(logs, {
      emitter: { address: token, abi: known.abi },
      event: "Transfer",
      about: { from: account, to: target.address },
      says: { value: is(amount) },
      shows: ["from", "to", "value"]
    }),
    transfer => [transfer]
  )
}

/** The terminal is what calls the shop's hook, whoever led the payment there. */
const payRouted = predicate({
  name: "pay_routed",
  contractId: ROUTER_REGISTRY,
  signature: "pay(uint256,address,uint256,address,uint256,string,bytes)",
  witnesses: [MULTI_TERMINAL, CONTROLLER, ROUTER, GATEWAY, PROJECT_TOKEN, TIERS_HOOK],
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      if (isQueuedFor(scene.logs, scene.args.projectId))
        return yield* doubted("a gateway keeps the money of a routed payment that failed")
      const terminal = yield* sole(scene.published(MULTI_TERMINAL), MULTI_TERMINAL)
      const paid = yield* led(scene, terminal)
      const tokens = yield* issued(scene)
      const mints = yield* mintedTiers({ ...scene, target: terminal })
      return [paid, ...tokens, ...(yield* taken(scene)), ...mints]
    })
})

export const preparePayEffects = planEffects({
  ...approvalEffects,
  "JBMultiTerminal.pay(uint256,address,uint256,address,uint256,string,bytes)": payEffect,
  "JBRouterTerminalRegistry.pay(uint256,address,uint256,address,uint256,string,bytes)": payRouted
})
