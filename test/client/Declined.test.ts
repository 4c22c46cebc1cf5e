/** What an error of a wallet tells of what it did, as the libraries that people send with hand it on. */
import { BrowserProvider } from "ethers"
import { createWalletClient, custom } from "viem"
import { foundry } from "viem/chains"
import { assert, describe, it } from "vitest"
import { eip1193Wallet, surelySentNothing } from "../../src/client/TransactionWallet.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const CALL = { to: ADDRESS, value: 1n, data: "0x" } as const
const TERMS = { gas: 21_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }

const answers: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x7a69",
  eth_accounts: [ADDRESS],
  eth_requestAccounts: [ADDRESS],
  eth_blockNumber: "0x1",
  eth_estimateGas: "0x5208"
}

/** Of somebody who is asked, and of whom this comes. */
const walletThat = (failure: { readonly code: number; readonly message: string }) => ({
  request: async ({ method }: { readonly method: string }) => {
    if (method === "eth_sendTransaction" || method === "wallet_sendTransaction")
      throw Object.assign(new Error(failure.message), failure)
    return answers[method] ?? assert.fail(method)
  }
})

const DECLINED = { code: 4001, message: "User rejected the request." }
const DISCONNECTED = { code: 4900, message: "The provider is disconnected." }

type Wallet = ReturnType<typeof walletThat>

const ways: Readonly<Record<string, (wallet: Wallet) => Promise<unknown>>> = {
  viem: wallet =>
    createWalletClient({ account: ADDRESS, chain: foundry, transport: custom(wallet) }).sendTransaction({
      ...CALL,
      ...TERMS
    }),
  ethers: async wallet => {
    const signer = await new BrowserProvider(wallet).getSigner()
    return signer.sendTransaction({ ...CALL, ...TERMS })
  },
  "EIP-1193": wallet =>
    eip1193Wallet(wallet, ADDRESS).sendTransaction({ ...CALL, ...TERMS, chainId: foundry.id })
}

const failureOf = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => assert.fail("it was sent"),
    failure => failure
  )

it.each([
  ...[4001, "5000", 5001, 5002, "ACTION_REJECTED"],
  ...[4902, 4100, 4200, 5100, 5101, -32_601, -32_602, -32_004]
])("a wallet that answers %s sent nothing", code => {
  assert.isTrue(surelySentNothing({ code }))
})

it.each([4900, 50_010, 15_001, -32_000, undefined])("a wallet that answers %s sent it perhaps", code => {
  assert.isFalse(surelySentNothing({ code }))
})

describe.each(Object.keys(ways))("a wallet that is asked by %s", name => {
  const send = ways[name] ?? assert.fail(name)

  it("and declines sent nothing", async () => {
    assert.isTrue(surelySentNothing(await failureOf(send(walletThat(DECLINED)))))
  })

  it("and disconnects sent it perhaps", async () => {
    assert.isFalse(surelySentNothing(await failureOf(send(walletThat(DISCONNECTED)))))
  })
})
