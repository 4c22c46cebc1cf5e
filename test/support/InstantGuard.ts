/** Wallets under a guard on a chain that answers at once: the guard says to each question what it was given to say. */
import { type Address, encodeFunctionResult, type Hex, keccak256, toFunctionSelector, zeroHash } from "viem"
import { localManifest } from "../../sandbox/execution/Manifest.ts"
import { revised, type SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { guardAbi } from "../sessions/support/Abis.ts"
import { instantManifest } from "./InstantForwarder.ts"
import { instantWalletManifest, validatorsTold, walletResults } from "./InstantWallets.ts"

const GUARD: Address = "0x1000000000000000000000000000000000000003"
/** About as long as a guard's. */
const GUARD_CODE: Hex = `0x${"6001".repeat(5_300)}`

const [terminal] = instantManifest.deployments

const guarded = (): SmartManifest => {
  const { revision: _, pins, ...terms } = instantWalletManifest
  const { address, runtimeCodeHash } = terminal
  const reviewed = { kind: "v6-terminal", address, runtimeCodeHash, reviewId: "instant" }
  const guard = { address: GUARD, runtimeCodeHash: keccak256(GUARD_CODE), source: "none" }
  const assets = localManifest().reviewed.assets.filter(({ assetIdentity }) => assetIdentity === "ether")
  return revised({ ...terms, pins: { ...pins, guard }, reviewed: { targets: [reviewed], assets } })
}

/** Of wallets of one owner each, which may pay the only terminal. */
export const instantGuardedManifest = guarded()

/** Of a wallet whose owners enabled nothing yet. */
const UNTOUCHED = encodeFunctionResult({
  abi: guardAbi,
  functionName: "administrationOf",
  result: { enableNonce: 0n, epoch: 0n, installed: true, history: zeroHash, live: zeroHash }
})
const ADMINISTRATION = toFunctionSelector("administrationOf(address)")
const STATE_WORDS = 40
const NO_STATE: Hex = `0x${"0".repeat(64 * STATE_WORDS)}`

const NONCES = ["getNonce(address,uint192)", "getNonce(address,address)"].map(text =>
  toFunctionSelector(text)
)
/** The first of those that begin with the guard. */
const FIRST_NONCE: Hex = `0x${GUARD.slice(2)}${"0".repeat(24)}`

const isNonceOfGuard = (data: string) =>
  NONCES.some(selector => data.startsWith(selector)) && data.includes(GUARD.slice(2))

const member = (value: unknown, name: string) => String(Object(value)[name])

/** As a wallet's chain answers, and by `instant_say` what the guard is to answer to calls with such data. */
export const guardedResults = (owners: ReadonlyArray<Address>): ReturnType<typeof walletResults> => {
  const results = walletResults(owners)
  const said = new Map<string, unknown>()
  const byGuard = (data: string) => said.get(data) ?? (data.startsWith(ADMINISTRATION) ? UNTOUCHED : NO_STATE)
  return {
    ...results,
    instant_say: words => {
      for (const [data, answer] of Object.entries(Object(words))) said.set(data, answer)
      return true
    },
    eth_getCode: (address, at) =>
      String(address).toLowerCase() === GUARD ? GUARD_CODE : results.eth_getCode?.(address, at),
    eth_call: (asked, at) => {
      const data = member(asked, "data")
      if (member(asked, "to").toLowerCase() === GUARD) return byGuard(data)
      if (isNonceOfGuard(data)) return FIRST_NONCE
      return validatorsTold(asked, GUARD) ?? results.eth_call?.(asked, at)
    }
  }
}
