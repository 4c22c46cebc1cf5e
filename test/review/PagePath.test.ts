import { assert, describe, it } from "vitest"
import { pagePath, placeOf } from "../../src/review/PagePath.ts"

const ID = "5f0c8a52-0b1c-4f0a-9f53-000000000001"
const ACCOUNT = "eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const BOT = "bot:8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42"

const opened = (address: string) => placeOf(new URL(address, "http://service.example"))

describe("the address of a plan's page", () => {
  it("says which plan, and in its fragment whose", () => {
    assert.deepStrictEqual(opened(pagePath(ID, ACCOUNT, `owner:${ACCOUNT}`)), {
      planId: ID,
      accountId: ACCOUNT,
      principal: undefined
    })
    assert.deepStrictEqual(opened(pagePath(ID, ACCOUNT, BOT)), {
      planId: ID,
      accountId: ACCOUNT,
      principal: BOT
    })
    assert.notInclude(new URL(pagePath(ID, ACCOUNT, BOT), "http://service.example").pathname, "eip155")
  })

  it("takes no other hint than well-formed ones", () => {
    const place = opened(`/console/plans/${ID}#account=eip155:1:0x12&by=owner:x`)
    assert.deepStrictEqual(place, { planId: ID, accountId: undefined, principal: undefined })
    assert.isUndefined(opened("/console/plans/x").planId)
  })
})
