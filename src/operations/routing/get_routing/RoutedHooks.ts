/** The hooks that act on payments and cash outs, with what their registries say of them. */
import { Effect, Either, Option, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import type { RulesetWithMetadata } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed } from "../../../values/Observed.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf, readCore } from "../../shared/context/Core.ts"
import {
  type DataHooks,
  type ForeseenHooks,
  foreseeHooks,
  inspectHooks
} from "../../shared/context/DataHooks.ts"
import { readOmnichainHooks } from "../../shared/context/OmnichainHooks.ts"

const REGISTRY = "JBBuybackHookRegistry"

const deployerOf = ({ read }: PinnedSnapshot, hook: Address) =>
  Effect.either(read("JBAddressRegistry", "deployerOf", [hook], Address))

/** Which contract made a hook; asked for those that are known by now, beside the proof of what they are. */
const deployersOf = (snapshot: PinnedSnapshot, hooks: ReadonlyArray<Address>) =>
  Effect.map(
    Effect.forEach(
      new Set(hooks),
      hook => Effect.map(deployerOf(snapshot, hook), deployer => [hook, deployer] as const),
      AT_ONCE
    ),
    pairs => new Map(pairs)
  )

const shopView = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  hook: Address,
  asked: Effect.Effect.Success<ReturnType<typeof deployersOf>>
) {
  const deployer = asked.get(hook) ?? (yield* deployerOf(snapshot, hook))
  const canonical = yield* Effect.either(snapshot.addressOf("JB721TiersHookDeployer"))
  return {
    hook,
    deployer: yield* observed(deployer),
    isCanonicalDeployer: yield* observed(
      Either.flatMap(deployer, address => Either.map(canonical, expected => address === expected))
    )
  }
})

const acts = (parts: ReadonlyArray<DataHooks>, kind: string) =>
  parts.flatMap(({ chain }) => chain).find(each => each.kind === kind)?.hook ?? null

const questions = (snapshot: PinnedSnapshot, projectId: string) => ({
  core: readCore(snapshot, projectId),
  foreseen: foreseeHooks(snapshot, projectId),
  locked: snapshot.read(REGISTRY, "hasLockedHook", [projectId], Schema.Boolean)
})

/** Who may turn out to be the shop. */
const candidatesOf = (
  snapshot: PinnedSnapshot,
  projectId: string,
  { ruleset, metadata: { dataHook } }: RulesetWithMetadata,
  { revnetShop }: ForeseenHooks
): Effect.Effect<ReadonlyArray<Address>> =>
  dataHook === currentAddressOf(snapshot, "JBOmnichainDeployer")
    ? readOmnichainHooks(snapshot, projectId, ruleset.id).pipe(
        Effect.map(({ tiered, extra }) => [tiered.hook, extra.dataHook]),
        Effect.orElseSucceed(() => [])
      )
    : Effect.succeed([dataHook, ...Option.toArray(Either.getRight(revnetShop))])

/** All that waits for the data hook alone. */
const secondQuestions = (
  snapshot: PinnedSnapshot,
  projectId: string,
  current: RulesetWithMetadata,
  foreseen: ForeseenHooks
) => {
  return {
    pay: inspectHooks(snapshot, projectId, "pay", current, foreseen),
    cashOut: inspectHooks(snapshot, projectId, "cashOut", current, foreseen),
    allowed: Effect.flatMap(foreseen.registered, hook =>
      snapshot.read(REGISTRY, "isHookAllowed", [hook], Schema.Boolean)
    ),
    deployers: Effect.flatMap(candidatesOf(snapshot, projectId, current, foreseen), candidates =>
      deployersOf(
        snapshot,
        candidates.filter(hook => hook !== ZERO_ADDRESS)
      )
    )
  }
}

/** Two round trips. */
export const readHooks = Effect.fn("RoutedHooks.read")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const answers = yield* eachAtOnce(questions(snapshot, projectId))
  const { controller, current } = yield* answers.core
  const foreseen = yield* answers.foreseen
  const second = yield* eachAtOnce(secondQuestions(snapshot, projectId, current, foreseen))
  const [pay, cashOut] = [yield* second.pay, yield* second.cashOut]
  const registry = acts([pay, cashOut], "buybackRegistry")
  const shop = acts([pay, cashOut], "nft")
  const registered = Either.map(foreseen.registered, hook => (hook === ZERO_ADDRESS ? null : hook))
  const registryView = (address: Address) =>
    Effect.all({
      registry: Effect.succeed(address),
      hook: observed(registered),
      allowed: observed(second.allowed),
      locked: observed(answers.locked)
    })
  return {
    controller,
    current,
    buyback: pay.buyback ?? cashOut.buyback,
    hooks: {
      pay: pay.chain,
      cashOut: cashOut.chain,
      buybackRegistry: registry === null ? null : yield* registryView(registry),
      shop: shop === null ? null : yield* shopView(snapshot, shop, yield* second.deployers)
    }
  }
})
