import { assert, describe, it } from "@effect/vitest"
import { AbiCoder, keccak256, toBeHex } from "ethers"
import fc from "fast-check"
import {
  isEmptyKey,
  liquiditySlotOf,
  poolStateOf,
  stateSlotOf
} from "../../../src/operations/routing/Pools.ts"
import { storedWindowOf } from "../../../src/operations/routing/prepare_buyback_pool/Run.ts"
import { timeWeighted, twapQuality } from "../../../src/operations/routing/Twap.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import { type Bytes32, ZERO_ADDRESS } from "../../../src/values/Scalars.ts"

const coder = AbiCoder.defaultAbiCoder()

const ETH_USDC = {
  currency0: ZERO_ADDRESS,
  currency1: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  fee: 500,
  tickSpacing: 10,
  hooks: ZERO_ADDRESS
} as const

const asWord = (value: bigint): Bytes32 => `0x${toBeHex(value, 32).slice(2)}`

describe("pools", () => {
  it("have the id that the mainnet's ETH and USDC pool has", () => {
    assert.strictEqual(
      poolIdOf(ETH_USDC),
      "0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27"
    )
  })

  it("keep their state in the mapping of slot 6, the liquidity three words later", () => {
    const id = poolIdOf({ ...ETH_USDC, tickSpacing: -60 })
    const slot = keccak256(coder.encode(["bytes32", "uint256"], [id, 6]))
    assert.strictEqual(stateSlotOf(id), slot)
    assert.strictEqual(BigInt(liquiditySlotOf(id)), BigInt(slot) + 3n)
  })

  it("are read from words whose other bits are fees and ticks of others", () => {
    const state = fc.record({
      sqrtPriceX96: fc.bigInt({ min: 0n, max: (1n << 160n) - 1n }),
      tick: fc.integer({ min: -887_272, max: 887_272 }),
      liquidity: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
    })
    const high = fc.bigInt({ min: 0n, max: (1n << 72n) - 1n })
    fc.assert(
      fc.property(state, high, (expected, fees) => {
        const slot0 =
          (fees << 184n) | (BigInt.asUintN(24, BigInt(expected.tick)) << 160n) | expected.sqrtPriceX96
        assert.deepStrictEqual(
          poolStateOf(asWord(slot0), asWord((fees << 128n) | expected.liquidity)),
          expected
        )
      })
    )
  })

  it("were not chosen where the hook answers the empty key", () => {
    const none = {
      currency0: ZERO_ADDRESS,
      currency1: ZERO_ADDRESS,
      fee: 0,
      tickSpacing: 0,
      hooks: ZERO_ADDRESS
    }
    assert.isTrue(isEmptyKey(none))
    assert.isFalse(isEmptyKey(ETH_USDC))
  })
})

const over = (ticks: bigint, perLiquidity: bigint, window: number, from = 0n) =>
  timeWeighted(
    {
      tickCumulatives: [-5n, ticks - 5n],
      secondsPerLiquidityCumulativeX128s: [from, BigInt.asUintN(160, from + perLiquidity)]
    },
    window
  )

describe("observations", () => {
  it("mean ticks rounded down, also below zero", () => {
    const means = [-301n, -300n, -299n, -1n, 0n, 1n, 299n, 300n].map(ticks => over(ticks, 1n, 300).meanTick)
    assert.deepStrictEqual(means, [-2, -1, -1, -1, 0, 0, 0, 1])
  })

  it("mean a liquidity that stayed the same, also where the count wraps around", () => {
    const [liquidity, window] = [1n << 64n, 1_800]
    const counted = (BigInt(window) << 128n) / liquidity
    for (const from of [0n, (1n << 160n) - 1n]) {
      assert.strictEqual(over(0n, counted, window, from).harmonicMeanLiquidity, liquidity)
    }
    assert.isNull(over(0n, 0n, window).harmonicMeanLiquidity)
  })

  it("are of a quality that the coverage and the answers decide", () => {
    const seen = { tickCumulatives: [0n, 0n], secondsPerLiquidityCumulativeX128s: [0n, 1n] } as const
    assert.deepStrictEqual(
      [
        twapQuality(1_800, 1_800, seen),
        twapQuality(1_800, 1_799, seen),
        twapQuality(1_800, 0, undefined),
        twapQuality(1_800, undefined, seen),
        twapQuality(1_800, 1_800, undefined)
      ],
      ["fullWindow", "partialWindow", "unseeded", "coverageUnknown", "observationFailed"]
    )
  })
})

describe("the longest window", () => {
  it("is stored as half an hour from version 1.4.0 on, and no other one is", () => {
    const versions = ["1.0.0", "1.1.1", "1.4.0", "2.0.0"]
    assert.deepStrictEqual(
      versions.map(version => storedWindowOf(version, 172_800)),
      [172_800, 172_800, 1_800, 1_800]
    )
    assert.strictEqual(storedWindowOf("1.4.0", 172_799), 172_799)
  })
})
