/** The contract that owns wallets by a passkey: what it takes for its passkey's word, on a real chain. */
import { randomBytes } from "node:crypto"
import { Either } from "effect"
import { type Hex, keccak256 } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { checkAssertion } from "../../src/payments/Assertion.ts"
import { encodedPasskey, type PasskeySignature } from "../../src/values/PasskeySignature.ts"
import { startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { creationOf, ownerAbi, placeOwner, safeOwnerAbi } from "./support/Owners.ts"
import { type Asserting, asserted, BACKED_UP, newPasskey, PRESENT, VERIFIED } from "./support/Passkeys.ts"

const sandbox = await startSandbox()
const passkey = newPasskey()
const owner = await placeOwner(sandbox, passkey)

afterAll(() => sandbox.stop())

const MILLIS = { timeout: 120_000 }
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const YES = "0x1626ba7e"
const YES_OF_BYTES = "0x20c13b0b"
const NO = "0xffffffff"

const place = { origin: "https://wallet.example", rpId: "wallet.example" }
const data: Hex = `0x${randomBytes(66).toString("hex")}`
const digest = keccak256(data)

/** As the service makes it of an assertion, whatever the service itself would say of that. */
const signedBy = (asserting: Partial<Asserting> = {}, by = passkey): PasskeySignature => {
  const { assertion, clientData, authenticatorData } = asserted(by, { digest, ...place, ...asserting })
  const hex = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`
  const right = asserted(by, { digest, ...place })
  const signed = by === passkey && Object.keys(asserting).length === 0
  const checked = checkAssertion(signed ? assertion : right.assertion, {
    digest,
    ...place,
    passkey: { ...by, owner: owner.address, counter: 0 }
  })
  const { signature } = Either.getOrThrow(checked)
  if (signed) return signature
  const der = Buffer.from(assertion.signature, "base64url")
  const length = der[3] ?? 0
  const part = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString("hex")}`)
  const [r, s] = [part(der.subarray(4, 4 + length)), part(der.subarray(6 + length))]
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`
  return {
    r: word(r),
    s: word(s > ORDER / 2n ? ORDER - s : s),
    typeIndex: clientData.indexOf('"type"'),
    challengeIndex: clientData.indexOf('"challenge"'),
    authenticatorData: hex(authenticatorData),
    clientData: hex(clientData)
  }
}

const asked = (hash: Hex, signature: Hex) =>
  sandbox.client.readContract({
    address: owner.address,
    abi: ownerAbi,
    functionName: "isValidSignature",
    args: [hash, signature]
  })

const askedBySafe = (signature: Hex) =>
  sandbox.client.readContract({
    address: owner.address,
    abi: safeOwnerAbi,
    functionName: "isValidSignature",
    args: [data, signature]
  })

const isRefused = async (signature: PasskeySignature) => {
  const encoded = encodedPasskey(signature)
  assert.strictEqual(await asked(digest, encoded), NO)
  assert.strictEqual(await askedBySafe(encoded), NO)
}

describe("the owner by a passkey", () => {
  it("takes its passkey's assertion over a hash, and over the hash of data", MILLIS, async () => {
    const encoded = encodedPasskey(signedBy())
    assert.strictEqual(await asked(digest, encoded), YES)
    assert.strictEqual(await askedBySafe(encoded), YES_OF_BYTES)
    assert.strictEqual(await asked(keccak256(digest), encoded), NO)
  })

  const refused: ReadonlyArray<readonly [string, () => PasskeySignature]> = [
    ["another challenge", () => signedBy({ digest: keccak256(digest) })],
    ["another type", () => signedBy({ type: "webauthn.create" })],
    ["no user present", () => signedBy({ flags: VERIFIED })],
    ["no user verified", () => signedBy({ flags: PRESENT })],
    ["a backup that cannot be", () => signedBy({ flags: PRESENT | VERIFIED | BACKED_UP })],
    ["another passkey", () => signedBy({}, newPasskey())],
    ["a high s", () => ({ ...signedBy(), s: highOf(signedBy().s) })],
    [
      "client data that was not signed",
      () => ({ ...signedBy(), clientData: signedBy({ origin: "https://a.example" }).clientData })
    ],
    [
      "another counter than was signed",
      () => ({ ...signedBy(), authenticatorData: signedBy({ counter: 9 }).authenticatorData })
    ],
    ["the challenge elsewhere", () => ({ ...signedBy(), challengeIndex: 0 })],
    ["the type elsewhere", () => ({ ...signedBy(), typeIndex: 2 })],
    ["an index beyond the data", () => ({ ...signedBy(), challengeIndex: Number.MAX_SAFE_INTEGER })]
  ]

  const highOf = (s: Hex): Hex => `0x${(ORDER - BigInt(s)).toString(16).padStart(64, "0")}`

  it.each(refused)("refuses %s", MILLIS, async (_, made) => {
    await isRefused(made())
  })

  it(
    "cannot see the page, the party it relies on and the counter, which the service looks at",
    MILLIS,
    async () => {
      const elsewhere = { origin: "https://evil.example", rpId: "evil.example", counter: 7 }
      assert.strictEqual(await asked(digest, encodedPasskey(signedBy(elsewhere))), YES)
    }
  )

  it("refuses what is no assertion at all", MILLIS, async () => {
    const encoded = encodedPasskey(signedBy())
    for (const wrong of [
      "0x",
      "0x00",
      `0x${"ff".repeat(191)}`,
      `0x${"ff".repeat(400)}`,
      encoded.slice(0, -128)
    ])
      assert.strictEqual(await asked(digest, `0x${wrong.slice(2)}`), NO)
  })

  it("is not created for what is no point of the curve", MILLIS, async () => {
    const refuses = sandbox.client.call({
      account: stranger,
      data: creationOf({ x: passkey.x, y: passkey.x })
    })
    await refuses.then(
      () => assert.fail("it was created"),
      () => {}
    )
  })
})
