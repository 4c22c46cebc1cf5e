/** Random tiers that keep every rule of the inputs, and what ethers calls their type. */
import fc from "fast-check"
import type { TierConfiguration } from "../../src/operations/shared/inputs/Configuration.ts"
import { SPLIT_TYPE, someSplits } from "./Configurations.ts"
import { aHash, anAddress, aUint } from "./Encodings.ts"

export const TIERS_TYPE = `tuple(uint104 price, uint32 initialSupply, uint32 votingUnits, uint16 reserveFrequency, address reserveBeneficiary, bytes32 encodedIpfsUri, uint24 category, uint8 discountPercent, tuple(bool allowOwnerMint, bool useReserveBeneficiaryAsDefault, bool transfersPausable, bool useVotingUnits, bool cantBeRemoved, bool cantIncreaseDiscountPercent, bool cantBuyWithCredits) flags, uint32 splitPercent, ${SPLIT_TYPE}[] splits)[]`

const flag = fc.boolean()

export const someTierFlags = fc.record({
  allowOwnerMint: flag,
  useReserveBeneficiaryAsDefault: flag,
  transfersPausable: flag,
  useVotingUnits: flag,
  cantBeRemoved: flag,
  cantIncreaseDiscountPercent: flag,
  cantBuyWithCredits: flag
})

const aTier: fc.Arbitrary<TierConfiguration> = fc.record({
  price: aUint(104),
  initialSupply: fc.integer({ min: 2, max: 999_999_999 }),
  votingUnits: fc.integer({ min: 0, max: 4_294_967_295 }),
  reserveFrequency: fc.integer({ min: 0, max: 65_535 }),
  reserveBeneficiary: anAddress,
  encodedIpfsUri: aHash,
  category: fc.integer({ min: 0, max: 16_777_215 }),
  discountPercent: fc.integer({ min: 0, max: 200 }),
  flags: someTierFlags,
  splitPercent: fc.integer({ min: 0, max: 1_000_000_000 }),
  splits: someSplits
})

export const someTiers = (minLength = 0): fc.Arbitrary<ReadonlyArray<TierConfiguration>> =>
  fc.array(aTier, { minLength, maxLength: 3 }).map(tiers => tiers.toSorted((a, b) => a.category - b.category))
