/** Whether an address is a wallet that its owners alone control, by the code of a manifest, at one block. */
import { Effect, Option } from "effect"
import type { ChainSession, RawLog } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { NO_CODE, packedReads } from "../protocol/PackedCalls.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Evidence } from "../values/Evidence.ts"
import { type Address, type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"
import { type NamedPin, pinsOf, type SmartManifest } from "./Manifest.ts"
import { SmartAccountUndeployed } from "./refusals.ts"
import { type GuardSession, type InspectedWallet, MAXIMUM_OWNERS } from "./SmartAccount.ts"
import type { WalletState } from "./StateHash.ts"
import { firstFault, manifestHead, ownerChecks, pinChecks, type WalletVerdict } from "./WalletChecks.ts"
import { EXECUTOR, historyRefused, installedEver, VALIDATOR } from "./WalletHistory.ts"
import { SENTINEL, type WalletFindings, walletReads } from "./WalletReads.ts"

export interface WalletInspection {
  readonly state: WalletState
  /** Of the wallet's own transactions. */
  readonly safeNonce: string
  readonly evidence: Evidence
  readonly codeHashes: ReadonlyArray<NamedPin>
  /** A permission that lives there is shown, whoever knows of it: it changes nothing of who owns the wallet. */
  readonly session?: GuardSession
}

const addressIn = (word: Bytes32): Address | undefined =>
  word.startsWith(`0x${"0".repeat(24)}`) ? checksummed(`0x${word.slice(26)}`) : undefined

const holds = (word: Option.Option<Bytes32>, address: Address): boolean =>
  Option.exists(word, told => addressIn(told) === address)

const areOwners = (owners: ReadonlyArray<Address>): boolean =>
  owners.length >= 1 &&
  owners.length <= MAXIMUM_OWNERS &&
  new Set(owners).size === owners.length &&
  owners.every(owner => BigInt(owner) > 1n)

/** As many owners as there are must sign at most, and one at least. */
const isThreshold = (threshold: Option.Option<string>, owners: ReadonlyArray<Address>): boolean =>
  Option.exists(threshold, text => BigInt(text) >= 1n && BigInt(text) <= BigInt(owners.length))

type ListPage = WalletFindings["validators"]

/** A list that ends where it does, whose members are all of these. */
const isWithin = (page: ListPage, allowed: ReadonlyArray<Address>): boolean =>
  Option.exists(page, ([members, next]) => next === SENTINEL && members.every(one => allowed.includes(one)))

const isExactly = (page: ListPage, only: Address): boolean =>
  isWithin(page, [only]) && Option.exists(page, ([members]) => members.length === 1)

const isLaidOut = ({ nonces }: WalletFindings): boolean =>
  nonces.every(({ counted, adapted, key }) =>
    Option.exists(
      Option.all([counted, adapted]),
      ([one, other]) => one === other && BigInt(one) >> 64n === key
    )
  )

const control = (found: WalletFindings, manifest: SmartManifest): ReadonlyArray<WalletVerdict> => {
  const { pins, safeVersion, proxyRuntimeCodeHash } = manifest
  const owners = Option.getOrElse(found.owners, () => [])
  return [
    ["account-code", found.codeHash === proxyRuntimeCodeHash],
    ...pinChecks(pinsOf(manifest), found.pinned),
    ["singleton", addressIn(found.singleton) === pins.singleton.address],
    ["version", Option.contains(found.version, safeVersion)],
    ["fallback-handler", holds(found.handler, pins.adapter.address)],
    ["transaction-guard", holds(found.transactionGuard, ZERO_ADDRESS)],
    ["owners", areOwners(owners)],
    ["threshold", isThreshold(found.threshold, owners)]
  ]
}

/** Any other kind, such as a handler that anyone may call in the wallet's name, the adapter only tells by its selector. */
const isListed = (kind: bigint): boolean => kind === VALIDATOR || kind === EXECUTOR

const modules = (
  found: WalletFindings,
  { pins }: SmartManifest,
  history: ReadonlyArray<RawLog>
): ReadonlyArray<WalletVerdict> => [
  ["safe-modules", isExactly(found.safeModules, pins.adapter.address)],
  ["validators", isWithin(found.validators, pins.guard === undefined ? [] : [pins.guard.address])],
  ["executors", isWithin(found.executors, [])],
  ["hook", Option.contains(found.hook, ZERO_ADDRESS)],
  ["fallback-modules", Option.exists(installedEver(history), kinds => kinds.every(isListed))],
  ["entry-point", Option.contains(found.entryPoint, pins.entryPoint.address)],
  ["nonce-layout", isLaidOut(found)],
  ["session", pins.guard === undefined || Option.isSome(found.administration)]
]

const sessionIn = ({ administration }: WalletFindings): Pick<WalletInspection, "session"> =>
  Option.match(administration, {
    onNone: () => ({}),
    onSome: ([enableNonce, epoch, installed, history, live]) => ({
      session: { installed, enableNonce, epoch, history, live: BigInt(live) === 0n ? null : live }
    })
  })

const members = (page: ListPage): ReadonlyArray<Address> =>
  Option.match(page, { onNone: () => [], onSome: ([all]) => all })

const stateOf = (found: WalletFindings, manifest: SmartManifest, address: Address): WalletState => ({
  chainId: manifest.chainId,
  address,
  manifestId: manifest.id,
  manifestRevision: manifest.revision,
  singleton: manifest.pins.singleton.address,
  adapter: manifest.pins.adapter.address,
  entryPoint: manifest.pins.entryPoint.address,
  fallbackHandler: manifest.pins.adapter.address,
  transactionGuard: ZERO_ADDRESS,
  hook: ZERO_ADDRESS,
  owners: Option.getOrElse(found.owners, () => []),
  threshold: Number(Option.getOrElse(found.threshold, () => "0")),
  safeModules: members(found.safeModules),
  validators: members(found.validators),
  executors: members(found.executors)
})

export const shownWallet = ({ state, ...found }: WalletInspection): InspectedWallet => ({
  ...state,
  ...found,
  moduleConfigurationVerified: true
})

/** Of one endpoint. */
export interface InspectionPlace {
  readonly session: ChainSession
  readonly evidence: Evidence
}

/** The code of owners who are expected travels with all else, in one round trip; that of others takes a second one. */
export const inspectAt = Effect.fnUntraced(function* (
  { session, evidence }: InspectionPlace,
  manifest: SmartManifest,
  address: Address,
  expected: ReadonlyArray<Address> = []
) {
  const reading = batched(session)
  const found = yield* walletReads(reading, evidence, manifest, address, expected)
  if (found.codeHash === NO_CODE) return yield* new SmartAccountUndeployed()
  yield* firstFault(control(found, manifest))
  const state = stateOf(found, manifest, address)
  const { owners } = state
  const codeHashes = owners.every(owner => expected.includes(owner))
    ? owners.map(owner => found.foreseen[expected.indexOf(owner)])
    : (yield* packedReads(reading, { calls: [], codes: owners }, evidence.blockHash)).codeHashes
  const { history } = found
  if (history === undefined) return yield* historyRefused()
  yield* firstFault([...ownerChecks(manifest, owners, codeHashes), ...modules(found, manifest, history)])
  const inspection: WalletInspection = {
    state,
    safeNonce: Option.getOrElse(found.safeNonce, () => "0"),
    evidence,
    codeHashes: pinsOf(manifest).map(({ name, address, runtimeCodeHash }) => ({
      name,
      address,
      runtimeCodeHash
    })),
    ...sessionIn(found)
  }
  return inspection
})

/** Three round trips: the block, the wallet with all that it stands on, and the code of its owners. */
export const inspectWallet = Effect.fn("Inspect.inspectWallet")(function* (
  manifest: SmartManifest,
  address: Address
) {
  const { session, block } = yield* manifestHead(manifest)
  return yield* inspectAt({ session, evidence: evidenceOf(block) }, manifest, address)
})
