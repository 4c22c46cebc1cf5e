/** The wallet that a call to its factory creates, read from the bytes that set it up; loaded where a call creates one. */
import { decodeAbiParameters, encodeAbiParameters, getAddress } from "viem"
import { digitsOf } from "../values/AbiWords.ts"
import { proxyAddress, SAFE_PROXY_INIT_CODE_HASH, SAFE_SINGLETON } from "../values/SafeProxy.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { addressPieces } from "./ArgumentRows.ts"
import type { CreationArguments, ExplainedWallet, WalletParts } from "./ExplainCall.ts"
import { say } from "./sentences/Speech.ts"
import { exact, type ReviewRow, row, toned, words } from "./Words.ts"

const LOCAL: WalletParts = {
  adapter: "0x27b102239a4082fcc1b4e9abe2349fa88156f78b",
  launchpad: "0x4942a5764fcaa40d434135b4c2e2993a36ace43b",
  adapterDialect: "safe7579-4"
}

/** The adapters of public chains, and of local ones, those without a guard and with the guard of sessions. */
const KNOWN: ReadonlyArray<WalletParts> = [
  {
    adapter: "0x7579f2ad53b01c3d8779fe17928e0d48885b0003",
    launchpad: "0x75798463024bda64d83c94a64bc7d7eab41300ef",
    adapterDialect: "safe7579-1"
  },
  LOCAL,
  { ...LOCAL, guard: "0x0d271999446e323a83987974491c11dd21441f97" }
]

const SET_UP = "0xb63e800d"
const SETTING_UP = [
  { name: "owners", type: "address[]" },
  { name: "threshold", type: "uint256" },
  { name: "to", type: "address" },
  { name: "data", type: "bytes" },
  { name: "fallbackHandler", type: "address" },
  { name: "paymentToken", type: "address" },
  { name: "payment", type: "uint256" },
  { name: "paymentReceiver", type: "address" }
] as const

const MODULES = { type: "tuple[]", components: [{ type: "address" }, { type: "bytes" }] } as const
const TYPED_MODULES = {
  type: "tuple[]",
  components: [{ type: "address" }, { type: "bytes" }, { type: "uint256" }]
} as const

const ADD_ADAPTER = {
  "safe7579-4": {
    selector: "0xd78343d9",
    parameters: [
      { type: "address" },
      MODULES,
      MODULES,
      MODULES,
      MODULES,
      { type: "address[]" },
      { type: "uint8" }
    ]
  },
  "safe7579-1": {
    selector: "0x47cbbdca",
    parameters: [{ type: "address" }, TYPED_MODULES, { type: "address[]" }, { type: "uint8" }]
  }
} as const

const VALIDATOR = 1n

/** The library refuses letters whose case is not the checksum's. */
const lower = (address: Address): Address => `0x${digitsOf(address)}`

/** Nothing but the guard is installed, where there is one. */
const installationBy = ({ adapter, adapterDialect, guard }: WalletParts): string => {
  const guards = guard === undefined ? [] : [lower(guard)]
  if (adapterDialect === "safe7579-1") {
    const { selector, parameters } = ADD_ADAPTER[adapterDialect]
    const modules = guards.map(each => [each, "0x", VALIDATOR] as const)
    return selector + encodeAbiParameters(parameters, [lower(adapter), modules, [], 0]).slice(2)
  }
  const { selector, parameters } = ADD_ADAPTER[adapterDialect]
  const modules = guards.map(each => [each, "0x"] as const)
  return selector + encodeAbiParameters(parameters, [lower(adapter), modules, [], [], [], [], 0]).slice(2)
}

const setUpIn = (initializer: Hex) => {
  if (!initializer.startsWith(SET_UP)) return undefined
  const given = `0x${initializer.slice(SET_UP.length)}` as const
  try {
    const values = decodeAbiParameters(SETTING_UP, given)
    if (encodeAbiParameters(SETTING_UP, values) !== given) return undefined
    const [owners, threshold, to, data, fallbackHandler, ...payment] = values
    return { owners, threshold, to, data, fallbackHandler, payment }
  } catch {
    return undefined
  }
}

type SetUp = NonNullable<ReturnType<typeof setUpIn>>

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The zero address, and the one that ends a wallet's own list of its owners. */
const isNobody = (owner: string): boolean => BigInt(owner) <= 1n

const ownerDangers = ({ owners, threshold }: SetUp): ReadonlyArray<string> => [
  ...(owners.length === 0 ? ["the wallet would have no owner"] : []),
  ...(new Set(owners).size < owners.length ? ["the wallet names an owner twice"] : []),
  ...(owners.some(isNobody) ? ["the wallet names an owner who is nobody"] : []),
  ...(threshold < 1n || threshold > BigInt(owners.length)
    ? [`${threshold} of its ${owners.length} owners would have to sign`]
    : [])
]

const powerDangers = (
  { to, data, fallbackHandler }: SetUp,
  parts: ReadonlyArray<WalletParts>
): ReadonlyArray<string> => {
  const own = parts.filter(({ adapter }) => isSame(adapter, fallbackHandler))
  if (own.length === 0)
    return [`the wallet would be acted for by ${fallbackHandler}, which is no adapter that is known here`]
  const launched = own.filter(({ launchpad }) => isSame(launchpad, to))
  if (launched.length === 0)
    return [`the wallet would be handed to ${to} on its creation, which is not its adapter's launchpad`]
  return launched.some(each => installationBy(each) === data)
    ? []
    : ["the wallet would be given other modules than its owners"]
}

const paymentDangers = ({ payment: [token, amount, receiver] }: SetUp): ReadonlyArray<string> =>
  amount === 0n && BigInt(token) === 0n && BigInt(receiver) === 0n
    ? []
    : [`the wallet would pay ${amount} of ${token} to ${receiver} for its creation`]

const ownerRows = ({ owners }: SetUp, creator: string): ReadonlyArray<ReviewRow> => [
  ...owners.map(owner => toned("key", row("owner", ...addressPieces(owner, creator)))),
  ...(owners.some(owner => isSame(owner, creator))
    ? []
    : [
        toned("warning", row("owner", words("the planned wallet is none of them and will have no say in it")))
      ])
]

/** `named` is what manifests name besides what is known to everybody. */
export const createdWalletOf =
  (named: ReadonlyArray<WalletParts>) =>
  (factory: Address, [singleton, initializer, saltNonce]: CreationArguments): ExplainedWallet => {
    const setUp = setUpIn(initializer)
    const ofSafe = isSame(singleton, SAFE_SINGLETON)
      ? []
      : [`the wallet would run the code of ${singleton}, which is not the Safe's`]
    if (setUp === undefined)
      return { dangers: [...ofSafe, "the wallet would be set up by bytes that nothing explains"] }
    const { owners, threshold } = setUp
    const address = exact(
      getAddress(proxyAddress(factory, SAFE_PROXY_INIT_CODE_HASH, initializer, saltNonce))
    )
    const owned =
      owners.length === 1
        ? say`owned by 1 address, which must sign`
        : say`owned by ${[exact(owners.length)]} addresses, of which ${[exact(threshold)]} must sign`
    return {
      clause: say`create a wallet at ${[address]} ${owned}`,
      rowsFor: creator => ownerRows(setUp, creator),
      dangers: [
        ...ofSafe,
        ...ownerDangers(setUp),
        ...powerDangers(setUp, [...KNOWN, ...named]),
        ...paymentDangers(setUp)
      ]
    }
  }
