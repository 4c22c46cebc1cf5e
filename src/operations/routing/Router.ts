/** The terminals of a project, and the router that the registry leads payments to. */
import { Effect, Either, Schema } from "effect"
import { mapEffect, mapObserved } from "../../projects/Observations.ts"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { observed } from "../../values/Observed.ts"
import { Address, type Bytes32, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "../shared/context/Core.ts"
import { gatewayCalls, isGateway, routerBehind } from "../shared/context/Gateway.ts"
import { recordedAddresses } from "../shared/context/Recorded.ts"
import type { UnsupportedRouterGateway } from "../shared/context/refusals.ts"
import { pendingCalls } from "./Gateway.ts"
import type { getRouting, TerminalKind } from "./get_routing/Declaration.ts"
import { readPairs, wrappedTokens } from "./Pairs.ts"
import { RegistryNotConfigured, RoutingReadLimit, UnsupportedRouter } from "./refusals.ts"

type Input = typeof getRouting.input.Type

const REGISTRY = "JBRouterTerminalRegistry"
const ROUTER = "JBRouterTerminal"
const TERMINALS = 16
export const CONTEXTS = 8

const kindOf = (snapshot: PinnedSnapshot, terminal: Address): TerminalKind => {
  if (terminal === currentAddressOf(snapshot, "JBMultiTerminal")) return "multi-terminal"
  if (terminal === currentAddressOf(snapshot, REGISTRY)) return "router-registry"
  if (isGateway(snapshot, terminal)) return "gateway"
  return recordedAddresses(snapshot, ROUTER).includes(terminal) ? "router" : "unrecorded"
}

export const contextsOf = ({ readAt }: PinnedSnapshot, projectId: string, terminal: Address) =>
  Effect.map(
    readAt("JBMultiTerminal", terminal, "accountingContextsOf", [projectId], Schema.Array(AccountingContext)),
    contexts => ({ items: contexts.slice(0, CONTEXTS), total: contexts.length })
  )

export type Contexts = Effect.Effect<Effect.Effect.Success<ReturnType<typeof contextsOf>>, ReadFailure>

export type Routed = Either.Either<
  Address,
  ReadFailure | RegistryNotConfigured | UnsupportedRouterGateway | UnsupportedRouter
>

/** The router itself, where what the registry names is one or leads to one. */
const routerOf = (
  snapshot: PinnedSnapshot,
  resolved: Address
): Effect.Effect<Address, Either.Either.Left<Routed>> => {
  if (resolved === ZERO_ADDRESS) return new RegistryNotConfigured()
  const kind = kindOf(snapshot, resolved)
  if (kind === "router") return Effect.succeed(resolved)
  if (kind === "gateway") return routerBehind(snapshot, resolved)
  return new UnsupportedRouter({ context: { terminal: resolved } })
}

const questions = (snapshot: PinnedSnapshot, { project: { projectId }, pairs = [] }: Input) => {
  const { read } = snapshot
  return {
    ahead: snapshot.foresee(gatewayCalls(snapshot, projectId)),
    terminals: read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address)),
    resolved: read(REGISTRY, "terminalOf", [projectId], Address),
    cohortDefault: read(REGISTRY, "defaultTerminalFor", [projectId], Address),
    locked: read(REGISTRY, "hasLockedTerminal", [projectId], Schema.Boolean),
    wrapped: wrappedTokens(snapshot, pairs.length > 0)
  }
}

/** The terminals in the order in which a payment passes them; none where the registry leads nowhere. */
const pathOf = (snapshot: PinnedSnapshot, registry: Address, resolved: Address, routed: Routed) => {
  if (resolved === ZERO_ADDRESS) return Either.right([])
  const kind = kindOf(snapshot, resolved)
  if (kind === "multi-terminal") return Either.right([registry, resolved])
  return Either.map(routed, router =>
    kind === "gateway" ? [registry, resolved, router] : [registry, resolved]
  )
}

/** No round trip; one where a gateway names its router. */
export const pathThrough = (snapshot: PinnedSnapshot, registry: Address, terminal: Address) =>
  Effect.flatMap(Effect.either(routerOf(snapshot, terminal)), routed =>
    pathOf(snapshot, registry, terminal, routed)
  )

const pendingOf = (
  snapshot: PinnedSnapshot,
  resolved: Address,
  routed: Routed,
  ids: ReadonlyArray<Bytes32>
) =>
  kindOf(snapshot, resolved) === "gateway"
    ? Effect.flatMap(routed, () => pendingCalls(snapshot, resolved, ids))
    : Effect.succeed(null)

const limited = (terminals: ReadonlyArray<Address>) =>
  terminals.length > TERMINALS
    ? Effect.fail(new RoutingReadLimit({ context: { terminals: terminals.length, limit: TERMINALS } }))
    : Effect.succeed(terminals)

const contextsView = (
  snapshot: PinnedSnapshot,
  projectId: string,
  terminals: ReadonlyArray<Address>,
  ofMultiTerminal: Contexts
) =>
  Effect.forEach(
    terminals,
    terminal =>
      Effect.map(
        observed(
          kindOf(snapshot, terminal) === "multi-terminal"
            ? ofMultiTerminal
            : contextsOf(snapshot, projectId, terminal)
        ),
        contexts => ({ terminal, contexts })
      ),
    AT_ONCE
  )

/** Two round trips. */
export const readRouter = Effect.fn("Router.read")(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  ofMultiTerminal: Contexts
) {
  const { project, pairs = [], pendingCallIds = [] } = input
  const answers = yield* eachAtOnce(questions(snapshot, input))
  const terminals = yield* observed(Effect.flatMap(answers.terminals, limited))
  const resolved = answers.resolved
  const leading = Effect.gen(function* () {
    const routed: Routed = yield* Effect.either(Effect.flatMap(resolved, found => routerOf(snapshot, found)))
    const pending = Effect.flatMap(resolved, found => pendingOf(snapshot, found, routed, pendingCallIds))
    return yield* Effect.all(
      {
        routed: Effect.succeed(routed),
        pending: observed(pending),
        pairs: readPairs(snapshot, routed, yield* answers.wrapped, pairs)
      },
      AT_ONCE
    )
  })
  const second = yield* Effect.all(
    {
      leading,
      contexts: mapEffect(terminals, found =>
        contextsView(snapshot, project.projectId, found, ofMultiTerminal)
      )
    },
    AT_ONCE
  )
  const registry = currentAddressOf(snapshot, REGISTRY) ?? null
  const terminal = (address: Address) => ({ terminal: address, kind: kindOf(snapshot, address) })
  return {
    registry,
    resolved: yield* observed(
      Either.map(resolved, found => (found === ZERO_ADDRESS ? null : terminal(found)))
    ),
    path: yield* observed(
      Either.flatMap(resolved, found =>
        pathOf(snapshot, registry ?? ZERO_ADDRESS, found, second.leading.routed)
      )
    ),
    pendingCalls: second.leading.pending,
    cohortDefault: yield* observed(answers.cohortDefault),
    locked: yield* observed(answers.locked),
    directoryTerminals: mapObserved(terminals, found => found.map(terminal)),
    terminalContexts: second.contexts,
    pairs: second.leading.pairs
  }
})
