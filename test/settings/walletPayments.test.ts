/** What the pilot of wallet payments may be set to. */
import { assert, describe, it } from "vitest"
import type { Environment } from "../../src/settings/decode.ts"
import { linesOf, settingsOf } from "./support/Decoded.ts"

describe("the pilot of wallet payments", () => {
  const app = {
    bot: "0x00000000000000000000000000000000000000b1",
    origin: "https://app.example",
    callbackUri: "https://app.example/paid"
  }
  const pilot = {
    issuer: "https://service.example",
    rpId: "service.example",
    apps: [app],
    manifestIds: ["pilot"]
  }
  const given = (over: object, audience = "https://api.service.example"): Environment => ({
    SERVICE_PUBLIC_URL: audience,
    SERVICE_WALLET_PAYMENTS: JSON.stringify({ ...pilot, ...over })
  })

  it("is off unless it is given", () => {
    assert.isUndefined(settingsOf({}).walletPayments)
    assert.strictEqual(settingsOf(given({})).walletPayments?.rpId, "service.example")
    assert.strictEqual(settingsOf(given({}, "https://service.example/base")).walletPayments?.apps.length, 1)
  })

  it("is of passkeys that the service's own pages may use", () => {
    for (const audience of ["https://other.example", "https://myservice.example", "https://example"])
      assert.match(linesOf(given({}, audience))[0] ?? "", /^SERVICE_WALLET_PAYMENTS: pages of .* may not use/)
    assert.strictEqual(
      settingsOf(given({ rpId: "localhost" }, "http://localhost:8787")).walletPayments?.rpId,
      "localhost"
    )
    for (const [rpId, audience] of [
      ["127.0.0.1", "http://127.0.0.1:8787"],
      ["example", "https://service.example"]
    ])
      assert.match(
        linesOf(given({ rpId }, audience))[0] ?? "",
        /^SERVICE_WALLET_PAYMENTS: pages of .* may not use/
      )
  })

  it("is refused in any other form", () => {
    const wrong = [
      { issuer: "http://service.example" },
      { rpId: "https://service.example" },
      { rpId: "" },
      { apps: [] },
      { apps: [app, app] },
      { apps: [{ ...app, bot: "0x12" }] },
      { apps: [{ ...app, origin: "https://app.example/" }] },
      { apps: [{ ...app, callbackUri: "https://evil.example/paid" }] },
      { apps: [{ ...app, callbackUri: "https://app.example/paid#x" }] },
      { apps: [{ ...app, callbackUri: "https://user@app.example/paid" }] },
      { apps: [{ ...app, callbackUri: "javascript:alert(1)" }] },
      { apps: [{ ...app, more: 1 }] },
      { manifestIds: [] },
      { more: 1 }
    ]
    for (const over of wrong) assert.lengthOf(linesOf(given(over)), 1, JSON.stringify(over))
  })
})
