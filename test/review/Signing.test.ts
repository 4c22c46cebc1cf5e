import { readFileSync } from "node:fs"
import { fromRlp, type Hex, keccak256, serializeTransaction, toRlp } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { assert, describe, it } from "vitest"
import { checkSigned } from "../../src/review/SignedBytes.ts"
import { signingHash, typedDataRows } from "../../src/review/SigningDigests.ts"
import { walletPayload } from "../../src/values/TypedData.ts"
import { domainOf, traceDigest } from "../../src/values/TypedDataHash.ts"
import { callOf, contract, linesOf } from "./support/Reviews.ts"

const key = privateKeyToAccount(generatePrivateKey())
const free = contract("Free", ["function poke(uint256 x) payable"])
const call = callOf(free, [1n], ["1"], { value: "5" })

const fields = {
  chainId: call.chainId,
  to: call.to,
  data: call.data,
  value: 5n,
  nonce: 3,
  gas: 21_000n,
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 2n
}

const signed = (over: Partial<typeof fields> = {}) =>
  key.signTransaction({ type: "eip1559", ...fields, ...over })

const faultsOf = async (raw: string): Promise<ReadonlyArray<string>> => {
  const check = await checkSigned(raw, call, key.address)
  return check.fits ? [] : check.faults
}

/** The same transaction with a leading zero in its nonce, which a lenient decoder reads alike. */
const respelled = (raw: Hex): Hex => {
  const parts = fromRlp(`0x${raw.slice(4)}`, "hex")
  assert.isTrue(Array.isArray(parts))
  const nonce = 1
  const changed = Array.isArray(parts) ? parts.map((part, at) => (at === nonce ? "0x0003" : part)) : []
  return `0x02${toRlp(changed).slice(2)}`
}

describe("signed bytes", () => {
  it("fit where they are exactly the call, in each envelope that the relay takes", async () => {
    const { maxFeePerGas, maxPriorityFeePerGas: _, ...rest } = fields
    const old = { ...rest, gasPrice: maxFeePerGas }
    const raws = [
      await signed(),
      await key.signTransaction({ type: "eip2930", ...old, accessList: [] }),
      await key.signTransaction({ type: "legacy", ...old })
    ]
    for (const raw of raws) {
      const check = await checkSigned(` ${raw.toUpperCase().replace("0X", "0x")}\n`, call, key.address)
      assert.isTrue(check.fits)
      if (check.fits) {
        assert.strictEqual(check.raw, raw)
        assert.include(linesOf(check.rows), `signed transaction: ${keccak256(raw)}`)
        assert.include(
          linesOf(check.rows),
          "costs at most: 0.000000000000189005 ether (189005 wei), and what the chain charges beside gas"
        )
      }
    }
  })

  it("do not fit where one member differs", async () => {
    const cases = [
      [{ chainId: 1 }, "its chain is not the planned one"],
      [{ to: key.address }, "its destination is not the planned one"],
      [{ data: "0x01" as const }, "its calldata is not the planned one"],
      [{ value: 6n }, "its value is not the planned one"]
    ] as const
    for (const [over, fault] of cases) assert.deepStrictEqual(await faultsOf(await signed(over)), [fault])
    const stranger = privateKeyToAccount(generatePrivateKey())
    const raw = await stranger.signTransaction({ type: "eip1559", ...fields })
    assert.deepStrictEqual(await faultsOf(raw), ["its sender is not the planned one"])
  })

  it("do not fit where they are no complete signed transaction of a known kind", async () => {
    const raw = await signed()
    const { maxFeePerGas, maxPriorityFeePerGas: _, ...rest } = fields
    const unprotected = await key.signTransaction({
      type: "legacy",
      ...rest,
      chainId: undefined,
      gasPrice: maxFeePerGas
    })
    const none = "it is no complete signed transaction"
    const cases = [
      ["hello", "it is not hexadecimal with 0x"],
      [raw.slice(0, -1), "it is not hexadecimal with 0x"],
      [raw.slice(0, -2), none],
      [`${raw}00`, none],
      [respelled(raw), none],
      [serializeTransaction({ type: "eip1559", ...fields }), none],
      [`0x03${raw.slice(4)}`, "it is no legacy, EIP-2930 or EIP-1559 transaction"],
      [unprotected, "it has no replay protection (EIP-155)"]
    ] as const
    for (const [text, fault] of cases) assert.deepStrictEqual(await faultsOf(text), [fault])
  })
})

describe("what a hardware wallet shows", () => {
  it("of an approval is what the service's own encoder computes", () => {
    const audience = "https://service.example"
    const message = {
      audience,
      accountId: "eip155:1:0x52908400098527886e0f7030069857d2e4169ee7",
      principalId: "bot:8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
      planId: "5f0c8a52-0b1c-4f0a-9f53-000000000001",
      commitment: `0x${"12".repeat(32)}`,
      stepIndex: 3,
      transactionHash: `0x${"34".repeat(32)}`,
      issuedAt: 1_800_000_000,
      expiresAt: 1_800_000_120,
      nonce: `0x${"56".repeat(32)}`
    } as const
    const payload = walletPayload("ServiceTransactionApproval", domainOf(audience, 1), message)
    const trace = traceDigest("ServiceTransactionApproval", audience, 1, message)
    assert.deepStrictEqual(linesOf(typedDataRows(payload)), [
      `domain separator: ${trace.domain.hash}`,
      `message hash: ${trace.message.hash}`,
      `digest: ${trace.digest}`
    ])
  })

  it("of the published request example is its published digest", () => {
    const { vectors } = JSON.parse(readFileSync("schema/vectors/requests.json", "utf8"))
    const vector = vectors.find(({ name }: { name: string }) => name === "post-json")
    const domain = domainOf(vector.audience, vector.chainId)
    const lines = linesOf(typedDataRows(walletPayload("ServiceRequest", domain, vector.message)))
    assert.include(lines, `digest: ${vector.trace.digest}`)
  })

  it("of a transaction is the hash of its unsigned serialization", async () => {
    const unsigned = serializeTransaction({ type: "eip1559", ...fields })
    assert.strictEqual(signingHash(fields), keccak256(unsigned))
  })
})
