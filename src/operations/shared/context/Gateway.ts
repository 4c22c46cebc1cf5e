/** The recorded gateway, which holds failed routed payments, and the router that stands behind it. */
import { Effect, Schema } from "effect"
import { laterDeployment } from "../../../catalog/LaterRollout.ts"
import type { DependentCall } from "../../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address } from "../../../values/Scalars.ts"
import { currentAddressOf } from "./Core.ts"
import { readForeign } from "./ForeignReads.ts"
import { recordedAddresses } from "./Recorded.ts"
import { UnsupportedRouterGateway } from "./refusals.ts"

const GATEWAY = "JBRouterTerminalGateway"

export const isGateway = ({ chainId }: PinnedSnapshot, terminal: Address): boolean =>
  laterDeployment(chainId, GATEWAY)?.address === terminal

const [ROUTER, DIRECTORY] = ["ROUTER()", "DIRECTORY()"]

/** What the gateway says that a project's registered terminal may be; nothing where the chain has none. */
export const gatewayCalls = (snapshot: PinnedSnapshot, projectId: string): ReadonlyArray<DependentCall> => {
  const registry = currentAddressOf(snapshot, "JBRouterTerminalRegistry")
  if (registry === undefined || laterDeployment(snapshot.chainId, GATEWAY) === undefined) return []
  const to = { call: 0, index: 0 }
  return [
    { to: registry, signature: "terminalOf(uint256)", words: [projectId] },
    { to, signature: ROUTER },
    { to, signature: DIRECTORY }
  ]
}

const addressOf = (snapshot: PinnedSnapshot, gateway: Address, signature: string) =>
  Effect.map(
    readForeign(snapshot, gateway, {
      signature,
      outputs: [{ name: "", type: "address" }],
      as: Schema.Tuple(Address)
    }),
    ([address]) => address
  )

/** It has to name a recorded router and the canonical directory. */
export const routerBehind = Effect.fn("Gateway.router")(function* (
  snapshot: PinnedSnapshot,
  gateway: Address
) {
  const answers = yield* eachAtOnce({
    router: addressOf(snapshot, gateway, ROUTER),
    directory: addressOf(snapshot, gateway, DIRECTORY)
  })
  const [router, directory] = [yield* answers.router, yield* answers.directory]
  const isRecorded = recordedAddresses(snapshot, "JBRouterTerminal").includes(router)
  if (isRecorded && directory === (yield* snapshot.addressOf("JBDirectory"))) return router
  return yield* new UnsupportedRouterGateway({ context: { gateway, router, directory } })
})
