/** What a shop's store demands of tiers, told before a transaction would find out. */
import { Effect } from "effect"
import { type Address, ZERO_ADDRESS } from "../../values/Scalars.ts"
import type { TierConfiguration } from "../shared/inputs/Configuration.ts"
import { type ShopFlags, type StoredTier, wasAdded } from "./Records.ts"
import {
  MaxTiersExceeded,
  NftFlagConflict,
  NftReserveBeneficiaryRequired,
  NftTierNotRemovable
} from "./refusals.ts"

const MAXIMUM_TIERS = 65_535n

/** Without voting units of its own a tier votes with its price. */
const hasVotes = ({ price, votingUnits, flags }: TierConfiguration): boolean =>
  flags.useVotingUnits ? votingUnits > 0 : price !== "0"

const brokenFlag = (
  tier: TierConfiguration,
  flags: ShopFlags
): Exclude<keyof ShopFlags, "preventOverspending" | "issueTokensForSplits"> | undefined => {
  if (flags.noNewTiersWithVotes && hasVotes(tier)) return "noNewTiersWithVotes"
  if (flags.noNewTiersWithReserves && tier.reserveFrequency > 0) return "noNewTiersWithReserves"
  if (flags.noNewTiersWithOwnerMinting && tier.flags.allowOwnerMint) return "noNewTiersWithOwnerMinting"
  return undefined
}

/** Earlier tiers can leave a default to those after them. */
export const withoutReserveBeneficiary = (
  tiers: ReadonlyArray<TierConfiguration>,
  defaultBeneficiary: Address
): number =>
  tiers.findIndex(
    ({ reserveFrequency, reserveBeneficiary }, index) =>
      reserveFrequency > 0 &&
      reserveBeneficiary === ZERO_ADDRESS &&
      defaultBeneficiary === ZERO_ADDRESS &&
      !tiers.slice(0, index).some(setsDefault)
  )

export const setsDefault = ({ flags, reserveBeneficiary }: TierConfiguration): boolean =>
  flags.useReserveBeneficiaryAsDefault && reserveBeneficiary !== ZERO_ADDRESS

interface Rules {
  readonly flags: ShopFlags
  readonly defaultBeneficiary: Address
  readonly maxTierId: string
}

export const requireAddable = Effect.fnUntraced(function* (
  tiers: ReadonlyArray<TierConfiguration>,
  { flags, defaultBeneficiary, maxTierId }: Rules
) {
  if (BigInt(maxTierId) + BigInt(tiers.length) > MAXIMUM_TIERS)
    return yield* new MaxTiersExceeded({ context: { maxTierId, added: tiers.length } })
  for (const [index, tier] of tiers.entries()) {
    const flag = brokenFlag(tier, flags)
    if (flag !== undefined) return yield* new NftFlagConflict({ context: { index, flag } })
  }
  const index = withoutReserveBeneficiary(tiers, defaultBeneficiary)
  if (index >= 0) return yield* new NftReserveBeneficiaryRequired({ context: { index } })
})

export interface Removal {
  readonly tierId: number
  readonly tier: StoredTier
  readonly isRemoved: boolean
}

export const requireRemovable = ({ tierId, tier, isRemoved }: Removal) => {
  const refuse = (why: string) => new NftTierNotRemovable({ context: { tierId, why } })
  if (!wasAdded(tier)) return refuse("The shop never had it.")
  if (isRemoved) return refuse("It is removed already.")
  return tier.flags.cantBeRemoved ? refuse("It was created to stay.") : Effect.void
}
