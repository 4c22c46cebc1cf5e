import { type Hex, keccak256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert, it } from "vitest"
import { nativeKey } from "./NativeKey.ts"

it("signs as viem does, byte for byte", async () => {
  let digest: Hex = keccak256("0x")
  for (let each = 0; each < 100; each++) {
    const privateKey = digest
    digest = keccak256(privateKey)
    const [ours, theirs] = [nativeKey(privateKey), privateKeyToAccount(privateKey)]
    assert.strictEqual(ours.address, theirs.address)
    assert.strictEqual(await ours.sign({ hash: digest }), await theirs.sign({ hash: digest }))
  }
})
