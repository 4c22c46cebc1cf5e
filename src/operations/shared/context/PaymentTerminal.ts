/** Which terminal a payment in a token goes to, and what stands behind it. */
import { Effect, Schema } from "effect"
import { call } from "../../../chain/PinnedReads.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, type Hex, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { currentAddressOf } from "./Core.ts"
import { gatewayCalls, isGateway, routerBehind } from "./Gateway.ts"
import { recordedAddresses } from "./Recorded.ts"
import { NoPaymentRoute, UnsupportedRouterGateway, UnsupportedTerminal } from "./refusals.ts"

export interface PaymentRoute {
  readonly route: "multi-terminal" | "router-terminal"
  /** The one to be called. */
  readonly terminal: Address
  readonly terminalPath: ReadonlyArray<Address>
  /** What stands between the registry and its router. */
  readonly routerGateway: Address | null
}

const questions = (snapshot: PinnedSnapshot, projectId: string, token: Address) => ({
  ahead: snapshot.foresee(gatewayCalls(snapshot, projectId)),
  ...named(snapshot, projectId, token)
})

const named = ({ read }: PinnedSnapshot, projectId: string, token: Address) => ({
  primary: read("JBDirectory", "primaryTerminalOf", [projectId, token], Address),
  terminals: read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address)),
  registered: read("JBRouterTerminalRegistry", "terminalOf", [projectId], Address)
})

/** `ROUTER()` of a gateway. */
const ROUTER: Hex = "0x32fe7b26"

/** A gateway says which router stands behind it; only a recorded one's answer can be trusted. */
const refuseBehind = (snapshot: PinnedSnapshot, terminal: Address) =>
  Effect.flatMap(snapshot.ask(call({ to: terminal, data: ROUTER }, snapshot.block.hash)), answer => {
    const context = { terminal }
    const isGateway = answer._tag === "Returned" && answer.data.length === 66
    return Effect.fail(
      isGateway ? new UnsupportedRouterGateway({ context }) : new UnsupportedTerminal({ context })
    )
  })

/** From what the registry names to the router. */
const pathBehind = (snapshot: PinnedSnapshot, registered: Address) => {
  if (recordedAddresses(snapshot, "JBRouterTerminal").includes(registered))
    return Effect.succeed([registered])
  return isGateway(snapshot, registered)
    ? Effect.map(routerBehind(snapshot, registered), router => [registered, router])
    : refuseBehind(snapshot, registered)
}

/** One round trip; a second one where what the registry names is unknown. */
export const resolvePaymentTerminal = Effect.fn("Context.paymentTerminal")(function* (
  snapshot: PinnedSnapshot,
  projectId: string,
  token: Address
) {
  const answers = yield* eachAtOnce(questions(snapshot, projectId, token))
  const [primary, terminals] = [yield* answers.primary, yield* answers.terminals]
  const multi = yield* snapshot.addressOf("JBMultiTerminal")
  const registry = currentAddressOf(snapshot, "JBRouterTerminalRegistry")
  const none = new NoPaymentRoute({ context: { projectId, token } })
  const terminal = primary === ZERO_ADDRESS ? terminals.find(each => each === registry) : primary
  if (terminal === undefined) return yield* none
  if (terminal === multi) {
    const direct: PaymentRoute = {
      route: "multi-terminal",
      terminal,
      terminalPath: [terminal],
      routerGateway: null
    }
    return direct
  }
  if (terminal !== registry) return yield* new UnsupportedTerminal({ context: { terminal } })
  const registered = yield* answers.registered
  if (registered === ZERO_ADDRESS) return yield* none
  const path = yield* pathBehind(snapshot, registered)
  const known = [multi, registry, ...path, ...recordedAddresses(snapshot, "JBRouterTerminal")]
  const other = terminals.find(each => !known.includes(each))
  if (other !== undefined)
    return yield* new UnsupportedTerminal({
      detail: "The router could choose a terminal that the service does not know.",
      context: { terminal: other }
    })
  const routed: PaymentRoute = {
    route: "router-terminal",
    terminal,
    terminalPath: [terminal, ...path],
    routerGateway: isGateway(snapshot, registered) ? registered : null
  }
  return routed
})
