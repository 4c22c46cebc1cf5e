/** A plan of one call that chooses where the router registry leads a project's payments. */

import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { known, type Observed, observed } from "../../../values/Observed.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { readController } from "../../shared/context/Core.ts"
import { isGateway } from "../../shared/context/Gateway.ts"
import { foreseeAuthority } from "../../shared/context/Permissions.ts"
import { isRetired, recordedAddresses } from "../../shared/context/Recorded.ts"
import { requireAuthority } from "../Choosing.ts"
import { pathThrough } from "../Router.ts"
import { CircularRouter, TerminalLocked, TerminalNotAllowed } from "../refusals.ts"
import { prepareRouterTerminal } from "./Declaration.ts"
import { prepareRouterTerminalEffects } from "./Effects.ts"

type Input = typeof prepareRouterTerminal.input.Type

const REGISTRY = "JBRouterTerminalRegistry"
const ROUTER = "JBRouterTerminal"
const SET_ROUTER_TERMINAL = 31

const UNLISTED =
  "The registry is not among the project's terminals: nothing is paid through it until the directory lists it."
const NO_WAY_BACK =
  "A choice cannot be taken back: name the address of the registry's default terminal instead of the zero address."
const RETIRED = "The router that will be in use is retired: a newer one of its kind is deployed."
const UNQUOTED =
  "Payments through a terminal other than a recorded router or gateway are not quoted or planned here: they are refused as unsupported."

export const routerTerminalCalls = ({
  project,
  terminal
}: Input): ReadonlyArray<PlannedCall<typeof prepareRouterTerminalEffects>> => [
  {
    contract: REGISTRY,
    function: "setTerminalFor(uint256,address)",
    args: [project.projectId, terminal],
    label: `Choose the router of project ${project.projectId}`
  }
]

/** One round trip. */
const firstAnswers = (snapshot: PinnedSnapshot, { account, project: { projectId }, terminal }: Input) => {
  const { read } = snapshot
  return eachAtOnce({
    controller: readController(snapshot, projectId),
    authority: foreseeAuthority(snapshot, account, projectId, SET_ROUTER_TERMINAL),
    locked: read(REGISTRY, "hasLockedTerminal", [projectId], Schema.Boolean),
    allowed: read(REGISTRY, "isTerminalAllowed", [terminal], Schema.Boolean),
    previous: read(REGISTRY, "terminalOf", [projectId], Address),
    usual: read(REGISTRY, "defaultTerminalFor", [projectId], Address),
    listed: read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address))
  })
}

const orNull = (address: Address): Address | null => (address === ZERO_ADDRESS ? null : address)

const notAllowed = (terminal: Address) =>
  terminal === ZERO_ADDRESS
    ? new TerminalNotAllowed({ detail: NO_WAY_BACK, context: { terminal } })
    : new TerminalNotAllowed({ context: { terminal } })

const warningsOf = (snapshot: PinnedSnapshot, terminal: Address, isListed: Observed<boolean>) => {
  const isQuoted = recordedAddresses(snapshot, ROUTER).includes(terminal) || isGateway(snapshot, terminal)
  return [
    ...(isListed.status === "known" && !isListed.value ? [UNLISTED] : []),
    ...(isQuoted ? [] : [UNQUOTED]),
    ...(isRetired(snapshot, ROUTER, terminal) ? [RETIRED] : [])
  ]
}

/** No round trip; one or two where a gateway names its router. */
const tell = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, registry: Address, input: Input) {
  const { terminal, project } = input
  const answers = yield* firstAnswers(snapshot, input)
  yield* answers.controller
  const authority = yield* requireAuthority(snapshot, input, SET_ROUTER_TERMINAL)
  if (yield* answers.locked) return yield* new TerminalLocked({ context: { projectId: project.projectId } })
  if (!(yield* answers.allowed)) return yield* notAllowed(terminal)
  const isListed = yield* observed(Effect.map(answers.listed, terminals => terminals.includes(registry)))
  return {
    summary: {
      registry,
      authority,
      previousTerminal: yield* observed(Effect.map(answers.previous, orNull)),
      cohortDefault: yield* observed(Effect.map(answers.usual, orNull)),
      isListed,
      effectiveTerminalAfter: known(terminal),
      effectivePathAfter: yield* observed(pathThrough(snapshot, registry, terminal))
    },
    warnings: warningsOf(snapshot, terminal, isListed)
  }
})

export const runPrepareRouterTerminal = definePlan(
  prepareRouterTerminal,
  prepareRouterTerminalEffects,
  (input, snapshot) =>
    Effect.gen(function* () {
      const registry = yield* snapshot.addressOf(REGISTRY)
      if (input.terminal === registry)
        return yield* new CircularRouter({ context: { terminal: input.terminal } })
      return { calls: routerTerminalCalls(input), told: tell(snapshot, registry, input) }
    })
)
