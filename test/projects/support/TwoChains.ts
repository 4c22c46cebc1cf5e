/** Two chains, each of which answers what a test tells it by contract and function. */
import { Effect, Layer } from "effect"
import { type Address, encodeAbiParameters, toFunctionSelector } from "viem"
import { Catalog } from "../../../src/catalog/Catalog.ts"
import { ChainClient } from "../../../src/chain/ChainClient.ts"
import { UnsupportedChain } from "../../../src/chain/refusals.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import {
  type NodeReply,
  noTraffic,
  type Script,
  scriptedChain,
  type Traffic
} from "../../protocol/support/ScriptedChain.ts"

export const core = (name: string) => `@bananapus/core-v6:src/${name}.sol:${name}`
const REGISTRY = "@bananapus/suckers-v6:src/JBSuckerRegistry.sol:JBSuckerRegistry"

export const SUCKER: Address = "0x1111111111111111111111111111111111111111"
export const PEER: Address = "0x2222222222222222222222222222222222222222"
export const OWNER: Address = "0x3333333333333333333333333333333333333333"

export const wordOf = (address: Address) => `0x${"0".repeat(24)}${address.slice(2).toLowerCase()}` as const

export const REVERT: NodeReply = { error: { code: 3, data: "0x" } }
export const uint = (value: bigint): NodeReply => ({
  result: encodeAbiParameters([{ type: "uint256" }], [value])
})
export const word = (value: `0x${string}`): NodeReply => ({ result: value })
export const addresses = (value: ReadonlyArray<Address>): NodeReply => ({
  result: encodeAbiParameters([{ type: "address[]" }], [value])
})

export interface World {
  /** By `address function`, in lower case. */
  readonly replies: Map<string, NodeReply>
  readonly traffic: Traffic
}

const SIGNATURES = [
  "ownerOf(uint256)",
  "controllerOf(uint256)",
  "allSuckersOf(uint256)",
  "suckersOf(uint256)",
  "isSuckerOf(uint256,address)",
  "toRemoteFee()",
  "projectId()",
  "peer()",
  "peerChainId()",
  "state()",
  "peerChainAccountsOf()",
  "CCIP_ROUTER()",
  "OPMESSENGER()",
  "GATEWAYROUTER()",
  "terminalsOf(uint256)",
  "uriOf(uint256)",
  "currentRulesetOf(uint256)",
  "upcomingRulesetOf(uint256)",
  "latestQueuedRulesetOf(uint256)",
  "totalTokenSupplyWithReservedTokensOf(uint256)",
  "pendingReservedTokenBalanceOf(uint256)",
  "TOKENS()",
  "FUND_ACCESS_LIMITS()",
  "SPLITS()",
  "tokenOf(uint256)",
  "STORE()",
  "accountingContextsOf(uint256)",
  "splitsOf(uint256,uint256,uint256)"
]
const NAMES = new Map(
  SIGNATURES.map(signature => [toFunctionSelector(signature), signature.split("(")[0] ?? ""])
)

export const told = (world: World, address: string, name: string, reply: NodeReply): World => {
  world.replies.set(`${address} ${name}`.toLowerCase(), reply)
  return world
}

const scriptOf = (chainId: number, { replies }: World): Script => {
  const calls = (to: string, data: string) => {
    const name = NAMES.get(`0x${data.slice(2, 10)}`) ?? ""
    return replies.get(`${to} ${name}`.toLowerCase()) ?? REVERT
  }
  return { chainId, calls, ahead: calls }
}

export const words = (count: number, values: Readonly<Record<number, bigint>> = {}): NodeReply => ({
  result: `0x${Array.from({ length: count }, (_, index) => (values[index] ?? 0n).toString(16).padStart(64, "0")).join("")}`
})

export const addressOf = (chainId: number, contractId: string) =>
  Effect.flatMap(Catalog, catalog =>
    Effect.fromNullable(catalog.deployments(chainId, contractId).find(({ retired }) => !retired)?.address)
  )

/** A bridge between project 7 of chain 1 and project 9 of chain 10. */
export const bridged = Effect.gen(function* () {
  const end = Effect.fnUntraced(function* (chainId: number, own: Address, other: Address, projectId: bigint) {
    const world: World = { replies: new Map(), traffic: noTraffic() }
    const registry = yield* addressOf(chainId, REGISTRY)
    told(world, yield* addressOf(chainId, core("JBProjects")), "ownerOf", word(wordOf(OWNER)))
    told(world, yield* addressOf(chainId, core("JBDirectory")), "controllerOf", word(wordOf(OWNER)))
    told(world, yield* addressOf(chainId, core("JBDirectory")), "terminalsOf", addresses([]))
    told(world, registry, "allSuckersOf", addresses([own]))
    told(world, registry, "suckersOf", addresses([own]))
    told(world, registry, "isSuckerOf", uint(1n))
    told(world, registry, "toRemoteFee", uint(1_000n))
    told(world, own, "projectId", uint(projectId))
    told(world, own, "peer", word(wordOf(other)))
    told(world, own, "peerChainId", uint(chainId === 1 ? 10n : 1n))
    told(world, own, "state", uint(1n))
    told(world, own, "OPMESSENGER", word(wordOf(OWNER)))
    return { world, registry }
  })
  return { home: yield* end(1, SUCKER, PEER, 7n), away: yield* end(10, PEER, SUCKER, 9n) }
})

export type Bridged = Effect.Effect.Success<typeof bridged>

const clientOf = (chainId: number, world: World) =>
  Effect.provide(ChainClient, scriptedChain(scriptOf(chainId, world), world.traffic))

/** Chain 10 is not there where `away` is left out. */
export const contractsOver = ({ home, away }: Bridged, hasAway = true) =>
  PinnedContracts.layer.pipe(
    Layer.provide(
      Layer.effect(
        ChainClient,
        Effect.gen(function* () {
          const one = yield* clientOf(1, home.world)
          const ten = yield* clientOf(10, away.world)
          return {
            ...one,
            snapshot: (chainId: number) => {
              if (chainId === 10 && hasAway) return ten.snapshot(10)
              return chainId === 1 ? one.snapshot(1) : Effect.fail(new UnsupportedChain())
            }
          }
        })
      )
    )
  )
