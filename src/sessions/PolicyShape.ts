/** What a session may do, as its wallet's owners enable it. */
import { Schema } from "effect"
import { Address, Bytes32, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const uintText = (bits: number) =>
  Uint256.pipe(Schema.filter(text => BigInt(text) < 1n << BigInt(bits), { jsonSchema: {} }))

const uint = (bits: number) => Schema.Int.pipe(Schema.between(0, 2 ** bits - 1))

const PolicyAddress = Schema.typeSchema(Address)

const Selector = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(/^0x[0-9a-f]{8}$/))

const SessionGasBudget = strict({
  /** The zero address where the wallet pays. */
  paymaster: PolicyAddress,
  paymasterCodeHash: Bytes32,
  paymasterDataLength: uint(32),
  maxGasPerOperation: uintText(128),
  maxFeePerGas: uintText(128),
  maxPriorityFeePerGas: uintText(128),
  totalGas: Uint256,
  totalCost: Uint256
})

const SessionAllocation = strict({ id: Bytes32, asset: PolicyAddress, limit: Uint256 })

/** Condition 0: the word is equal; 1: it is counted, and at most this. Offsets count from the first argument byte. */
const WordRule = strict({ condition: uint(8), offset: uint(16), word: Bytes32 })

const SessionAction = strict({
  target: PolicyAddress,
  codeHash: Bytes32,
  selector: Selector,
  /** 1: the native value is what is counted. */
  valueMode: uint(8),
  /** 255: none. */
  allocation: uint(8),
  minimumLength: uint(32),
  maximumLength: uint(32),
  perCall: Uint256,
  total: Uint256,
  rules: Schema.Array(WordRule)
})
export type SessionAction = typeof SessionAction.Type

export const SessionPolicy = strict({
  sessionKey: PolicyAddress,
  generation: uintText(64),
  nonce: Bytes32,
  validAfter: uint(48),
  validUntil: uint(48),
  maximumCalls: uint(32),
  gas: SessionGasBudget,
  allocations: Schema.Array(SessionAllocation),
  actions: Schema.Array(SessionAction)
})
export type SessionPolicy = typeof SessionPolicy.Type
