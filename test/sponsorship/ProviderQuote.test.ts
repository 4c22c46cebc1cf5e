/** How what a provider asks for is read, in each of the forms that its amounts and deadlines may have. */
import { Schema } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { ProviderAnswer } from "../../src/sponsorship/ProviderQuote.ts"

const { TZ } = process.env
process.env.TZ = "America/New_York"
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

const read = (over: Readonly<Record<string, unknown>>) => {
  const payment = {
    chain: 1,
    target: `0x${"1".repeat(40)}`,
    token: `0x${"e".repeat(40)}`,
    amount: "10000000000000000",
    calldata: "0x",
    payment_deadline: 1_990_000_000
  }
  const [asked] = Schema.decodeUnknownSync(ProviderAnswer)({
    bundle_uuid: "5a7d2f36-2f2f-4f6c-9e0a-0d4b4d3a0c11",
    payment_info: [{ ...payment, ...over }]
  }).payment_info
  return asked
}

const SECONDS = 1_990_000_000

describe("a deadline", () => {
  it.each([
    ["a number", SECONDS],
    ["digits", String(SECONDS)],
    ["a date of UTC", "2033-01-22T09:46:40Z"],
    ["a date of another zone", "2033-01-22T11:46:40+02:00"],
    ["a date that names no zone", "2033-01-22T09:46:40"],
    ["a date with parts of a second", "2033-01-22T09:46:40.9"]
  ])("of %s is the same moment", (_, payment_deadline) => {
    assert.strictEqual(read({ payment_deadline })?.payment_deadline, SECONDS)
  })

  it.each(["tomorrow", "", "2033-13-01T00:00:00Z", -1, 1.5])("that is %o is none", payment_deadline => {
    assert.throws(() => read({ payment_deadline }))
  })
})

describe("an amount", () => {
  it.each(["0x2386f26fc10000", "0x2386F26FC10000", "0x002386f26fc10000", "10000000000000000"])(
    "of %s is ten finney",
    amount => {
      assert.strictEqual(read({ amount })?.amount, "10000000000000000")
    }
  )

  it.each(["0x", "0xg", `0x1${"0".repeat(64)}`, "-1", "1e16", "", "0X10", 1])(
    "that is %o is none",
    amount => {
      assert.throws(() => read({ amount }))
    }
  )
})
