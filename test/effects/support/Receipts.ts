/** Planned calls and receipts made by hand from the pinned catalog, and what they are judged to be. */
import { Effect, Either } from "effect"
import { type Abi, type AbiParameter, canonicalType } from "../../../src/catalog/Abi.ts"
import { Catalog, type CatalogShape } from "../../../src/catalog/Catalog.ts"
import { executionContracts } from "../../../src/catalog/ExecutionContracts.ts"
import type { RawLog } from "../../../src/chain/ChainClient.ts"
import { RpcUnavailable } from "../../../src/chain/refusals.ts"
import type { Effected } from "../../../src/effects/Verify.ts"
import type { Call, Semantic } from "../../../src/plans/Plan.ts"
import { encodeValues } from "../../../src/protocol/AbiValues.ts"
import { encodeCall } from "../../../src/protocol/EncodeCall.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { keccak256Utf8 } from "../../../src/values/Keccak.ts"
import { memo } from "../../../src/values/Memo.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { TIERS_HOOK } from "./ContractIds.ts"
import { verifyEffects } from "./Installed.ts"

/** Where a provider is paid, as its setting says. */
const PAYMENTS = [
  { chainId: 1, address: checksummed(`0x${"9".repeat(40)}`), runtimeCodeHash: keccak256Utf8("") }
]

const named = (index: number): Address => checksummed(`0x${index.toString(16).padStart(40, "a")}`)

export const ACCOUNT = named(1)

const CODE = keccak256Utf8("")

/** What guards wallets, as manifests say, and the wallet itself, which has its adapter's functions for its own. */
const GUARDS = [{ chainId: 1, address: checksummed(`0x${"8".repeat(40)}`), runtimeCodeHash: CODE }]
const ADAPTERS = [{ chainId: 1, address: ACCOUNT, runtimeCodeHash: CODE }]

export const catalogOf = async (overlays: ReadonlyArray<string> = []): Promise<CatalogShape> => {
  const contracts = await Effect.runPromise(
    executionContracts("schema/execution/contracts.json", {
      payments: PAYMENTS,
      guards: GUARDS,
      adapters: ADAPTERS
    })
  )
  const layer = Catalog.layer({ directory: "schema/protocol", overlays, contracts })
  return Effect.runPromise(Effect.provide(Catalog, layer))
}

export const catalog = await catalogOf()

export const BENEFICIARY = named(2)
export const HOLDER = named(3)
export const OTHER = named(4)
export const NATIVE = "0x000000000000000000000000000000000000EEEe"

export const abiOf = (abiHash: string): Abi => Effect.runSync(catalog.abi(abiHash))

export const deployment = (contractId: string) => {
  const [current] = catalog.deployments(1, contractId)
  if (current === undefined) throw new Error(`no ${contractId}`)
  return current
}

export const eventInputs = (abi: Abi, event: string): ReadonlyArray<AbiParameter> => {
  const entry = abi.find(({ type, name }) => type === "event" && name === event)
  if (entry?.inputs === undefined) throw new Error(`no event ${event}`)
  return entry.inputs
}

const topics = memo<Hex>(1_024)

export const topicOf = (abi: Abi, event: string): Hex => {
  const signature = `${event}(${eventInputs(abi, event).map(canonicalType).join(",")})`
  return topics(signature, () => keccak256Utf8(signature))
}

export const callTo = (
  contractId: string,
  signature: string,
  args: ReadonlyArray<unknown>,
  over: Partial<Call> = {}
): Call => {
  const { abiHash, address } = deployment(contractId)
  const { data, decodedArgs } = Either.getOrThrow(encodeCall(abiOf(abiHash), signature, args))
  return {
    chainId: 1,
    to: address,
    data,
    value: "0",
    label: "",
    dependsOn: [],
    decoded: { contractId, abiHash, function: signature, args: decodedArgs },
    ...over
  }
}

export type Fields = Readonly<Record<string, unknown>>

export interface Emission {
  readonly contractId: string
  readonly event: string
  readonly fields: Fields
}

export const HASH = `0x${"11".repeat(32)}` as const
export const BLOCK = `0x${"22".repeat(32)}` as const
const BLOCK_NUMBER = 1n

const encoded = (parameters: ReadonlyArray<AbiParameter>, fields: Fields): Hex =>
  Either.getOrThrow(
    encodeValues(
      parameters,
      parameters.map(({ name }) => fields[name])
    )
  )

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

const plainLog = (index: number): RawLog => ({
  address: `0x${OTHER.slice(2).toLowerCase()}`,
  blockHash: BLOCK,
  blockNumber: quantity(BLOCK_NUMBER),
  data: "0x",
  logIndex: quantity(index),
  topics: [HASH],
  transactionHash: HASH,
  transactionIndex: "0x0"
})

export const otherLog = (index: number, data: Hex = "0x"): RawLog => ({ ...plainLog(index), data })

export const logOf = ({ contractId, event, fields }: Emission, index = 0): RawLog => {
  const { abiHash, address } = deployment(contractId)
  const abi = abiOf(abiHash)
  const inputs = eventInputs(abi, event)
  const topics = inputs.filter(({ indexed }) => indexed).map(parameter => encoded([parameter], fields))
  return {
    ...plainLog(index),
    address: `0x${address.slice(2).toLowerCase()}`,
    data: encoded(
      inputs.filter(({ indexed }) => !indexed),
      fields
    ),
    topics: [topicOf(abi, event), ...topics]
  }
}

export const logsOf = (emissions: ReadonlyArray<Emission>): ReadonlyArray<RawLog> =>
  emissions.map((emission, index) => logOf(emission, index))

export const POOL = `0x${"77".repeat(32)}`

/** Of plans that were prepared for a shop, and for a pool. */
const SUMMARY = { hook: deployment(TIERS_HOOK).address, poolId: POOL }

/** Of a chain that cannot be asked. */
export const unreadable = () => Effect.fail(new RpcUnavailable())

export const judged = (
  call: Call,
  logs: ReadonlyArray<RawLog>,
  over: Partial<Effected> = {},
  verify = verifyEffects
): Semantic =>
  Effect.runSync(
    verify({
      call,
      summary: SUMMARY,
      account: ACCOUNT,
      receipt: { transactionHash: HASH, blockHash: BLOCK, blockNumber: BLOCK_NUMBER },
      logs,
      read: unreadable,
      ...over
    }).pipe(Effect.provideService(Catalog, catalog))
  )
