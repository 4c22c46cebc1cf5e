import { Effect, Layer } from "effect"
import {
  type CallOutcome,
  type CallRequest,
  ChainClient,
  type ChainSession,
  type Snapshot
} from "../../src/chain/ChainClient.ts"
import { type RpcFailure, RpcUnavailable, UnsupportedChain } from "../../src/chain/refusals.ts"
import type { Hex } from "../../src/values/Scalars.ts"

export const CHAIN = 31337

/** What the one contract of the chain is and does; every part may fail, hang or lie. */
export interface Script {
  readonly code?: Effect.Effect<Hex, RpcFailure>
  readonly call?: (request: CallRequest) => Effect.Effect<CallOutcome, RpcFailure>
  readonly snapshot?: Effect.Effect<void, RpcFailure>
}

export interface Traffic {
  readonly snapshots: Array<number>
  readonly calls: Array<CallRequest>
}

const session: ChainSession = {
  chainId: CHAIN,
  endpoint: "fake",
  all: () => Effect.fail(new RpcUnavailable()),
  sendRaw: () => Effect.fail(new RpcUnavailable())
}

const block = {
  chainId: CHAIN,
  number: 1n,
  hash: `0x${"11".repeat(32)}`,
  parentHash: `0x${"22".repeat(32)}`,
  timestamp: 1n,
  baseFeePerGas: null
} as const

const snapshotOf = (script: Script, traffic: Traffic): Snapshot => ({
  session,
  block,
  codes: addresses => Effect.forEach(addresses, () => script.code ?? Effect.succeed("0x6001" as const)),
  calls: requests =>
    Effect.forEach(requests, request => {
      traffic.calls.push(request)
      return script.call?.(request) ?? Effect.succeed({ _tag: "Reverted", data: "0x" } as const)
    })
})

export const fakeChain = (script: Script, traffic: Traffic = { snapshots: [], calls: [] }) => {
  const snapshot = snapshotOf(script, traffic)
  return Layer.succeed(ChainClient, {
    chains: Effect.succeed([]),
    chain: () => Effect.fail(new UnsupportedChain()),
    session: () => Effect.succeed(session),
    begin: () => Effect.fail(new RpcUnavailable()),
    snapshot: chainId => {
      if (chainId !== CHAIN) return Effect.fail(new UnsupportedChain())
      traffic.snapshots.push(chainId)
      return Effect.as(script.snapshot ?? Effect.void, snapshot)
    },
    snapshotWith: () => Effect.fail(new RpcUnavailable()),
    snapshotOf: () => snapshot,
    health: Effect.succeed([])
  })
}
