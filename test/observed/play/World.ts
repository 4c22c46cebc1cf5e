/** A chain in the state that every recording starts from, which each scenario finds again. */
import { isHex } from "viem"
import { type Chain, quantity, startChain } from "./Chain.ts"
import { Addresses } from "./Compare.ts"
import { callData, resultOf } from "./Declarations.ts"
import { named, place } from "./Placed.ts"
import { bridges, MESSENGER, ROUTER } from "./start/Bridges.ts"
import { empty, samples } from "./start/Projects.ts"
import { revnets } from "./start/Revnets.ts"
import { routing } from "./start/Routing.ts"
import type { Sent } from "./start/Sent.ts"
import { wiring } from "./start/Wiring.ts"

/** Of every recording. */
export const START = 1_795_495_953

/** What stands in for the bridges takes every message and answers zero. */
const ANSWERS_ZERO = "0x60206000f3"

const BEFORE = 1_000
const GAS = quantity(100_000_000)

/** What deployments before the recordings cost their owner, and what fees went to nobody. */
const BALANCES = [
  [named("account0"), 9_999_998_621_568_989_772_552n],
  [named("zero"), 30_695_372_000_000_000n]
] as const

export interface World {
  readonly chain: Chain
  /** Back to the start, of which it says where the clones stand. */
  readonly again: () => Promise<Addresses>
  readonly stop: () => Promise<void>
}

const receipts = (hashes: ReadonlyArray<unknown>) =>
  hashes.map(hash => ({ method: "eth_getTransactionReceipt", params: [hash] }))

const reason = async (chain: Chain, hash: unknown): Promise<string> => {
  const [trace] = await chain.asked([
    { method: "debug_traceTransaction", params: [hash, { tracer: "callTracer" }] }
  ])
  return JSON.stringify(trace).slice(0, 4_000)
}

const isSuccessful = (receipt: unknown): boolean =>
  typeof receipt === "object" && receipt !== null && "status" in receipt && receipt.status === "0x1"

/** All in one block, as the recorded projects have one time. */
const begin = async (chain: Chain, calls: ReadonlyArray<Sent>): Promise<void> => {
  const hashes = await chain.asked(
    calls.map(({ value, ...call }) => ({
      method: "eth_sendTransaction",
      params: [{ ...call, value: quantity(value), gas: GAS, gasPrice: "0x0" }]
    }))
  )
  await chain.asked([{ method: "evm_mine", params: [START] }])
  const mined = await chain.asked(receipts(hashes))
  const failed = mined.findIndex(receipt => !isSuccessful(receipt))
  if (failed >= 0) throw new Error(`call ${failed} of the start: ${await reason(chain, hashes[failed])}`)
}

/** Of the recorded clones of the start, where the sandbox's are asked for. */
const CLONES = [
  ["token of revnet 1 (NANA)", "JBTokens", "tokenOf(uint256)", "1"],
  ["token of revnet 2 (CPN)", "JBTokens", "tokenOf(uint256)", "2"],
  ["token of revnet 3 (REV)", "JBTokens", "tokenOf(uint256)", "3"],
  ["token of project 8 (LOCAL)", "JBTokens", "tokenOf(uint256)", "8"],
  ["721 hook of revnet 1 (NANA)", "REVOwner", "tiered721HookOf(uint256)", "1"],
  ["721 hook of revnet 2 (CPN)", "REVOwner", "tiered721HookOf(uint256)", "2"],
  ["721 hook of revnet 3 (REV)", "REVOwner", "tiered721HookOf(uint256)", "3"]
] as const

/** Of revnet 1, in the registry's order. */
const SUCKERS = [
  "sucker 0 of revnet 1 (native bridge)",
  "sucker 1 of revnet 1 (CCIP)",
  "sucker 2 of revnet 1 (CCIP)",
  "revnet 1 (NANA) sucker 3"
] as const

const callOf = (contract: string, signature: string, id: string) => ({
  method: "eth_call",
  params: [{ to: named(contract), data: callData(signature, [id]) }, "latest"]
})

const clonesOf = async (chain: Chain) => {
  const [suckers, ...words] = await chain.asked([
    callOf("JBSuckerRegistry", "allSuckersOf(uint256)", "1"),
    ...CLONES.map(([, contract, signature, id]) => callOf(contract, signature, id))
  ])
  const all = resultOf("JBSuckerRegistry", "allSuckersOf(uint256)", isHex(suckers) ? suckers : "0x")
  return [
    ...CLONES.map(([name], at) => [named(name), `0x${String(words[at]).slice(-40)}`] as const),
    ...SUCKERS.map((name, at) => [named(name), String(Array.isArray(all) ? all[at] : all)] as const)
  ]
}

export const startWorld = async (): Promise<World> => {
  const chain = await startChain(START - BEFORE)
  const mine = async () => void (await chain.asked([{ method: "evm_mine", params: [] }]))
  await place(chain, mine)
  await chain.asked(
    [MESSENGER, ROUTER].map(bridge => ({ method: "anvil_setCode", params: [bridge, ANSWERS_ZERO] }))
  )
  await begin(chain, [...wiring, ...bridges, ...revnets, ...empty, ...routing, ...samples])
  await chain.asked(
    BALANCES.map(([account, balance]) => ({
      method: "anvil_setBalance",
      params: [account, quantity(balance)]
    }))
  )
  const snapshot = async () => (await chain.asked([{ method: "evm_snapshot", params: [] }]))[0]
  let start = await snapshot()
  const clones = await clonesOf(chain)
  const again = async () => {
    await chain.asked([{ method: "evm_revert", params: [start] }])
    start = await snapshot()
    const addresses = new Addresses()
    for (const [recorded, actual] of clones) addresses.bind(recorded, actual)
    return addresses
  }
  return { chain, again, stop: chain.stop }
}
