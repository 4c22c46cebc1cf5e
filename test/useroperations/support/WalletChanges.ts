/** What can change of a wallet, or of what it stands on, between two steps of an operation's way, and how it is as it was again. */
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  padHex,
  parseAbi,
  toFunctionSelector
} from "viem"
import { assert } from "vitest"
import { pinsOf } from "../../../src/smartaccounts/Manifest.ts"
import { ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { manifest, YES } from "../../smartaccounts/support/Inspections.ts"
import { contracts, GUARD, safeAbi } from "../../smartaccounts/support/Wallets.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import type { BoundTestWallet, OperatingBench } from "./Operating.ts"

/** An address without code. */
const SOMEBODY: Address = "0x00000000000000000000000000000000000abcde"
/** Has code that says yes to everything. */
export const MODULE: Address = "0x00000000000000000000000000000000000000f1"
const SENTINEL: Address = "0x0000000000000000000000000000000000000001"
const SINGLETON_SLOT: Hex = `0x${"00".repeat(32)}`

type Standing = Pick<BoundTestWallet, "wallet" | "owners">
type Bench = Pick<OperatingBench, "chain" | "sandbox">
type Doing = (bench: Bench, standing: Standing) => Promise<void>

export interface WalletChange {
  readonly name: string
  readonly make: Doing
  /** Left out where nothing makes the wallet what it was. */
  readonly undo?: Doing
  /** How whatever is asked meanwhile is refused. */
  readonly code: "SMART_ACCOUNT_UNSUPPORTED" | "SMART_ACCOUNT_CHANGED" | "SMART_ACCOUNT_UNDEPLOYED"
  readonly check?: string
  /** Of a wallet that is not bound yet, where that is another. */
  readonly unbound?: readonly [code: string, check?: string]
}

const abi = parseAbi([
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function removeOwner(address before, address owner, uint256 threshold)",
  "function swapOwner(address before, address owner, address other)",
  "function changeThreshold(uint256 threshold)",
  "function enableModule(address module)",
  "function disableModule(address before, address module)",
  "function setFallbackHandler(address handler)",
  "function setGuard(address guard)",
  "function installModule(uint256 kind, address module, bytes data)",
  "function uninstallModule(uint256 kind, address module, bytes data)"
])

/** A call of the wallet's, to itself unless told otherwise, as its owners could have it made. */
export const walletDoes = async (
  { chain }: Bench,
  { wallet: { address: from } }: Pick<Standing, "wallet">,
  data: Hex,
  to = from
): Promise<void> => {
  await rpc(chain.url, "anvil_impersonateAccount", [from])
  const call = { from, to, data, gas: "0x100000" }
  const { status } = await rpc(chain.url, "eth_sendTransactionSync", [call])
  assert.strictEqual(status, "0x1")
}

const does =
  (data: () => Hex): Doing =>
  (bench, standing) =>
    walletDoes(bench, standing, data())

interface Listed {
  readonly owner: Address
  /** In the wallet's own list. */
  readonly before: Address
}

const ofOwner =
  (ownerOf: (standing: Standing) => Address, data: (listed: Listed, standing: Standing) => Hex): Doing =>
  async (bench, standing) => {
    const owner = ownerOf(standing)
    const listed = await bench.sandbox.client.readContract({
      address: standing.wallet.address,
      abi: safeAbi,
      functionName: "getOwners"
    })
    const before = listed[listed.findIndex(each => isAddressEqual(each, owner)) - 1] ?? SENTINEL
    await walletDoes(bench, standing, data({ owner, before }, standing))
  }

/** At this place of those it was created with. */
const ownerAt =
  (place: number) =>
  ({ owners }: Standing): Address =>
    owners[place]?.address ?? assert.fail("no such owner")

export const addOwner = does(() =>
  encodeFunctionData({ abi, functionName: "addOwnerWithThreshold", args: [SOMEBODY, 2n] })
)

const STATE = ["SMART_ACCOUNT_CHANGED", "state"] as const

const threshold = (count: bigint) =>
  does(() => encodeFunctionData({ abi, functionName: "changeThreshold", args: [count] }))

const without = (place: number): Pick<WalletChange, "make" | "undo"> => ({
  make: ofOwner(ownerAt(place), ({ before, owner }) =>
    encodeFunctionData({ abi, functionName: "removeOwner", args: [before, owner, 2n] })
  ),
  undo: ofOwner(ownerAt(place), ({ owner }) =>
    encodeFunctionData({ abi, functionName: "addOwnerWithThreshold", args: [owner, 2n] })
  )
})

const second = ownerAt(1)

const ofOwners: ReadonlyArray<WalletChange> = [
  {
    name: "an owner is added",
    make: addOwner,
    undo: does(() =>
      encodeFunctionData({ abi, functionName: "removeOwner", args: [SENTINEL, SOMEBODY, 2n] })
    ),
    check: "owners"
  },
  { name: "an owner is removed", ...without(2), check: "owners" },
  {
    name: "the owner whose account it is is removed",
    ...without(0),
    check: "owners",
    unbound: ["SMART_OWNER_NOT_MEMBER"] as const
  },
  {
    name: "a signer is swapped",
    make: ofOwner(second, ({ before, owner }) =>
      encodeFunctionData({ abi, functionName: "swapOwner", args: [before, owner, SOMEBODY] })
    ),
    undo: ofOwner(
      () => SOMEBODY,
      ({ before, owner }, standing) =>
        encodeFunctionData({ abi, functionName: "swapOwner", args: [before, owner, second(standing)] })
    ),
    check: "owners"
  },
  { name: "the threshold is lower", make: threshold(1n), undo: threshold(2n), check: "threshold" },
  { name: "the threshold is higher", make: threshold(3n), undo: threshold(2n), check: "threshold" }
].map((change): WalletChange => ({ unbound: STATE, ...change, code: "SMART_ACCOUNT_CHANGED" }))

const handler = (address: Address) =>
  does(() => encodeFunctionData({ abi, functionName: "setFallbackHandler", args: [address] }))

const guard = (address: Address) =>
  does(() => encodeFunctionData({ abi, functionName: "setGuard", args: [address] }))

const singleton =
  (address: Address): Doing =>
  async (bench, { wallet }) => {
    const value = padHex(address, { size: 32 })
    await rpc(bench.chain.url, "anvil_setStorageAt", [wallet.address, SINGLETON_SLOT, value])
    await mine(bench, 1)
  }

const module = (
  functionName: "installModule" | "uninstallModule",
  kind: bigint,
  data: Hex,
  address: Address = MODULE
) => does(() => encodeFunctionData({ abi, functionName, args: [kind, address, data] }))

const [VALIDATOR, EXECUTOR, FALLBACK, HOOK] = [1n, 2n, 3n, 4n]

/** The module before it in the list, and what it is told of its end. */
const LISTED = encodeAbiParameters([{ type: "address" }, { type: "bytes" }], [SENTINEL, "0x"])

const HANDLED = encodeAbiParameters(
  [{ type: "bytes4" }, { type: "bytes1" }, { type: "bytes" }],
  [toFunctionSelector("transfer(address,uint256)"), "0x00", "0x"]
)

const HOOKED = encodeAbiParameters(
  [{ type: "uint8" }, { type: "bytes4" }, { type: "bytes" }],
  [0, "0x00000000", "0x"]
)

const listed = (kind: bigint): Pick<WalletChange, "make" | "undo"> => ({
  make: module("installModule", kind, "0x"),
  undo: module("uninstallModule", kind, LISTED)
})

const ofControl = [
  {
    check: "safe-modules",
    make: does(() => encodeFunctionData({ abi, functionName: "enableModule", args: [MODULE] })),
    undo: does(() => encodeFunctionData({ abi, functionName: "disableModule", args: [SENTINEL, MODULE] }))
  },
  { check: "fallback-handler", make: handler(MODULE), undo: handler(contracts.adapter) },
  { check: "transaction-guard", make: guard(MODULE), undo: guard(ZERO_ADDRESS) },
  { check: "singleton", make: singleton(MODULE), undo: singleton(contracts.singleton) },
  { check: "validators", ...listed(VALIDATOR) },
  { check: "executors", ...listed(EXECUTOR) }
]

/** With other code, which a chain can only have for a while. */
const coded = (addressOf: (standing: Standing) => Address, codeOf: (before: Hex) => Hex) => {
  let before: Hex = "0x"
  const put = async (bench: Bench, address: Address, code: Hex) => {
    await rpc(bench.chain.url, "anvil_setCode", [address, code])
    await mine(bench, 1)
  }
  const make: Doing = async (bench, standing) => {
    const address = addressOf(standing)
    before = await rpc(bench.chain.url, "eth_getCode", [address, "latest"])
    await put(bench, address, codeOf(before))
  }
  const undo: Doing = (bench, standing) => put(bench, addressOf(standing), before)
  return { make, undo }
}

const none = () => "0x" as const
const longer = (before: Hex): Hex => `${before}00`
const useless = () => "0x00" as const

const ofCode = [
  ...pinsOf(manifest).map(({ name, address }) => ({
    check: `pin:${name}`,
    ...coded(() => address, useless)
  })),
  { check: "account-code", ...coded(({ wallet }) => wallet.address, longer) },
  {
    check: "contract-owner",
    ...coded(
      ({ owners }) => owners[2]?.address ?? SOMEBODY,
      () => YES
    )
  }
]

/** After each of these what was asked before goes on. */
export const PASSING: ReadonlyArray<WalletChange> = [
  ...ofOwners,
  ...[...ofControl, ...ofCode].map(
    (change): WalletChange => ({ name: change.check, code: "SMART_ACCOUNT_UNSUPPORTED", ...change })
  ),
  {
    name: "no code",
    code: "SMART_ACCOUNT_UNDEPLOYED",
    ...coded(({ wallet }) => wallet.address, none)
  },
  {
    name: "the guard is uninstalled",
    code: "SMART_ACCOUNT_CHANGED",
    check: "validators",
    unbound: STATE,
    make: module("uninstallModule", VALIDATOR, LISTED, GUARD),
    undo: module("installModule", VALIDATOR, "0x", GUARD)
  }
]

/** A wallet never had one of these, or it is none for good. */
export const LASTING: ReadonlyArray<WalletChange> = [
  {
    name: "a handler of its own",
    code: "SMART_ACCOUNT_UNSUPPORTED",
    check: "fallback-modules",
    make: module("installModule", FALLBACK, HANDLED)
  },
  {
    name: "a hook",
    code: "SMART_ACCOUNT_UNSUPPORTED",
    check: "hook",
    make: module("installModule", HOOK, HOOKED)
  }
]
