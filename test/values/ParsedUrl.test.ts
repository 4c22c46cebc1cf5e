import { Schema } from "effect"
import { assert, it } from "vitest"
import { AvatarUri } from "../../src/accounts/Account.ts"
import { parsedUrl } from "../../src/values/ParsedUrl.ts"

const isAvatar = Schema.is(AvatarUri)

/** So often that the engine compiles what is called. */
const CALLS = 200_000

it("takes a host of Latin-1 letters however often it was asked before", () => {
  for (let call = 0; call < CALLS; call++) {
    parsedUrl(`https://a.example/${call % 7}`)
    isAvatar(`https://a.example/${call % 7}`)
  }
  assert.strictEqual(parsedUrl("https://é.example/ü")?.hostname, "xn--9ca.example")
  assert.isTrue(isAvatar("https://é.example/ü"))
})

it("gives nothing for what is no URL", () => {
  for (const text of ["", "a", "https://", "https://a:99999/", "//a"]) assert.isUndefined(parsedUrl(text))
})
