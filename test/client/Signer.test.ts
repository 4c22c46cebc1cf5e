import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert, describe, it } from "vitest"
import { normalisedSignature, type Signer, signMessage } from "../../src/client/Signer.ts"
import { domainOf } from "../../src/values/TypedDataHash.ts"

/** Of a fixed key, whose signatures of these digests have either parity. */
const key = privateKeyToAccount(`0x${"11".repeat(32)}`)

const digests = Array.from({ length: 8 }, (_, index) => `0x${String(index + 1).repeat(64)}` as const)

describe("wallets' signatures", () => {
  it("leave as 65 bytes with v 27 or 28, whichever of the known forms they came in", async () => {
    const seen = new Set<string>()
    for (const hash of digests) {
      const signature = await key.sign({ hash })
      const parsed = parseSignature(signature)
      const hardware = `${signature.slice(0, -2)}0${parsed.yParity}`
      const compact = serializeCompactSignature(signatureToCompactSignature(parsed))
      assert.strictEqual(normalisedSignature(hardware), signature)
      assert.strictEqual(normalisedSignature(compact), signature)
      assert.strictEqual(normalisedSignature(signature), signature)
      seen.add(signature.slice(-2))
    }
    assert.deepStrictEqual([...seen].sort(), ["1b", "1c"])
  })

  it("of other forms leave unchanged", () => {
    const long = `0x${"ab".repeat(130)}`
    for (const form of [long, "0x", "nonsense", `0x${"00".repeat(64)}2a`])
      assert.strictEqual(normalisedSignature(form), form)
  })

  it("of contract wallets leave unchanged, since v 0 and 1 have a meaning there", async () => {
    const approvedHash = `0x${"11".repeat(64)}01`
    const wallet: Signer = {
      address: key.address,
      contractWallet: true,
      signTypedData: async () => approvedHash
    }
    const message = {
      audience: "http://service.test",
      accountId: "eip155:1:0x",
      botAddress: key.address,
      scopes: ["read"],
      expiresAt: 1,
      label: "",
      ownerRequestNonce: `0x${"00".repeat(32)}`
    } as const
    const domain = domainOf(message.audience, 1)
    assert.strictEqual(await signMessage(wallet, domain, "ServiceBotProof", message), approvedHash)
  })
})
