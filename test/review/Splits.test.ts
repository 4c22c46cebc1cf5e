import { zeroAddress } from "viem"
import { assert, describe, it } from "vitest"
import { callOf, contract, linesOf, OTHER, planOf, reviewOf, WALLET } from "./support/Reviews.ts"

describe("tuples and arrays", () => {
  const splits = contract("Splits", [
    "struct Split { uint32 percent; uint64 projectId; address beneficiary; bool preferAddToBalance; uint48 lockedUntil; address hook; }",
    "struct Group { uint256 groupId; Split[] splits; }",
    "function setSplitGroupsOf(uint256 projectId, uint256 rulesetId, Group[] groups)"
  ])
  const split = {
    percent: 500_000_000,
    projectId: 0n,
    beneficiary: OTHER,
    preferAddToBalance: false,
    lockedUntil: 7,
    hook: WALLET
  }
  const shown = { ...split, percent: "500000000", projectId: "0", lockedUntil: "7" }

  it("open up by name, and splits say who gets which share", async () => {
    const call = callOf(
      splits,
      [2n, 9n, [{ groupId: 1n, splits: [split, split] }]],
      ["2", "9", [{ groupId: "1", splits: [shown, shown] }]]
    )
    const review = await reviewOf(await planOf([call]), splits)
    assert.deepStrictEqual(review.dangers, [])
    const lines = linesOf(review.calls[0]?.arguments ?? [])
    assert.include(
      lines,
      "groups.groups[0].splits.splits[1].percent (uint32): 50 % (500000000 of 1000000000)"
    )
    assert.include(
      lines,
      `groups.groups[0].splits.splits[0].hook (address): ${WALLET}, the planned wallet itself`
    )
    const recipients = linesOf(review.calls[0]?.rows ?? []).filter(line => line.startsWith("recipient"))
    assert.deepStrictEqual(recipients, [
      `recipient: ${WALLET}, the planned wallet itself as split hook with 50 % of its split`,
      `recipient: ${WALLET}, the planned wallet itself as split hook with 50 % of its split`
    ])
  })

  it("say the smallest share digit by digit", async () => {
    const least = { ...split, percent: 1 }
    const told = { ...shown, percent: 1 }
    const call = callOf(
      splits,
      [2n, 9n, [{ groupId: 1n, splits: [least] }]],
      ["2", "9", [{ groupId: "1", splits: [told] }]]
    )
    const review = await reviewOf(await planOf([call]), splits)
    assert.include(
      linesOf(review.calls[0]?.rows ?? []),
      `recipient: ${WALLET}, the planned wallet itself as split hook with 0.0000001 % of its split`
    )
  })

  it.each([
    [{ hook: zeroAddress }, `${OTHER} as beneficiary`],
    [{ hook: zeroAddress, projectId: 7n }, `project 7, whose tokens go to ${OTHER}`],
    [{ hook: zeroAddress, projectId: 7n, preferAddToBalance: true }, "project 7, to its balance"],
    [
      { hook: zeroAddress, projectId: 7n, beneficiary: zeroAddress },
      "project 7, whose tokens go to whoever sends it"
    ],
    [{ projectId: 7n }, `${WALLET}, the planned wallet itself as split hook`],
    [
      { hook: zeroAddress, beneficiary: zeroAddress },
      "nobody by name: the contract decides, often for whoever sends it"
    ]
  ])("name the one whom the protocol pays: %o", async (over, payee) => {
    const paid = { ...split, ...over }
    const args = [2n, 9n, [{ groupId: 1n, splits: [paid] }]]
    const said = { ...shown, ...over, projectId: String(paid.projectId) }
    const call = callOf(splits, args, ["2", "9", [{ groupId: "1", splits: [said] }]])
    const review = await reviewOf(await planOf([call]), splits)
    assert.deepStrictEqual(review.dangers, [])
    assert.include(linesOf(review.calls[0]?.rows ?? []), `recipient: ${payee} with 50 % of its split`)
  })

  it("are compared member by member with what the plan shows", async () => {
    const lying = callOf(
      splits,
      [2n, 9n, [{ groupId: 1n, splits: [split] }]],
      ["2", "9", [{ groupId: "1", splits: [{ ...shown, beneficiary: WALLET }] }]]
    )
    const { dangers } = await reviewOf(await planOf([lying]), splits)
    assert.deepStrictEqual(dangers, ["step 0: the calldata carries other arguments than shown"])
  })
})
