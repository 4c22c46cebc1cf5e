import { Effect, Either } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { tierWarnings } from "../../../src/operations/nfts/AdjustmentWarnings.ts"
import { requireAddable } from "../../../src/operations/nfts/TierRules.ts"
import type { TierConfiguration } from "../../../src/operations/shared/inputs/Configuration.ts"
import { type Address, ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { someTiers } from "../../support/Tiers.ts"
import { flags } from "../support/Shops.ts"

const BENEFICIARY: Address = "0x0000000000000000000000000000000000000B0b"

const [plain] = fc.sample(someTiers(1), { numRuns: 1, seed: 7 })[0] ?? []

interface Over extends Partial<Omit<TierConfiguration, "flags">> {
  readonly flags?: Partial<TierConfiguration["flags"]>
}

const tier = ({ flags: given, ...over }: Over): TierConfiguration => {
  if (plain === undefined) throw new Error("no tier was sampled")
  const none = { price: "0", votingUnits: 0, reserveFrequency: 0, reserveBeneficiary: ZERO_ADDRESS }
  const unset = { allowOwnerMint: false, useReserveBeneficiaryAsDefault: false, useVotingUnits: false }
  return { ...plain, ...none, ...over, flags: { ...plain.flags, ...unset, ...given } }
}

const shop = { flags, defaultBeneficiary: ZERO_ADDRESS, maxTierId: "3" }

const refusal = (tiers: ReadonlyArray<TierConfiguration>, over: Partial<typeof shop>) => {
  const outcome = Effect.runSync(Effect.either(requireAddable(tiers, { ...shop, ...over })))
  return Either.isLeft(outcome) ? [outcome.left._tag, outcome.left.context] : []
}

describe("the rules of a shop for new tiers", () => {
  it.each([
    ["noNewTiersWithVotes", { price: "1" }, true],
    ["noNewTiersWithVotes", { price: "1", flags: { useVotingUnits: true } }, false],
    ["noNewTiersWithVotes", { votingUnits: 1, flags: { useVotingUnits: true } }, true],
    ["noNewTiersWithVotes", { votingUnits: 1 }, false],
    ["noNewTiersWithReserves", { reserveFrequency: 1, reserveBeneficiary: BENEFICIARY }, true],
    ["noNewTiersWithReserves", { reserveBeneficiary: BENEFICIARY }, false],
    ["noNewTiersWithOwnerMinting", { flags: { allowOwnerMint: true } }, true],
    ["noNewTiersWithOwnerMinting", {}, false]
  ])("%s holds against %o: %s", (flag, over, isBroken) => {
    const tiers = [tier({}), tier(over)]
    assert.deepStrictEqual(
      refusal(tiers, { flags: { ...flags, [flag]: true } }),
      isBroken ? ["NFT_FLAG_CONFLICT", { index: 1, flag }] : []
    )
    assert.deepStrictEqual(refusal(tiers, {}), [])
  })

  it("give a tier with reserves somebody who receives them: its own, an earlier tier's or the shop's default", () => {
    const reserved = tier({ reserveFrequency: 5 })
    const setting = tier({
      reserveBeneficiary: BENEFICIARY,
      flags: { useReserveBeneficiaryAsDefault: true }
    })
    const own = tier({ reserveFrequency: 5, reserveBeneficiary: BENEFICIARY })
    assert.deepStrictEqual(refusal([own, reserved], {}), ["NFT_RESERVE_BENEFICIARY_REQUIRED", { index: 1 }])
    assert.deepStrictEqual(refusal([reserved, setting], {}), [
      "NFT_RESERVE_BENEFICIARY_REQUIRED",
      { index: 0 }
    ])
    assert.deepStrictEqual(refusal([setting, reserved], {}), [])
    assert.deepStrictEqual(refusal([reserved], { defaultBeneficiary: BENEFICIARY }), [])
  })

  it("end at 65535 tiers", () => {
    assert.deepStrictEqual(refusal([tier({})], { maxTierId: "65534" }), [])
    assert.deepStrictEqual(refusal([tier({})], { maxTierId: "65535" })[0], "MAX_TIERS_EXCEEDED")
  })
})

describe("the warnings of new tiers", () => {
  it("name those whose sales give back a part, for their splits do not take all of it", () => {
    const split = {
      percent: 500_000_000,
      projectId: "0",
      beneficiary: BENEFICIARY,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: ZERO_ADDRESS
    }
    const tiers = [
      tier({ splitPercent: 1, splits: [split, split] }),
      tier({ splitPercent: 1, splits: [split] }),
      tier({ splitPercent: 1, splits: [] }),
      tier({ splitPercent: 0, splits: [] })
    ]
    const [returning, ...others] = tierWarnings(tiers, 4n).filter(warning => warning.includes("comes back"))
    assert.match(returning ?? "", /the effects of a sale stay unknown: 5, 6\.$/)
    assert.isEmpty(others)
  })
})
