/** What is said, and what is still read, where the wallet is disconnected or locked. */
import { assert, describe, it } from "vitest"
import { tell } from "../../src/console/Failures.ts"
import { lookAtWallet } from "../../src/console/owners/LookAtWallet.ts"
import { WalletRefusal } from "../../src/console/Wallet.ts"

const ADDRESS = "0x00000000000000000000000000000000000000b0"

describe("a wallet that is disconnected", () => {
  it("is said to have signed nothing only where it was asked to sign", () => {
    const adviceOf = (method: string, code: number) => tell(new WalletRefusal(method, code, "gone")).advice
    for (const code of [4001, 4900]) {
      assert.include(adviceOf("eth_signTypedData_v4", code), "This was not signed")
      assert.notInclude(adviceOf("eth_chainId", code), "This was not signed")
      assert.notInclude(adviceOf("wallet_switchEthereumChain", code), "This was not signed")
    }
  })

  it("tells nothing of a wallet of several owners, and stops nothing", async () => {
    const request = ({ method }: { readonly method: string }) =>
      Promise.reject(new WalletRefusal(method, 4900, "disconnected"))
    assert.isUndefined(await lookAtWallet({ request }, { chainId: 1, address: ADDRESS }))
  })
})
