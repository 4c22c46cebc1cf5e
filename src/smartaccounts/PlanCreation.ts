/** How a new wallet of these owners is created, at one head; nothing is stored, and nothing is deployed. */
import { Effect, Option } from "effect"
import { code } from "../chain/PinnedReads.ts"
import { invocation } from "../protocol/Answers.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { packedReads } from "../protocol/PackedCalls.ts"
import { keccak256 } from "../values/Keccak.ts"
import { Hex, ZERO_ADDRESS } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import {
  ascending,
  creationCalldata,
  type WalletContracts,
  type WalletOwners,
  walletInitializer
} from "./Creation.ts"
import { pinsOf, type SmartManifest } from "./Manifest.ts"
import { Manifests } from "./Manifests.ts"
import { SmartAccountAlreadyDeployed } from "./refusals.ts"
import type { WalletCreation } from "./SmartAccount.ts"
import { proxyInitCodeHash, walletAddress } from "./WalletAddress.ts"
import { firstFault, manifestHead, ownerChecks, pinChecks } from "./WalletChecks.ts"
import { ABSENT, contractAnswer, reading } from "./WalletReads.ts"

export interface AskedCreation extends WalletOwners {
  readonly manifestId: string
  readonly saltNonce: string
}

const contractsOf = ({ pins, adapterDialect }: SmartManifest): WalletContracts => ({
  singleton: pins.singleton.address,
  factory: pins.factory.address,
  adapter: pins.adapter.address,
  launchpad: pins.launchpad.address,
  adapterDialect
})

const guardsOf = ({ pins: { guard } }: SmartManifest) => (guard === undefined ? [] : [guard.address])

/** The guard is all that may validate besides the owners. */
const planned = (
  manifest: SmartManifest,
  { owners, threshold, saltNonce }: AskedCreation,
  proxyCode: Hex
) => {
  const contracts = contractsOf(manifest)
  const { factory, singleton } = contracts
  const initializer = walletInitializer(contracts, { owners, threshold }, guardsOf(manifest))
  const salt = BigInt(saltNonce)
  return {
    address: walletAddress(factory, proxyInitCodeHash(proxyCode, singleton), initializer, salt),
    initializer,
    initializerHash: keccak256(fromHex(initializer)),
    transaction: { to: factory, value: "0", data: creationCalldata(singleton, initializer, salt) }
  } as const
}

const BYTES = reading(["bytes"], Hex)

/** The code that creates a proxy, once every contract and every owner is seen to be as the manifest says. */
const proxyCreationCode = Effect.fnUntraced(function* (
  manifest: SmartManifest,
  owners: AskedCreation["owners"],
  { session, block: { hash } }: Effect.Effect.Success<ReturnType<typeof manifestHead>>
) {
  const pins = pinsOf(manifest)
  const asked = invocation(manifest.pins.factory.address, "proxyCreationCode()")
  const codes = [...pins.map(({ address }) => address), ...owners]
  const { outcomes, codeHashes } = yield* packedReads(session, { calls: [asked], codes }, hash)
  const [pinned, owning] = [codeHashes.slice(0, pins.length), codeHashes.slice(pins.length)]
  yield* firstFault([...pinChecks(pins, pinned), ...ownerChecks(manifest, owners, owning)])
  const [outcome = ABSENT] = outcomes
  const told = yield* contractAnswer({ read: BYTES }, outcome)
  yield* firstFault([["pin:factory", Option.isSome(told)]])
  return Option.getOrElse(told, (): Hex => "0x")
})

/** Three round trips: the block, what the wallet is made of, and whether it is there already. */
export const planCreation = Effect.fn("PlanCreation.planCreation")(function* (asked: AskedCreation) {
  const manifest = yield* (yield* Manifests).byId(asked.manifestId)
  const head = yield* manifestHead(manifest)
  const plan = planned(manifest, asked, yield* proxyCreationCode(manifest, asked.owners, head))
  const [there] = yield* head.session.all([code(plan.address, head.block.hash)])
  if (there !== "0x") return yield* new SmartAccountAlreadyDeployed({ context: { address: plan.address } })
  const creation: WalletCreation = {
    chainId: manifest.chainId,
    manifestId: manifest.id,
    manifestRevision: manifest.revision,
    ...plan,
    owners: ascending(asked.owners),
    threshold: asked.threshold,
    saltNonce: asked.saltNonce,
    initialAuthority: {
      validators: guardsOf(manifest),
      executors: [],
      hook: ZERO_ADDRESS,
      enabledSessions: 0
    },
    evidence: evidenceOf(head.block),
    deploymentConfirmed: false
  }
  return creation
})
