/** Whether the allocations of a session fit together, and which of them its policy enforces. */
import { Either } from "effect"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { MAXIMUM_POLICY_MEMBERS } from "./GuardState.ts"
import { type ReviewedAsset, reviewedAsset } from "./ReviewedLists.ts"
import { SessionAllocationInvalid, SessionAssetUnreviewed } from "./refusals.ts"
import type { AllocationGroup, AskedAllocation } from "./SessionInput.ts"

export interface WalletManifests {
  /** The wallet's. */
  readonly own: SmartManifest
  readonly all: ReadonlyArray<SmartManifest>
}

type Refused = SessionAllocationInvalid | SessionAssetUnreviewed

const invalid = (path: string, expected: string) =>
  Either.left(new SessionAllocationInvalid({ context: { path, expected } }))

/** The place of the first that was there before, by what must be its own. */
const repeated = <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string): number => {
  const names = items.map(nameOf)
  return names.findIndex((name, index) => names.indexOf(name) < index)
}

interface Placed extends AskedAllocation {
  readonly path: string
}

const placed = (groups: ReadonlyArray<AllocationGroup>): ReadonlyArray<Placed> =>
  groups.flatMap(({ allocations }, group) =>
    allocations.map((allocation, index) => ({
      ...allocation,
      path: `allocations[${group}].allocations[${index}]`
    }))
  )

const checkNames = (groups: ReadonlyArray<AllocationGroup>, all: ReadonlyArray<Placed>) => {
  const group = repeated(groups, ({ id }) => id)
  if (group >= 0) return invalid(`allocations[${group}].id`, "the id of no other group")
  const named = all[repeated(all, ({ id }) => id)]
  if (named !== undefined) return invalid(`${named.path}.id`, "the id of no other allocation")
  const same = all[repeated(all, ({ chainId, asset }) => `${chainId}:${asset}`)]
  return same === undefined
    ? Either.void
    : invalid(`${same.path}.asset`, "an asset of the chain that no other allocation is of")
}

const checkTotal = ({ total, allocations }: AllocationGroup, group: number) => {
  const sum = allocations.reduce((all, { limit }) => all + BigInt(limit), 0n)
  return sum <= BigInt(total)
    ? Either.void
    : invalid(`allocations[${group}].total`, `at least the sum of its limits, ${sum}`)
}

const isAlike = (one: ReviewedAsset, other: ReviewedAsset): boolean =>
  one.assetIdentity === other.assetIdentity && one.decimals === other.decimals

const checkAssets = (
  manifests: WalletManifests,
  { allocations }: AllocationGroup,
  group: number
): Either.Either<void, Refused> => {
  const assets = allocations.map(each => reviewedAsset(manifests.own, manifests.all, each))
  const unknown = assets.indexOf(undefined)
  const path = (index: number) => `allocations[${group}].allocations[${index}].asset`
  if (unknown >= 0) {
    const { chainId, asset } = allocations[unknown] ?? {}
    return Either.left(new SessionAssetUnreviewed({ context: { path: path(unknown), chainId, asset } }))
  }
  const [first] = assets
  const other = assets.findIndex(
    asset => first !== undefined && asset !== undefined && !isAlike(first, asset)
  )
  return other < 0
    ? Either.void
    : invalid(path(other), "an asset of the same identity and decimals as the others of its group")
}

/** Those of the wallet's chain, in the order in which they were asked for. */
export const checkAllocations = (
  manifests: WalletManifests,
  groups: ReadonlyArray<AllocationGroup>
): Either.Either<ReadonlyArray<AskedAllocation>, Refused> =>
  Either.gen(function* () {
    const all = placed(groups)
    yield* checkNames(groups, all)
    for (const [index, group] of groups.entries()) {
      yield* checkTotal(group, index)
      yield* checkAssets(manifests, group, index)
    }
    const enforced = all.filter(({ chainId }) => chainId === manifests.own.chainId)
    const excess = enforced[MAXIMUM_POLICY_MEMBERS]
    if (excess !== undefined)
      return yield* invalid(
        excess.path,
        `at most ${MAXIMUM_POLICY_MEMBERS} allocations of the wallet's chain`
      )
    return enforced
  })
