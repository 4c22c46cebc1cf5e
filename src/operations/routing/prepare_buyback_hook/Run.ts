/** A plan of one call that chooses the buyback hook of a project. */

import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { known, observed } from "../../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { foreseeAuthority } from "../../shared/context/Permissions.ts"
import { isRetired, recordedAddresses } from "../../shared/context/Recorded.ts"
import { type HooksInUse, hooksInUse, requireAuthority } from "../Choosing.ts"
import { HookLocked, HookNotAllowed, RegistryNotConfigured, RoutingReadLimit } from "../refusals.ts"
import { prepareBuybackHook } from "./Declaration.ts"
import { prepareBuybackHookEffects } from "./Effects.ts"

type Input = typeof prepareBuybackHook.input.Type

const HOOK = "JBBuybackHook"
const REGISTRY = "JBBuybackHookRegistry"
const SET_BUYBACK_HOOK = 30
const SEGMENTS = 32

const ALWAYS = "Pools and windows are kept by each hook: another hook knows nothing of those chosen before."
const UNRECORDED =
  "The hook that will be in use is not recorded here: quotes and payments of the project will be refused as unsupported."
const NO_WAY_BACK =
  "A choice cannot be taken back: name the address of the registry's default hook instead of the zero address."
const RETIRED = "The hook that will be in use is retired: a newer one of its kind is deployed."

export const buybackHookCalls = ({
  project,
  hook
}: Input): ReadonlyArray<PlannedCall<typeof prepareBuybackHookEffects>> => [
  {
    contract: REGISTRY,
    function: "setHookFor(uint256,address)",
    args: [project.projectId, hook],
    label: `Choose the buyback hook of project ${project.projectId}`
  }
]

const Segment = strict({ minProjectIdExclusive: Uint256, maxProjectId: Uint256, hook: Address })

/** One round trip. */
const firstAnswers = (snapshot: PinnedSnapshot, { account, project: { projectId }, hook }: Input) => {
  const { read } = snapshot
  return eachAtOnce({
    hooks: hooksInUse(snapshot, projectId),
    authority: foreseeAuthority(snapshot, account, projectId, SET_BUYBACK_HOOK),
    locked: read(REGISTRY, "hasLockedHook", [projectId], Schema.Boolean),
    allowed: read(REGISTRY, "isHookAllowed", [hook], Schema.Boolean),
    threshold: read(REGISTRY, "defaultHookProjectIdThreshold", [], Uint256),
    newest: read(REGISTRY, "defaultHook", [], Address),
    segments: read(REGISTRY, "defaultHookHistoryLength", [], Uint256)
  })
}

type Answers = Effect.Effect.Success<ReturnType<typeof firstAnswers>>

const orNull = (address: Address): Address | null => (address === ZERO_ADDRESS ? null : address)

/** One round trip for projects that are older than the newest default. */
const cohortDefault = Effect.fnUntraced(function* (
  { read }: PinnedSnapshot,
  projectId: string,
  { threshold, newest, segments }: Answers
) {
  if (BigInt(projectId) > BigInt(yield* threshold)) return orNull(yield* newest)
  const count = Number(yield* segments)
  if (count > SEGMENTS) return yield* new RoutingReadLimit({ context: { segments: count, limit: SEGMENTS } })
  const history = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    index => read(REGISTRY, "defaultHookHistoryAt", [String(index)], Segment),
    AT_ONCE
  )
  const own = history.find(
    ({ minProjectIdExclusive, maxProjectId }) =>
      BigInt(minProjectIdExclusive) < BigInt(projectId) && BigInt(projectId) <= BigInt(maxProjectId)
  )
  return own === undefined ? null : orNull(own.hook)
})

/** A hook that is not recorded is found behind the registry alone, so that the registry is in use then. */
const requireRegistry = ({ inspected }: HooksInUse) =>
  inspected.pipe(
    Effect.map(parts => parts.flatMap(({ chain }) => chain).some(({ kind }) => kind === "buybackRegistry")),
    Effect.catchTag("UNSUPPORTED_BUYBACK_IMPLEMENTATION", () => Effect.succeed(true)),
    Effect.flatMap(isInUse => (isInUse ? Effect.void : new RegistryNotConfigured()))
  )

const notAllowed = (hook: Address) =>
  hook === ZERO_ADDRESS
    ? new HookNotAllowed({ detail: NO_WAY_BACK, context: { hook } })
    : new HookNotAllowed({ context: { hook } })

const warningsOf = (snapshot: PinnedSnapshot, hook: Address) => [
  ALWAYS,
  ...(recordedAddresses(snapshot, HOOK).includes(hook) ? [] : [UNRECORDED]),
  ...(isRetired(snapshot, HOOK, hook) ? [RETIRED] : [])
]

/** One round trip at most. */
const tell = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  inUse: HooksInUse,
  answers: Answers
) {
  const { hook, project } = input
  const authority = yield* requireAuthority(snapshot, input, SET_BUYBACK_HOOK)
  if (yield* answers.locked) return yield* new HookLocked({ context: { projectId: project.projectId } })
  if (!(yield* answers.allowed)) return yield* notAllowed(hook)
  const [usual] = yield* Effect.all(
    [observed(cohortDefault(snapshot, project.projectId, answers)), requireRegistry(inUse)],
    AT_ONCE
  )
  return {
    summary: {
      registry: yield* snapshot.addressOf(REGISTRY),
      authority,
      previousHook: yield* observed(Effect.map(inUse.foreseen.registered, orNull)),
      cohortDefault: usual,
      effectiveHookAfter: known(hook)
    },
    warnings: warningsOf(snapshot, hook)
  }
})

export const runPrepareBuybackHook = definePlan(
  prepareBuybackHook,
  prepareBuybackHookEffects,
  (input, snapshot) =>
    Effect.gen(function* () {
      const answers = yield* firstAnswers(snapshot, input)
      return { calls: buybackHookCalls(input), told: tell(snapshot, input, yield* answers.hooks, answers) }
    })
)
