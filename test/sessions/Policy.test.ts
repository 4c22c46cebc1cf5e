/** The encoding of policies, against another library's, and bytes that are of none. */
import { encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from "viem"
import { assert, describe, it } from "vitest"
import { decodePolicy, encodePolicy } from "../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import { addressOf, type Place, randomPolicy } from "../faults/guard/Policies.ts"
import { dice } from "../support/Dice.ts"

const place: Place = {
  account: addressOf(1n),
  targets: [addressOf(2n), addressOf(3n)],
  paymaster: addressOf(4n),
  codes: new Map([[addressOf(2n), "0x01"]]),
  person: addressOf(5n),
  nobody: addressOf(6n),
  sessionKey: addressOf(7n),
  now: 1_790_000_000
}

const types = parseAbiParameters([
  "Policy policy",
  "struct GasBudget { address paymaster; bytes32 paymasterCodeHash; uint32 paymasterDataLength; uint128 maxGasPerOperation; uint128 maxFeePerGas; uint128 maxPriorityFeePerGas; uint256 totalGas; uint256 totalCost; }",
  "struct Allocation { bytes32 id; address asset; uint256 limit; }",
  "struct Rule { uint8 condition; uint16 offset; bytes32 word; }",
  "struct Action { address target; bytes32 codeHash; bytes4 selector; uint8 valueMode; uint8 allocation; uint32 minimumLength; uint32 maximumLength; uint256 perCall; uint256 total; Rule[] rules; }",
  "struct Policy { address sessionKey; uint64 generation; bytes32 nonce; uint48 validAfter; uint48 validUntil; uint32 maximumCalls; GasBudget gas; Allocation[] allocations; Action[] actions; }"
])

const byViem = (policy: SessionPolicy): Hex =>
  encodeAbiParameters(types, [
    {
      ...policy,
      generation: BigInt(policy.generation),
      gas: {
        ...policy.gas,
        maxGasPerOperation: BigInt(policy.gas.maxGasPerOperation),
        maxFeePerGas: BigInt(policy.gas.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(policy.gas.maxPriorityFeePerGas),
        totalGas: BigInt(policy.gas.totalGas),
        totalCost: BigInt(policy.gas.totalCost)
      },
      allocations: policy.allocations.map(each => ({ ...each, limit: BigInt(each.limit) })),
      actions: policy.actions.map(each => ({
        ...each,
        perCall: BigInt(each.perCall),
        total: BigInt(each.total)
      }))
    }
  ])

const policies = Array.from({ length: 200 }, (_, seed) => randomPolicy(dice(seed), place))

const WORD = 64

const withWord = (encoded: Hex, index: number, value: bigint): Hex =>
  `0x${encoded.slice(2, 2 + WORD * index)}${numberToHex(value, { size: 32 }).slice(2)}${encoded.slice(2 + WORD * (index + 1))}`

describe("a policy", () => {
  it("is encoded as another library does it, and read back from that", () => {
    for (const policy of policies) {
      const encoded = encodePolicy(policy)
      assert.equal(encoded, byViem(policy))
      assert.deepEqual(decodePolicy(encoded), policy)
    }
  })

  it("is in no bytes that another word, a byte more or a byte less stands in", () => {
    const [policy = assert.fail("no policy")] = policies
    const encoded = encodePolicy(policy)
    for (let end = 2; end < encoded.length; end += 2)
      assert.isUndefined(decodePolicy(`0x${encoded.slice(2, end)}`))
    assert.isUndefined(decodePolicy(`${encoded}00`))
    const words = (encoded.length - 2) / WORD
    for (let index = 0; index < words; index++) {
      const other = decodePolicy(withWord(encoded, index, 2n ** 256n - 1n))
      if (other !== undefined) assert.equal(encodePolicy(other), withWord(encoded, index, 2n ** 256n - 1n))
    }
  })

  it("is in no bytes that claim more than they hold, however often they point at the same", () => {
    const many = 4_000n
    const shared = [...Array.from({ length: 17 }, (_, at) => (at === 0 ? 32n : 0n)), many]
    const actions = Array.from({ length: Number(many) }, () => 0n)
    const bytes: Hex = `0x${[...shared, ...actions].map(value => numberToHex(value, { size: 32 }).slice(2)).join("")}`
    const everywhere = withWord(withWord(bytes, 15, 512n), 16, 512n)
    for (const encoded of [bytes, everywhere, withWord(everywhere, 17, 2n ** 255n)])
      assert.isUndefined(decodePolicy(encoded))
    const same = Array.from({ length: 4_000 }, () => "20".padStart(64, "0")).join("")
    assert.isUndefined(decodePolicy(`0x${same}`))
    assert.isUndefined(decodePolicy(`0x${"f".repeat(64 * 4_000)}`))
  })
})
