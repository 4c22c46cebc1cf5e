/** What the installed predicates say of recorded transactions, by the pinned catalog of their chain. */
import { Effect, Either, Option } from "effect"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import type { Effected } from "../../src/effects/Verify.ts"
import type { Call as PlannedCall, Semantic } from "../../src/plans/Plan.ts"
import { encodeCall } from "../../src/protocol/EncodeCall.ts"
import { TIERS_HOOK, TOKEN } from "../effects/support/ContractIds.ts"
import { verifyEffects } from "../effects/support/Installed.ts"
import { BLOCK, catalog, HASH, unreadable } from "../effects/support/Receipts.ts"
import { once } from "./Once.ts"
import { type EncodedLog, encodedLogs } from "./RecordedLogs.ts"
import type { Call } from "./Recording.ts"

const CHAIN_ID = 8453
const SUCKER = "@bananapus/suckers-v6:src/JBSucker.sol:JBSucker"

const clones: ReadonlyArray<readonly [prefix: string, contractId: string]> = [
  ["token of", TOKEN],
  ["USDC", TOKEN],
  ["721 hook of", TIERS_HOOK],
  ["sucker", SUCKER]
]

const declared = ({ contract, address }: Call) => {
  const published = catalog.deploymentAt(CHAIN_ID, address)
  if (Option.isSome(published)) return published.value
  const [, contractId = contract] = clones.find(([prefix]) => contract.startsWith(prefix)) ?? []
  const { abiHash } = Effect.runSync(catalog.declaration(contractId))
  if (abiHash === null) throw new Error(`${contractId} has no ABI`)
  return { contractId, abiHash }
}

/** The call as a plan of it would be. */
export const plannedCall = once((call: Call): PlannedCall => {
  const { contractId, abiHash } = declared(call)
  const abi = Effect.runSync(catalog.abi(abiHash))
  const { data, decodedArgs } = Either.getOrThrow(encodeCall(abi, call.function, call.args))
  return {
    chainId: CHAIN_ID,
    to: call.address,
    data,
    value: String(call.value),
    label: "",
    dependsOn: [],
    decoded: { contractId, abiHash, function: call.function, args: decodedArgs }
  }
})

export const rawLogs = (call: Call): ReadonlyArray<RawLog> =>
  encodedLogs(call).map(({ address, topics, data }: EncodedLog, index) => ({
    address: `0x${address.slice(2).toLowerCase()}`,
    topics,
    data,
    blockHash: BLOCK,
    blockNumber: "0x1",
    logIndex: `0x${index.toString(16)}`,
    transactionHash: HASH,
    transactionIndex: "0x0"
  }))

export const judgedRecording = (
  call: Call,
  logs: ReadonlyArray<RawLog> = rawLogs(call),
  over: Partial<Effected> = {}
): Semantic =>
  Effect.runSync(
    verifyEffects({
      call: plannedCall(call),
      account: call.from ?? call.address,
      receipt: { transactionHash: HASH, blockHash: BLOCK, blockNumber: 1n },
      logs,
      read: unreadable,
      ...over
    }).pipe(Effect.provideService(Catalog, catalog))
  )
