import { assert, describe, it } from "vitest"
import { ClientMisuse } from "../../src/client/Errors.ts"
import { keptNonces, keptSponsorship, keptStep, memoryStore } from "../../src/client/Store.ts"

const ID = "5f0c8a52-0b1c-4f0a-9f53-000000000001"
const WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

describe("what is kept", () => {
  it("has names that may be those of files", async () => {
    const names: Array<string> = []
    const store = { ...memoryStore(), keep: (name: string) => names.push(name) }
    await keptStep(store, ID, 0).keep({})
    await keptSponsorship(store, ID).keep({})
    await keptNonces(store, 31_337, WALLET).keep([])
    assert.deepStrictEqual(names, [`${ID}.0`, `${ID}.sponsorship`, `nonces.31337.${WALLET.toLowerCase()}`])
  })

  it("is kept under no name that leads elsewhere, whatever a service calls its plan", () => {
    const store = memoryStore()
    for (const id of ["../../.profile", "/etc/x", "a\\b", "a b", "a\u0000", "x".repeat(200)]) {
      assert.throws(() => keptStep(store, id, 0), ClientMisuse)
      assert.throws(() => keptSponsorship(store, id), ClientMisuse)
    }
  })
})
