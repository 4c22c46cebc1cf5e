/** Wallets of several owners: how they come to be, are bound to an account, and sign what a bundler carries. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  getContractAddress,
  hashTypedData,
  keccak256,
  parseAbi,
  sha256,
  toBytes,
  toFunctionSelector,
  zeroAddress
} from "viem"
import { entryPoint07Address, getUserOperationHash, toPackedUserOperation } from "viem/account-abstraction"
import { privateKeyToAccount } from "viem/accounts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { testKey } from "../../test/signatures/TestKeys.ts"
import { accountId, type Hex, word } from "./Vector.ts"

const CHAIN = 31_337
const keys = [1, 2, 3].map(number => testKey(`execution vector owner ${number}`))
const addresses = keys.map(({ address }) => getAddress(address))
const [first = zeroAddress] = addresses
const owners = [...addresses].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

const SINGLETON: Address = "0x29fcB43b46531BcA003ddC8FCB67FFE91900C762"
const FACTORY: Address = "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67"
const ADAPTER: Address = "0x27b102239A4082fCC1B4E9Abe2349fa88156f78b"
const LAUNCHPAD: Address = "0x4942a5764fcaA40d434135b4C2E2993a36aCe43B"
const VALIDATOR: Address = "0x5e55100000000000000000000000000000000001"
/** Of Safe's proxy for this singleton. */
const PROXY_INIT_CODE_HASH = "0xe298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee"

const safeAbi = parseAbi([
  "function setup(address[], uint256, address, bytes, address, address, uint256, address)",
  "function createProxyWithNonce(address, bytes, uint256)",
  "function execute(bytes32, bytes)"
])

const fourLists = parseAbi([
  "function addSafe7579(address, (address, bytes)[], (address, bytes)[], (address, bytes)[], (address, bytes)[], address[], uint8)"
])
const oneList = parseAbi(["function addSafe7579(address, (address, bytes, uint256)[], address[], uint8)"])

const installations = {
  "safe7579-4": (validators: ReadonlyArray<Address>) =>
    encodeFunctionData({
      abi: fourLists,
      args: [ADAPTER, validators.map(validator => [validator, "0x"] as const), [], [], [], [], 0]
    }),
  "safe7579-1": (validators: ReadonlyArray<Address>) =>
    encodeFunctionData({
      abi: oneList,
      args: [ADAPTER, validators.map(validator => [validator, "0x", 1n] as const), [], 0]
    })
}

interface Creating {
  readonly dialect: keyof typeof installations
  readonly threshold: number
  readonly saltNonce: string
  readonly validators: ReadonlyArray<Address>
}

const creation = (name: string, description: string, creating: Creating) => {
  const { dialect, threshold, saltNonce, validators } = creating
  const initializer = encodeFunctionData({
    abi: safeAbi,
    functionName: "setup",
    args: [
      owners,
      BigInt(threshold),
      LAUNCHPAD,
      installations[dialect](validators),
      ADAPTER,
      zeroAddress,
      0n,
      zeroAddress
    ]
  })
  const salt = keccak256(encodePacked(["bytes32", "uint256"], [keccak256(initializer), BigInt(saltNonce)]))
  return {
    name,
    description,
    adapterDialect: dialect,
    owners,
    threshold,
    saltNonce,
    validators,
    initializer,
    initializerHash: keccak256(initializer),
    salt,
    address: getContractAddress({
      opcode: "CREATE2",
      from: FACTORY,
      salt,
      bytecodeHash: PROXY_INIT_CODE_HASH
    }),
    calldata: encodeFunctionData({
      abi: safeAbi,
      functionName: "createProxyWithNonce",
      args: [SINGLETON, initializer, BigInt(saltNonce)]
    })
  }
}

const twoOfThree: Creating = {
  dialect: "safe7579-4",
  threshold: 2,
  saltNonce: "42",
  validators: [VALIDATOR]
}

const created = creation("two-of-three", "Three owners, of whom two sign; one validator.", twoOfThree)

const creations = [
  created,
  creation("no-validator", "The same owners without a validator, and the largest salt.", {
    ...twoOfThree,
    validators: [],
    saltNonce: String(2n ** 256n - 1n)
  }),
  creation("one-list", "An adapter that takes all modules in one list.", {
    ...twoOfThree,
    dialect: "safe7579-1"
  })
]

const wallet = created.address

const signedBy = (signers: ReadonlyArray<Address>, sign: (key: Hex) => Promise<Hex>) =>
  Promise.all(
    signers.map(async signer => {
      const key = keys.find(({ address }) => address === signer.toLowerCase())
      return { signer, signature: await sign(key?.privateKey ?? "0x") }
    })
  )

const ordered = owners.slice(0, 2)

const AUDIENCE = "http://localhost:8787"
const ACCOUNT = accountId(CHAIN, first.toLowerCase())

const lower = (address: Address) => address.toLowerCase()

const state = canonicalJson({
  chainId: CHAIN,
  address: lower(wallet),
  manifestId: "safe7579-guard-31337",
  manifestRevision: word("dd"),
  singleton: lower(SINGLETON),
  adapter: lower(ADAPTER),
  entryPoint: lower(entryPoint07Address),
  fallbackHandler: lower(ADAPTER),
  transactionGuard: zeroAddress,
  hook: zeroAddress,
  owners: owners.map(lower),
  threshold: 2,
  safeModules: [lower(ADAPTER)],
  validators: [lower(VALIDATOR)],
  executors: []
})

const identity = canonicalJson({ accountId: ACCOUNT, address: lower(wallet), chainId: CHAIN })

const BIND = {
  BindSmartAccount: [
    { name: "accountId", type: "string" },
    { name: "owner", type: "address" },
    { name: "stateHash", type: "bytes32" },
    { name: "nonce", type: "bytes32" },
    { name: "expiresAt", type: "uint64" }
  ]
} as const

const domain = {
  name: "Service Smart Account",
  version: "1",
  chainId: CHAIN,
  verifyingContract: wallet,
  salt: keccak256(toBytes(AUDIENCE))
}

const challenge = {
  accountId: ACCOUNT,
  owner: first,
  stateHash: keccak256(toBytes(state)),
  nonce: word("01"),
  expiresAt: 1_790_000_600
}

const binding = async () => {
  const typed = {
    domain,
    types: BIND,
    primaryType: "BindSmartAccount",
    message: { ...challenge, expiresAt: BigInt(challenge.expiresAt) }
  } as const
  const signatures = await signedBy(ordered, key => privateKeyToAccount(key).signTypedData(typed))
  return {
    audience: AUDIENCE,
    types: BIND,
    state: { canonical: state, hash: challenge.stateHash },
    bindingId: { canonical: identity, hash: sha256(toBytes(identity)) },
    domain,
    message: challenge,
    digest: hashTypedData(typed),
    signatures,
    packedSignatures: concatHex(signatures.map(({ signature }) => signature))
  }
}

const TOKEN: Address = "0x00000000000000000000000000000000000000C1"

const transfer = (amount: bigint) =>
  encodeFunctionData({
    abi: parseAbi(["function transfer(address, uint256)"]),
    args: ["0x00000000000000000000000000000000000000b0", amount]
  })

interface Call {
  readonly to: Address
  readonly value: string
  readonly data: Hex
}

const several = [
  { type: "tuple[]", components: [{ type: "address" }, { type: "uint256" }, { type: "bytes" }] }
]

const encodedCalls = (calls: ReadonlyArray<Call>): Hex => {
  const [only = { to: zeroAddress, value: "0", data: "0x" as const }] = calls
  return calls.length === 1
    ? encodePacked(["address", "uint256", "bytes"], [only.to, BigInt(only.value), only.data])
    : encodeAbiParameters(several, [calls.map(({ to, value, data }) => [to, BigInt(value), data])])
}

const execution = (name: string, description: string, calls: ReadonlyArray<Call>) => ({
  name,
  description,
  calls,
  calldata: encodeFunctionData({
    abi: safeAbi,
    functionName: "execute",
    args: [calls.length === 1 ? word("00") : `0x01${"00".repeat(31)}`, encodedCalls(calls)]
  })
})

const single = execution("one-call", "A transfer of a token.", [
  { to: TOKEN, value: "0", data: transfer(10n) }
])

const executions = [
  single,
  execution("two-calls", "A transfer, and ether for somebody.", [
    { to: TOKEN, value: "0", data: transfer(10n) },
    { to: "0x00000000000000000000000000000000000000b0", value: "1000000000000000000", data: "0x" }
  ])
]

const plain = {
  sender: wallet,
  nonce: "0x5",
  callData: single.calldata,
  callGasLimit: "0x30d40",
  verificationGasLimit: "0x1d4c0",
  preVerificationGas: "0xea60",
  maxFeePerGas: "0xb2d05e00",
  maxPriorityFeePerGas: "0x3b9aca00",
  signature: "0x"
} as const

const sponsored = {
  ...plain,
  nonce: "0x6",
  paymaster: "0x00000000000000000000000000000000000000D1",
  paymasterVerificationGasLimit: "0x15f90",
  paymasterPostOpGasLimit: "0x0",
  paymasterData: "0x0011"
} as const

type Operation = typeof plain | typeof sponsored

const unpacked = (operation: Operation) => ({
  sender: operation.sender,
  nonce: BigInt(operation.nonce),
  callData: operation.callData,
  callGasLimit: BigInt(operation.callGasLimit),
  verificationGasLimit: BigInt(operation.verificationGasLimit),
  preVerificationGas: BigInt(operation.preVerificationGas),
  maxFeePerGas: BigInt(operation.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  signature: operation.signature,
  ...("paymaster" in operation && {
    paymaster: operation.paymaster,
    paymasterVerificationGasLimit: BigInt(operation.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: BigInt(operation.paymasterPostOpGasLimit),
    paymasterData: operation.paymasterData
  })
})

const SAFE_OP = {
  SafeOp: [
    { name: "safe", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "initCode", type: "bytes" },
    { name: "callData", type: "bytes" },
    { name: "verificationGasLimit", type: "uint128" },
    { name: "callGasLimit", type: "uint128" },
    { name: "preVerificationGas", type: "uint256" },
    { name: "maxPriorityFeePerGas", type: "uint128" },
    { name: "maxFeePerGas", type: "uint128" },
    { name: "paymasterAndData", type: "bytes" },
    { name: "validAfter", type: "uint48" },
    { name: "validUntil", type: "uint48" },
    { name: "entryPoint", type: "address" }
  ]
} as const

const VALIDITY = { validAfter: 1_790_000_000, validUntil: 1_790_000_300 }

const ownerSigning = async (operation: Operation) => {
  const given = unpacked(operation)
  const { initCode, paymasterAndData } = toPackedUserOperation(given)
  const typed = {
    domain: { chainId: CHAIN, verifyingContract: ADAPTER },
    types: SAFE_OP,
    primaryType: "SafeOp",
    message: {
      ...given,
      ...VALIDITY,
      safe: wallet,
      initCode,
      paymasterAndData,
      entryPoint: entryPoint07Address
    }
  } as const
  const signatures = await signedBy(ordered, key => privateKeyToAccount(key).signTypedData(typed))
  const times = encodePacked(["uint48", "uint48"], [VALIDITY.validAfter, VALIDITY.validUntil])
  return {
    ...VALIDITY,
    digest: hashTypedData(typed),
    signatures,
    envelope: concatHex([times, ...signatures.map(({ signature }) => signature)])
  }
}

const operation = async (name: string, description: string, given: Operation) => {
  const { accountGasLimits, gasFees, paymasterAndData } = toPackedUserOperation(unpacked(given))
  return {
    name,
    description,
    operation: given,
    packed: { accountGasLimits, gasFees, paymasterAndData },
    hash: getUserOperationHash({
      chainId: CHAIN,
      entryPointAddress: entryPoint07Address,
      entryPointVersion: "0.7",
      userOperation: unpacked(given)
    }),
    owners: await ownerSigning(given)
  }
}

export const smartAccounts = {
  keys,
  chainId: CHAIN,
  contracts: {
    singleton: SINGLETON,
    factory: FACTORY,
    adapter: ADAPTER,
    launchpad: LAUNCHPAD,
    entryPoint: entryPoint07Address,
    proxyInitCodeHash: PROXY_INIT_CODE_HASH
  },
  creation: { vectors: creations },
  binding: await binding(),
  execution: { selector: toFunctionSelector(safeAbi[2]), vectors: executions },
  operation: {
    types: SAFE_OP,
    vectors: [
      await operation("wallet-pays", "The wallet pays for its operation.", plain),
      await operation("paymaster-pays", "A paymaster pays for it.", sponsored)
    ]
  }
}
