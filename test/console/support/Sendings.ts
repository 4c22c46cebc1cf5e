/** How a wallet that sends by itself carries a call out: as asked, or in one of the ways that wallets change it. */
import { concatHex, type Hex, hexToBigInt, isHex, keccak256, padHex } from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"
import { rpc } from "../../support/Rpc.ts"

interface Sender {
  readonly key: PrivateKeyAccount
  readonly chainUrl: string
}

type Asked = Readonly<Record<string, unknown>>

export type Sending = (sender: Sender, asked: Asked) => Promise<string>

const hex = (value: unknown): Hex => (isHex(value) ? value : assert.fail("no hexadecimal"))

const transactionFor = async ({ chainUrl, key }: Sender, asked: Asked) => ({
  chainId: 31_337,
  nonce: Number(await rpc(chainUrl, "eth_getTransactionCount", [key.address, "pending"])),
  to: hex(asked.to),
  data: hex(asked.data),
  value: hexToBigInt(hex(asked.value)),
  gas: hexToBigInt(hex(asked.gas)),
  maxFeePerGas: hexToBigInt(hex(asked.maxFeePerGas)),
  maxPriorityFeePerGas: hexToBigInt(hex(asked.maxPriorityFeePerGas))
})

const sent = ({ chainUrl }: Sender, raw: Hex): Promise<string> =>
  rpc(chainUrl, "eth_sendRawTransaction", [raw])

type Over = Partial<Awaited<ReturnType<typeof transactionFor>>>

const sentWith = async (sender: Sender, asked: Asked, over: Over = {}): Promise<string> => {
  const transaction = { ...(await transactionFor(sender, asked)), ...over }
  return sent(sender, await sender.key.signTransaction({ type: "eip1559", ...transaction }))
}

export const asAsked: Sending = (sender, asked) => {
  assert.notProperty(asked, "nonce")
  return sentWith(sender, asked)
}

export const asLegacy: Sending = async (sender, asked) => {
  const { maxFeePerGas: gasPrice, maxPriorityFeePerGas: _, ...rest } = await transactionFor(sender, asked)
  return sent(sender, await sender.key.signTransaction({ type: "legacy", ...rest, gasPrice }))
}

export const withValue =
  (value: bigint): Sending =>
  (sender, asked) =>
    sentWith(sender, asked, { value })

/** As wallets write behind a call for whom they send it (ERC-8021). */
export const withSuffix =
  (suffix: string): Sending =>
  (sender, asked) =>
    sentWith(sender, asked, { data: concatHex([hex(asked.data), `0x${suffix}`]) })

/** The account calls itself with the planned call inside, as a smart account's batch. */
export const batched: Sending = (sender, asked) =>
  sentWith(sender, asked, {
    to: sender.key.address,
    data: concatHex(["0x34fcd5be", padHex(hex(asked.to)), hex(asked.data)])
  })

export const delegated: Sending = async (sender, asked) => {
  const transaction = await transactionFor(sender, asked)
  const authorization = await sender.key.signAuthorization({
    chainId: transaction.chainId,
    address: transaction.to,
    nonce: transaction.nonce + 1
  })
  return sent(
    sender,
    await sender.key.signTransaction({
      type: "eip7702",
      ...transaction,
      gas: transaction.gas + 50_000n,
      authorizationList: [authorization]
    })
  )
}

/** By another account, as a relayer does. */
export const fromElsewhere: Sending = async ({ chainUrl }, asked) => {
  const key = privateKeyToAccount(keccak256("0x01"))
  await rpc(chainUrl, "anvil_setBalance", [key.address, `0x${(10n ** 21n).toString(16)}`])
  return sentWith({ key, chainUrl }, asked)
}

/** As `wallet_sendCalls` answers. */
export const asBundle: Sending = async () => `0x${"ab".repeat(64)}`
