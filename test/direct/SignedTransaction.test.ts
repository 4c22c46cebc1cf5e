import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { decodeRlp, encodeRlp, SigningKey, Transaction, type TransactionLike, Wallet } from "ethers"
import fc from "fast-check"
import { parseSignedTransaction } from "../../src/direct/SignedTransaction.ts"

const MAXIMUM_BYTES = 131_072
const TYPES = ["legacy", "eip2930", "eip1559"] as const
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const lower = (hex: string): `0x${string}` => `0x${hex.slice(2).toLowerCase()}`
const parse = (raw: string, maximumBytes = MAXIMUM_BYTES) => parseSignedTransaction(lower(raw), maximumBytes)
const refusal = (raw: string, maximumBytes?: number) =>
  Either.match(parse(raw, maximumBytes), { onLeft: ({ _tag }) => _tag, onRight: () => "accepted" })

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map(array => lower(`0x${Buffer.from(array).toString("hex")}`))
const anyBytes = fc
  .uint8Array({ maxLength: 200 })
  .map(array => lower(`0x${Buffer.from(array).toString("hex")}`))
const integer = (bits: bigint) => fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, (1n << bits) - 1n))

const fields = fc.record({
  type: fc.constantFrom(0, 1, 2),
  key: bytes(32).filter(key => BigInt(key) > 0n && BigInt(key) < ORDER),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  nonce: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  to: bytes(20),
  data: anyBytes,
  value: integer(256n),
  gasLimit: integer(64n),
  fees: fc.tuple(integer(256n), integer(256n)),
  accessList: fc.array(
    fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }),
    {
      maxLength: 3
    }
  )
})
type Drawn = typeof fields extends fc.Arbitrary<infer A> ? A : never

const feesOf = ({ type, fees: [a, b] }: Drawn) =>
  type === 2 ? { maxFeePerGas: a > b ? a : b, maxPriorityFeePerGas: a > b ? b : a } : { gasPrice: a }

const signedBy = (key: string, transaction: TransactionLike) => {
  const made = Transaction.from({ ...transaction, signature: null })
  made.signature = new SigningKey(key).sign(made.unsignedHash)
  return made
}

const signed = (drawn: Drawn) => {
  const { type, key, chainId, nonce, to, data, value, gasLimit, accessList } = drawn
  const common = { type, chainId, nonce, to, data, value, gasLimit, ...feesOf(drawn) }
  return signedBy(key, type === 0 ? common : { ...common, accessList })
}

const KEY = `0x${"11".repeat(32)}`
const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const eip1559 = (changes: TransactionLike = {}) =>
  signedBy(KEY, {
    type: 2,
    chainId: 31337,
    nonce: 7,
    to: TO,
    gasLimit: 21_000,
    maxFeePerGas: 20,
    maxPriorityFeePerGas: 2,
    ...changes
  })

type Nested = string | Array<Nested>

/** The same transaction with its RLP list changed and written again. */
const rewritten = (raw: string, change: (list: Array<Nested>) => Array<Nested>) => {
  const list = decodeRlp(`0x${raw.slice(4)}`)
  assert.isTrue(Array.isArray(list))
  return `${raw.slice(0, 4)}${encodeRlp(change(structuredClone(Array.isArray(list) ? list : []))).slice(2)}`
}
const withField = (raw: string, index: number, value: Nested) =>
  rewritten(raw, list => list.map((old, at) => (at === index ? value : old)))

describe("a signed transaction", () => {
  it("is read as an independent implementation reads it, and writes back to the same bytes", () => {
    fc.assert(
      fc.property(fields, drawn => {
        const made = signed(drawn)
        const read = Either.getOrThrow(parse(made.serialized))
        const feeCap = made.maxFeePerGas ?? made.gasPrice ?? -1n
        assert.deepStrictEqual(read, {
          hash: lower(made.hash ?? ""),
          type: TYPES[drawn.type] ?? "legacy",
          chainId: drawn.chainId,
          sender: made.from === null ? "0x" : `0x${made.from.slice(2)}`,
          nonce: BigInt(drawn.nonce),
          to: `0x${made.to?.slice(2)}`,
          data: drawn.data,
          value: drawn.value,
          gas: drawn.gasLimit,
          maximumFeePerGas: feeCap,
          ...(made.maxPriorityFeePerGas !== null && { maximumPriorityFeePerGas: made.maxPriorityFeePerGas }),
          accessList:
            drawn.type === 0
              ? []
              : drawn.accessList.map(({ address, storageKeys }) => ({
                  address: lower(address),
                  storageKeys: storageKeys.map(lower)
                })),
          maximumCost: drawn.value + drawn.gasLimit * feeCap,
          raw: lower(made.serialized)
        })
      }),
      { numRuns: 300 }
    )
  })

  it("never takes changed bytes for another reading than the independent one", () => {
    const mutation = fc.record({
      at: fc.nat(),
      xor: fc.integer({ min: 1, max: 255 }),
      cut: fc.integer({ min: -2, max: 2 })
    })
    let accepted = 0
    fc.assert(
      fc.property(fields, mutation, (drawn, { at, xor, cut }) => {
        const original = signed(drawn)
        const raw = Buffer.from(original.serialized.slice(2), "hex")
        raw[at % raw.length] = (raw[at % raw.length] ?? 0) ^ xor
        const changed = cut < 0 ? raw.subarray(0, cut) : Buffer.concat([raw, Buffer.alloc(cut)])
        const text = lower(`0x${changed.toString("hex")}`)
        const read = parse(text)
        if (Either.isLeft(read) || read.right.nonce > Number.MAX_SAFE_INTEGER) return
        accepted++
        const independent = Transaction.from(text)
        assert.strictEqual(lower(independent.serialized), text)
        assert.strictEqual(read.right.sender, independent.from)
        assert.strictEqual(read.right.hash, independent.hash)
        assert.notStrictEqual(read.right.hash, original.hash)
      }),
      { numRuns: 1_000 }
    )
    assert.isAbove(accepted, 100)
  })
})

describe("a transaction that is refused", () => {
  const good = eip1559().serialized

  it("is accepted before it is spoilt", () => assert.strictEqual(refusal(good), "accepted"))

  it.each<[string, string]>([
    ["is empty", "0x"],
    ["is an RLP string", "0x83abcdef"],
    ["has trailing bytes", `${good}00`],
    ["is cut short", good.slice(0, -2)],
    ["has a leading zero in its nonce", withField(good, 1, "0x0007")],
    ["writes zero as a byte", withField(good, 6, "0x00")],
    [
      "has a leading zero in r",
      rewritten(good, list => list.map((v, i) => (i === 10 ? `0x00${String(v).slice(2)}` : v)))
    ],
    ["has a list for a field", withField(good, 7, [])],
    ["has a string for its access list", withField(good, 8, "0x")],
    ["has a storage key of 31 bytes", withField(good, 8, [[TO, [`0x${"01".repeat(31)}`]]])],
    ["has an access list entry of three members", withField(good, 8, [[TO, [], []]])],
    ["has a destination of 19 bytes", withField(good, 5, `0x${"01".repeat(19)}`)],
    ["has chain id zero", withField(good, 0, "0x")],
    ["has a chain id beyond safe integers", withField(good, 0, "0x20000000000000")],
    ["has a nonce at the limit", withField(good, 1, `0x${"ff".repeat(8)}`)],
    ["has a gas limit of 65 bits", withField(good, 4, `0x01${"00".repeat(8)}`)],
    ["has a value of 257 bits", withField(good, 6, `0x01${"00".repeat(32)}`)],
    ["lacks its signature", rewritten(good, list => list.slice(0, 9))],
    ["has one field too many", rewritten(good, list => [...list, "0x"])],
    ["is not hexadecimal", `0x02zz`],
    ["has an odd digit", `${good}0`],
    ["nests lists without end", `0x02${"c1".repeat(40)}c0`]
  ])("INVALID_SIGNED_TRANSACTION: it %s", (_, raw) => {
    assert.strictEqual(refusal(raw), "INVALID_SIGNED_TRANSACTION")
  })

  it("INVALID_SIGNED_TRANSACTION: one byte over the bound", () => {
    const size = (good.length - 2) / 2
    assert.strictEqual(refusal(good, size), "accepted")
    assert.strictEqual(refusal(good, size - 1), "INVALID_SIGNED_TRANSACTION")
  })

  /** Swaps the encoding of one field and corrects the length of the list around it. */
  const respelt = (from: string, to: string) => {
    const [head, payload] = [good.slice(0, 4), good.slice(8)]
    assert.strictEqual(payload.split(from).length, 2)
    const changed = payload.replace(from, to)
    return `${head}f8${(changed.length / 2).toString(16)}${changed}`
  }

  it("INVALID_SIGNED_TRANSACTION: the same fields in another spelling", () => {
    const s = good.slice(-66)
    assert.strictEqual(refusal(respelt(s, s)), "accepted")
    assert.strictEqual(refusal(respelt(s, `b820${s.slice(2)}`)), "INVALID_SIGNED_TRANSACTION")
    assert.strictEqual(refusal(respelt(s, `b90020${s.slice(2)}`)), "INVALID_SIGNED_TRANSACTION")
    assert.strictEqual(refusal(respelt("827a6907", "827a698107")), "INVALID_SIGNED_TRANSACTION")
  })

  const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`

  it.each<[string, string]>([
    ["r is zero", withField(good, 10, "0x")],
    ["s is zero", withField(good, 11, "0x")],
    ["r is the order", withField(good, 10, word(ORDER))],
    ["s is the order", withField(good, 11, word(ORDER))],
    ["the parity is two", withField(good, 9, "0x02")],
    ["the parity is twenty-seven", withField(good, 9, "0x1b")],
    ["r is no point of the curve", withField(good, 10, word(5n).replace(/^0x0+/, "0x0"))]
  ])("INVALID_TRANSACTION_SIGNATURE: %s", (_, raw) => {
    assert.strictEqual(refusal(raw), "INVALID_TRANSACTION_SIGNATURE")
  })

  it("INVALID_TRANSACTION_SIGNATURE: the other s of the same signature", () => {
    const highS = rewritten(good, list =>
      list.map((old, index) => {
        if (index === 9) return old === "0x" ? "0x01" : "0x"
        return index === 11 ? word(ORDER - BigInt(String(old))) : old
      })
    )
    assert.strictEqual(refusal(highS), "INVALID_TRANSACTION_SIGNATURE")
  })

  it.each([29n, 34n, 35n, 36n, 37n + 2n ** 54n])("INVALID_TRANSACTION_SIGNATURE: a legacy v of %s", v => {
    const legacy = encodeRlp([
      ...["0x07", "0x14", "0x5208", TO, "0x", "0x"],
      `0x${v.toString(16).replace(/^(?=(?:..)*.$)/, "0")}`,
      ...["0x01", "0x01"]
    ])
    assert.strictEqual(refusal(legacy), "INVALID_TRANSACTION_SIGNATURE")
  })

  it("INVALID_FEE_ENVELOPE: a priority fee above the cap, equal is fine", () => {
    const spoilt = eip1559({ maxFeePerGas: 20, maxPriorityFeePerGas: 20 }).serialized
    assert.strictEqual(refusal(spoilt), "accepted")
    assert.strictEqual(refusal(withField(spoilt, 2, "0x15")), "INVALID_FEE_ENVELOPE")
  })

  it("UNSUPPORTED_TRANSACTION_TYPE: contract creation of every type", () => {
    const creation = (type: number, fees: TransactionLike) =>
      signedBy(KEY, { type, chainId: 1, nonce: 0, gasLimit: 100_000, data: "0x6000", ...fees }).serialized
    const all = [creation(0, { gasPrice: 1 }), creation(1, { gasPrice: 1 }), creation(2, { maxFeePerGas: 1 })]
    assert.deepStrictEqual(
      all.map(raw => refusal(raw)),
      all.map(() => "UNSUPPORTED_TRANSACTION_TYPE")
    )
  })

  it("UNSUPPORTED_TRANSACTION_TYPE: legacy without replay protection", () => {
    const unprotected = signedBy(KEY, { type: 0, nonce: 0, to: TO, gasLimit: 21_000, gasPrice: 1 })
    assert.strictEqual(refusal(unprotected.serialized), "UNSUPPORTED_TRANSACTION_TYPE")
  })

  it("UNSUPPORTED_TRANSACTION_TYPE: blobs, authorisation lists and unknown envelopes", async () => {
    const wallet = new Wallet(KEY)
    const common = {
      chainId: 1,
      nonce: 0,
      to: TO,
      gasLimit: 21_000,
      maxFeePerGas: 1,
      maxPriorityFeePerGas: 0
    }
    const authorised = await wallet.signTransaction({
      ...{ ...common, type: 4 },
      authorizationList: [wallet.authorizeSync({ address: TO, nonce: 1, chainId: 1 })]
    })
    const blob = signedBy(KEY, {
      ...{ ...common, type: 3 },
      ...{ maxFeePerBlobGas: 1, blobVersionedHashes: [`0x01${"00".repeat(31)}`] }
    }).serialized
    for (const raw of [authorised, blob, `0x00${good.slice(4)}`, `0x7f${good.slice(4)}`])
      assert.strictEqual(refusal(raw), "UNSUPPORTED_TRANSACTION_TYPE")
  })
})
