import { Schema } from "effect"
import { getAddress } from "ethers"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { checksummed } from "../../src/values/Checksum.ts"
import {
  AccountId,
  Address,
  Bytes32,
  ChainId,
  GrantId,
  Hex,
  PositiveUint256,
  Sha256,
  Uint256,
  UnixSeconds
} from "../../src/values/Scalars.ts"
import { emptyObject, strict } from "../../src/values/Strict.ts"

const SAFE = Number.MAX_SAFE_INTEGER
const LIMIT = 1n << 256n
const OWNER = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"

const fits = <A, I>(
  schema: Schema.Schema<A, I>,
  good: ReadonlyArray<unknown>,
  bad: ReadonlyArray<unknown>
) => {
  const is = Schema.decodeUnknownEither(schema)
  for (const value of good) assert.strictEqual(is(value)._tag, "Right", String(value))
  for (const value of bad) assert.strictEqual(is(value)._tag, "Left", String(value))
}

const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytes => Buffer.from(bytes).toString("hex"))

describe("scalars", () => {
  it("chain ids and times are safe integers", () => {
    fits(ChainId, [1, SAFE], [0, -1, SAFE + 1, 1.5, "1", null, Number.NaN])
    fits(UnixSeconds, [0, SAFE], [-1, SAFE + 1, 0.5, "0"])
  })

  it("256-bit integers are canonical decimal strings", () => {
    const bad = [
      "",
      "00",
      "01",
      "-1",
      "-0",
      "+1",
      "1.0",
      "1e3",
      "0x1",
      " 1",
      "1 ",
      "١",
      `${LIMIT}`,
      "9".repeat(78),
      "1".repeat(79),
      1,
      null
    ]
    fits(Uint256, ["0", "1", `${LIMIT - 1n}`, "1".repeat(77)], bad)
    fits(PositiveUint256, ["1", `${LIMIT - 1n}`], ["0", ...bad])
    fc.assert(
      fc.property(fc.bigInt(0n, LIMIT + 1000n), value => {
        assert.strictEqual(Schema.is(Uint256)(String(value)), value < LIMIT)
      })
    )
  })

  it("hexadecimal is lower case and whole bytes", () => {
    fits(Hex, ["0x", "0x00ff"], ["", "00", "0x0", "0xFF", "0X00", "0x00 ", "0xgg", "0x00\n"])
    fits(
      Bytes32,
      [`0x${"ab".repeat(32)}`],
      [`0x${"AB".repeat(32)}`, `0x${"ab".repeat(31)}`, `0x${"ab".repeat(33)}`, `0x${"ab".repeat(32)}\n`]
    )
    fits(Sha256, ["0".repeat(64)], [`0x${"0".repeat(64)}`, "0".repeat(63), "A".repeat(64)])
  })

  it("grants are lower-case UUIDs", () => {
    fits(
      GrantId,
      ["01234567-89ab-cdef-0123-456789abcdef"],
      [
        "01234567-89AB-cdef-0123-456789abcdef",
        "0123456789abcdef0123456789abcdef",
        "",
        "{01234567-89ab-cdef-0123-456789abcdef}",
        "01234567-89ab-cdef-0123-456789abcdef\n"
      ]
    )
  })

  it("account ids name a safe chain and a lower-case owner", () => {
    fits(
      AccountId,
      [`eip155:1:${OWNER}`, `eip155:${SAFE}:${OWNER}`],
      [
        `eip155:0:${OWNER}`,
        `eip155:01:${OWNER}`,
        `eip155:${SAFE + 1}:${OWNER}`,
        `eip155:12345678901234567:${OWNER}`,
        `eip155:1:${getAddress(OWNER)}`,
        `EIP155:1:${OWNER}`,
        `eip155:1:${OWNER}:`,
        `eip155:1:${OWNER.slice(0, -1)}`,
        ""
      ]
    )
  })

  it("an address is taken in one case or with its right checksum, and given with it", () => {
    const decode = Schema.decodeUnknownEither(Address)
    fc.assert(
      fc.property(hexOf(20), fc.nat(39), (digits, at) => {
        const proper = getAddress(`0x${digits}`)
        assert.strictEqual(checksummed(`0x${digits}`), proper)
        for (const text of [`0x${digits}`, `0x${digits.toUpperCase()}`, proper]) {
          const decoded = decode(text)
          assert.isTrue(decoded._tag === "Right" && decoded.right === proper)
        }
        const letter = proper.charAt(2 + at)
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        const wrong = `${proper.slice(0, 2 + at)}${flipped}${proper.slice(3 + at)}`
        const oneCase = [wrong.slice(2).toLowerCase(), wrong.slice(2).toUpperCase()].includes(wrong.slice(2))
        assert.strictEqual(decode(wrong)._tag, wrong === proper || oneCase ? "Right" : "Left")
      })
    )
    fits(
      Address,
      [OWNER],
      [
        "",
        "0x",
        OWNER.slice(2),
        OWNER.replace("0x", "0X"),
        `${OWNER}0`,
        OWNER.slice(0, -1),
        ` ${OWNER}`,
        `${OWNER}\n`,
        1,
        null
      ]
    )
  })
})

describe("structs", () => {
  it("without members take nothing but {}", () => {
    fits(emptyObject, [{}], [{ a: undefined }, { a: 1 }, [], "", "a", 0, true, null, undefined])
  })

  it("refuse members that they do not know, at every level", () => {
    const schema = strict({ a: strict({ b: Schema.Number }) })
    fits(schema, [{ a: { b: 1 } }], [{ a: { b: 1 }, c: 1 }, { a: { b: 1, c: 1 } }, {}, null])
  })
})
