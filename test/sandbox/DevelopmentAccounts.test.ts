import { mnemonicToAccount } from "viem/accounts"
import { assert, it } from "vitest"
import { DEVELOPMENT_PHRASE, developmentAccount } from "../../sandbox/DevelopmentAccounts.ts"

it("the development accounts are the first ten of the phrase", () => {
  for (let addressIndex = 0; addressIndex < 10; addressIndex++) {
    const { address } = mnemonicToAccount(DEVELOPMENT_PHRASE, { addressIndex })
    assert.strictEqual(developmentAccount(addressIndex).address, address)
  }
})
