/** A session of a wallet under its guard: its policy, the hashes that name it, and the envelope of an operation. */
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  hashMessage,
  keccak256,
  numberToHex,
  parseAbi,
  sha256,
  size,
  toBytes,
  zeroAddress
} from "viem"
import { entryPoint07Address, getUserOperationHash } from "viem/account-abstraction"
import { privateKeyToAccount } from "viem/accounts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { testKey } from "../../test/signatures/TestKeys.ts"
import { smartAccounts } from "./smartAccounts.ts"
import { type Hex, word } from "./Vector.ts"

const CHAIN = 31_337
const GUARD = "0x5e55100000000000000000000000000000000001"
const TOKEN = "0x00000000000000000000000000000000000000C1"
const [{ address: account } = { address: zeroAddress }] = smartAccounts.creation.vectors
const [{ calldata: callData } = { calldata: "0x" as const }] = smartAccounts.execution.vectors
const key = testKey("execution vector session key")
const signer = privateKeyToAccount(key.privateKey)

const policy = {
  sessionKey: signer.address,
  generation: "1",
  nonce: word("02"),
  validAfter: 1_790_000_000,
  validUntil: 1_790_604_800,
  maximumCalls: 100,
  gas: {
    paymaster: zeroAddress,
    paymasterCodeHash: word("00"),
    paymasterDataLength: 0,
    maxGasPerOperation: "1500000",
    maxFeePerGas: "5000000000",
    maxPriorityFeePerGas: "2000000000",
    totalGas: "50000000",
    totalCost: "250000000000000000"
  },
  allocations: [{ id: keccak256(toBytes("tips")), asset: TOKEN, limit: "100" }],
  actions: [
    {
      target: TOKEN,
      codeHash: word("ee"),
      selector: "0xa9059cbb",
      valueMode: 0,
      allocation: 0,
      minimumLength: 68,
      maximumLength: 68,
      perCall: "40",
      total: "100",
      rules: [
        { condition: 0, offset: 0, word: numberToHex(0xb0, { size: 32 }) },
        { condition: 1, offset: 32, word: numberToHex(40, { size: 32 }) }
      ]
    }
  ]
} as const

const guardAbi = parseAbi([
  "struct GasBudget { address paymaster; bytes32 paymasterCodeHash; uint32 paymasterDataLength; uint128 maxGasPerOperation; uint128 maxFeePerGas; uint128 maxPriorityFeePerGas; uint256 totalGas; uint256 totalCost; }",
  "struct Allocation { bytes32 id; address asset; uint256 limit; }",
  "struct Rule { uint8 condition; uint16 offset; bytes32 word; }",
  "struct Action { address target; bytes32 codeHash; bytes4 selector; uint8 valueMode; uint8 allocation; uint32 minimumLength; uint32 maximumLength; uint256 perCall; uint256 total; Rule[] rules; }",
  "struct Policy { address sessionKey; uint64 generation; bytes32 nonce; uint48 validAfter; uint48 validUntil; uint32 maximumCalls; GasBudget gas; Allocation[] allocations; Action[] actions; }",
  "function policy(Policy policy)",
  "function enable(uint64 expectedEnableNonce, bytes policy)",
  "function revoke(bytes32 permissionId)",
  "function installModule(uint256 kind, address module, bytes data)"
])

const { gas, allocations, actions, ...others } = policy

const ceilings = {
  maxGasPerOperation: BigInt(gas.maxGasPerOperation),
  maxFeePerGas: BigInt(gas.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(gas.maxPriorityFeePerGas),
  totalGas: BigInt(gas.totalGas),
  totalCost: BigInt(gas.totalCost)
}

/** The arguments of a function that takes a policy. */
const encodedWith = (budget: typeof ceilings): Hex =>
  `0x${encodeFunctionData({
    abi: guardAbi,
    functionName: "policy",
    args: [
      {
        ...others,
        generation: BigInt(others.generation),
        gas: { ...gas, ...budget },
        allocations: allocations.map(allocation => ({ ...allocation, limit: BigInt(allocation.limit) })),
        actions: actions.map(action => ({
          ...action,
          perCall: BigInt(action.perCall),
          total: BigInt(action.total)
        }))
      }
    ]
  }).slice(10)}`

const encodedPolicy = encodedWith(ceilings)

const MOST_128 = 2n ** 128n - 1n
const MOST_256 = 2n ** 256n - 1n

const wide = encodedWith({
  maxGasPerOperation: MOST_128,
  maxFeePerGas: MOST_128,
  maxPriorityFeePerGas: MOST_128,
  totalGas: MOST_256,
  totalCost: MOST_256
})

const hashOf = (types: ReadonlyArray<string>, values: ReadonlyArray<unknown>): Hex =>
  keccak256(
    encodeAbiParameters(
      types.map(type => ({ type })),
      values
    )
  )

const policyHash = keccak256(encodedPolicy)

const permissionId = hashOf(
  ["uint256", "address", "address", "address", "uint64", "bytes32"],
  [BigInt(CHAIN), GUARD, account, policy.sessionKey, BigInt(policy.generation), policy.nonce]
)

const compiledHashOf = (encoded: Hex): Hex =>
  hashOf(["uint256", "address", "address", "bytes32"], [BigInt(CHAIN), GUARD, account, keccak256(encoded)])

const compiledHash = compiledHashOf(encodedPolicy)

const entry = (history: Hex, action: number, enableNonce: bigint, epoch: bigint) => ({
  action,
  enableNonce: String(enableNonce),
  epoch: String(epoch),
  history: hashOf(
    ["bytes32", "uint8", "bytes32", "bytes32", "uint64", "uint64"],
    [history, action, permissionId, compiledHash, enableNonce, epoch]
  )
})

const enabled = entry(word("00"), 1, 0n, 1n)
const revoked = entry(enabled.history, 2, 1n, 2n)
const uninstalled = entry(enabled.history, 3, 1n, 2n)

const operation = {
  sender: account,
  nonce: BigInt(GUARD) << 96n,
  callData,
  callGasLimit: 200_000n,
  verificationGasLimit: 120_000n,
  preVerificationGas: 60_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  signature: "0x"
} as const

const operationHash = getUserOperationHash({
  chainId: CHAIN,
  entryPointAddress: entryPoint07Address,
  entryPointVersion: "0.7",
  userOperation: operation
})

const shown = Object.fromEntries(
  Object.entries(operation).map(([name, value]) => [
    name,
    typeof value === "bigint" ? numberToHex(value) : value
  ])
)

const groups = canonicalJson([
  {
    id: "tips-group",
    total: "150",
    allocations: [
      { id: "tips", chainId: CHAIN, asset: TOKEN, limit: "100" },
      { id: "tips-base", chainId: 8453, asset: TOKEN, limit: "50" }
    ]
  }
])

const revocation = encodeFunctionData({ abi: guardAbi, functionName: "revoke", args: [permissionId] })

/** As they read with the token's name and decimals, and the allocation's text. */
const words = [
  "The key 0xFe39D3b43F86653ceC8B3EF973D86599AEc0585E may act for the wallet, from 2026-09-21T14:13:20Z until 2026-09-28T14:13:20Z (7 days), by at most 100 calls, one at a time.",
  'It may send to 0x00000000000000000000000000000000000000B0, and to nobody else, at most 0.00004 USDC a call and 0.0001 USDC in all (the token 0x00000000000000000000000000000000000000C1), counted in the allocation "tips".',
  'The allocation "tips" is 0.0001 USDC in all (the token 0x00000000000000000000000000000000000000C1), for 1 right together.',
  "One operation may use 1,500,000 gas at most, at a price of 5 gwei at most, 2 gwei of it as a tip; all together 50,000,000 gas and 0.25 ETH, counted by what operations ask for and also where their call fails.",
  "The wallet itself pays for gas.",
  "Every other call is refused, and each of these once the code of what it calls changes. The wallet's owners can end it at any time; what was used up never comes back."
]

const signature = await signer.signMessage({ message: { raw: operationHash } })

const installation = encodeAbiParameters([{ type: "uint64" }, { type: "bytes" }], [0n, encodedPolicy])

export const sessions = {
  keys: [key],
  chainId: CHAIN,
  guard: GUARD,
  account,
  policy,
  encodedPolicy,
  policyHash,
  permissionId,
  compiledHash,
  compiledHashSlot: hashOf(
    ["address", "bytes32"],
    [account, hashOf(["bytes32", "uint256"], [permissionId, 0n])]
  ),
  history: { enabled, revoked, uninstalled },
  calls: {
    enable: encodeFunctionData({ abi: guardAbi, functionName: "enable", args: [0n, encodedPolicy] }),
    revoke: revocation,
    install: encodeFunctionData({
      abi: guardAbi,
      functionName: "installModule",
      args: [1n, GUARD, installation]
    }),
    installationData: installation
  },
  names: { assets: [{ address: TOKEN, symbol: "USDC", decimals: 6 }], allocationIds: ["tips"] },
  words,
  revokeTransaction: {
    chainId: CHAIN,
    wallet: account,
    to: GUARD,
    value: "0",
    data: revocation,
    operation: 0
  },
  operation: shown,
  operationHash,
  digest: hashMessage({ raw: operationHash }),
  signature,
  envelope: concatHex([
    encodePacked(["uint8", "bytes32", "uint32"], [1, permissionId, size(encodedPolicy)]),
    encodedPolicy,
    signature
  ]),
  estimation: { encodedPolicy: wide, compiledHash: compiledHashOf(wide) },
  allocationManifest: { canonical: groups, hash: sha256(toBytes(groups)) }
}
