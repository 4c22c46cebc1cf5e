/** Which contracts the wallets of a deployment are made of, by the code that each must have. */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { Address, Bytes32, ChainId, ZERO_ADDRESS } from "../values/Scalars.ts"

const PinnedContract = Schema.Struct({ address: Address, runtimeCodeHash: Bytes32, source: Schema.String })

/** The entry point takes the zero address for no paymaster, and charges the wallet. */
const PinnedPaymaster = PinnedContract.pipe(
  Schema.filter(({ address }) => address !== ZERO_ADDRESS || "the zero address pays for nothing", {
    jsonSchema: {}
  })
)

const ReviewedTarget = Schema.Struct({
  kind: Schema.String,
  address: Address,
  runtimeCodeHash: Bytes32,
  reviewId: Schema.String
})

const ReviewedAsset = Schema.Struct({
  address: Address,
  symbol: Schema.String,
  decimals: Schema.Int.pipe(Schema.between(0, 255)),
  assetIdentity: Schema.String,
  reviewId: Schema.String
})

export const ManifestId = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9._-]{1,64}$/)).annotations({
  identifier: "ManifestId",
  description: "1 to 64 letters, digits, dots, underscores and dashes"
})

export const ManifestTerms = Schema.Struct({
  id: ManifestId,
  /** Wallets of the first kind are bound and planned for, of the second they act by operations too. */
  mode: Schema.Literal("ownership-only", "execution"),
  chainId: ChainId,
  safeVersion: Schema.Literal("1.4.1"),
  proxyRuntimeCodeHash: Bytes32,
  adapterDialect: Schema.Literal("safe7579-4", "safe7579-1"),
  pins: Schema.Struct({
    singleton: PinnedContract,
    factory: PinnedContract,
    adapter: PinnedContract,
    launchpad: PinnedContract,
    entryPoint: PinnedContract,
    senderCreator: PinnedContract,
    guard: Schema.optionalWith(PinnedContract, { exact: true }),
    paymasters: Schema.Array(PinnedPaymaster)
  }),
  reviewed: Schema.Struct({ targets: Schema.Array(ReviewedTarget), assets: Schema.Array(ReviewedAsset) }),
  /** The only contracts that may own a wallet. */
  contractOwners: Schema.Array(PinnedContract)
})
export type ManifestTerms = typeof ManifestTerms.Type

/** Of the terms with their addresses checksummed. */
const revisionOf = (terms: ManifestTerms): Bytes32 =>
  `0x${createHash("sha256").update(canonicalJson(terms)).digest("hex")}`

export const SmartManifest = Schema.Struct({ ...ManifestTerms.fields, revision: Bytes32 }).pipe(
  Schema.filter(({ revision, ...terms }) => {
    const own = revisionOf(terms)
    return revision === own || `revision is of other terms: that of these is ${own}`
  })
)
export type SmartManifest = typeof SmartManifest.Type

export const revised = (terms: ManifestTerms): SmartManifest => ({ ...terms, revision: revisionOf(terms) })

const distinct = (manifests: ReadonlyArray<SmartManifest>): boolean =>
  new Set(manifests.map(({ id }) => id)).size === manifests.length

/** What the file of an operator holds. */
export const ManifestFile = Schema.parseJson(
  Schema.Struct({
    manifests: Schema.Array(SmartManifest).pipe(Schema.filter(all => distinct(all) || "ids are distinct"))
  })
)

export interface NamedPin {
  readonly name: string
  readonly address: Address
  readonly runtimeCodeHash: Bytes32
}

const named = ({ guard, paymasters, ...others }: SmartManifest["pins"]): ReadonlyArray<NamedPin> => {
  const always = Object.entries(others).map(([name, pin]) => ({ name, ...pin }))
  const guards = guard === undefined ? [] : [{ name: "guard", ...guard }]
  return [...always, ...guards, ...paymasters.map((pin, index) => ({ name: `paymaster-${index}`, ...pin }))]
}

const listed = new WeakMap<SmartManifest["pins"], ReadonlyArray<NamedPin>>()

/** Every contract that is trusted by its code, in the order in which it is looked at. */
export const pinsOf = ({ pins }: Pick<SmartManifest, "pins">): ReadonlyArray<NamedPin> => {
  const known = listed.get(pins) ?? named(pins)
  listed.set(pins, known)
  return known
}
