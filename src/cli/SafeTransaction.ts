/** A transaction of a Safe as its owners sign it, by typed data of the wallet itself, and as anybody then sends it. */
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  hashDomain,
  hashStruct,
  hashTypedData,
  parseAbi,
  zeroAddress
} from "viem"

export const safeAbi = parseAbi([
  "function nonce() view returns (uint256)",
  "function getThreshold() view returns (uint256)",
  "function getOwners() view returns (address[])",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)"
])

const TYPES = {
  SafeTx: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
    { name: "operation", type: "uint8" },
    { name: "safeTxGas", type: "uint256" },
    { name: "baseGas", type: "uint256" },
    { name: "gasPrice", type: "uint256" },
    { name: "gasToken", type: "address" },
    { name: "refundReceiver", type: "address" },
    { name: "nonce", type: "uint256" }
  ]
} as const

const DOMAIN = [
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
] as const

/** A call that carries nothing and refunds nobody. */
export interface SafeTransaction {
  readonly chainId: number
  readonly wallet: Address
  readonly to: Address
  readonly data: Hex
  readonly nonce: bigint
}

const typedDataOf = ({ chainId, wallet, to, data, nonce }: SafeTransaction) =>
  ({
    types: TYPES,
    primaryType: "SafeTx",
    domain: { chainId, verifyingContract: wallet },
    message: {
      ...{ to, value: 0n, data, operation: 0, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n },
      ...{ gasToken: zeroAddress, refundReceiver: zeroAddress, nonce }
    }
  }) as const

/** As `eth_signTypedData_v4` takes it. */
export const safePayload = (transaction: SafeTransaction) => {
  const { types, message, ...rest } = typedDataOf(transaction)
  const texts = Object.entries(message).map(([name, value]) => [
    name,
    typeof value === "bigint" ? String(value) : value
  ])
  return { ...rest, types: { EIP712Domain: DOMAIN, ...types }, message: Object.fromEntries(texts) }
}

/** What hardware wallets show, and the wallet's own hash. */
export const safeHashes = (transaction: SafeTransaction) => {
  const typedData = typedDataOf(transaction)
  const { domain, message, primaryType } = typedData
  return {
    domain: hashDomain({
      domain: { ...domain, chainId: BigInt(domain.chainId) },
      types: { EIP712Domain: DOMAIN }
    }),
    message: hashStruct({ data: message, primaryType, types: TYPES }),
    whole: hashTypedData(typedData)
  }
}

/** Owners' signatures by their addresses in lower case. */
export type SafeSignatures = ReadonlyMap<string, Hex>

/** `execTransaction`, with as many signatures as are asked for, in the order in which the wallet reads them. */
export const safeExecution = (
  { to, data }: SafeTransaction,
  signatures: SafeSignatures,
  threshold: number
): Hex => {
  const ordered = [...signatures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  const packed = concatHex(ordered.slice(0, threshold))
  return encodeFunctionData({
    abi: safeAbi,
    functionName: "execTransaction",
    args: [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, packed]
  })
}
