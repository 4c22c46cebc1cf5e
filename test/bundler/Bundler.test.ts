/** Operations of real wallets through the real bundler. */
import { type Address, parseEther, parseEventLogs } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { assert, beforeAll, describe, it } from "vitest"
import { operationHash } from "../../src/values/PackedOperation.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { createWallet, ENTRY_POINT, type Wallet } from "../smartaccounts/support/Wallets.ts"
import { type Bundling, bundlerClient, bundling } from "./support/Bundler.ts"
import { chainId, estimated, sentBy, signed, sponsored, unsponsored } from "./support/Operations.ts"

const ETHER = parseEther("1")

let real: Bundling
let wallet: Wallet

beforeAll(async () => {
  real = await bundling()
  wallet = await createWallet(real.sandbox, { saltNonce: 1n })
})

const balance = (address: Address) => real.sandbox.client.getBalance({ address })

/** The only event of the operation in the receipt that the bundler tells. */
const executed = async (operation: UserOperation) => {
  const hash = operationHash(operation, { chainId, entryPoint: ENTRY_POINT })
  assert.equal(await sentBy(real, operation), hash)
  const { receipt } = await bundlerClient(real).waitForUserOperationReceipt({ hash, timeout: 20_000 })
  const { logs } = await real.sandbox.client.getTransactionReceipt({ hash: receipt.transactionHash })
  const [event, ...others] = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: "UserOperationEvent",
    logs
  }).filter(({ args }) => args.userOpHash === hash)
  assert.isEmpty(others)
  return event?.args ?? assert.fail("no event of the operation")
}

describe("the bundler", () => {
  it("serves the chain and the entry point", async () => {
    const client = bundlerClient(real)
    assert.equal(await client.getChainId(), chainId)
    assert.deepEqual(await client.getSupportedEntryPoints(), [ENTRY_POINT])
  })

  it("is on 127.0.0.1 alone", async () => {
    const { port } = new URL(real.bundler.url)
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
    const elsewhere = await fetch(`http://127.0.0.2:${port}/health`).catch(({ cause }) => cause.code)
    assert.equal(elsewhere, "ECONNREFUSED")
  })

  it("carries an operation that a wallet pays for", async () => {
    const to = "0x00000000000000000000000000000000000000b1"
    const before = await balance(wallet.address)
    const operation = await unsponsored(real, wallet, [{ to, value: ETHER, data: "0x" }])
    const event = await executed(await signed(real, wallet, await estimated(real, operation)))
    assert.deepInclude(event, { sender: wallet.address, success: true, nonce: 0n })
    assert.equal(await balance(to), ETHER)
    assert.isBelow(Number(await balance(wallet.address)), Number(before - ETHER))
  })

  it("carries one of several calls that the paymaster pays for", async () => {
    const recipients = [
      "0x00000000000000000000000000000000000000b2",
      "0x00000000000000000000000000000000000000b3"
    ] as const
    const before = await balance(wallet.address)
    const calls = recipients.map(to => ({ to, value: ETHER, data: "0x" }) as const)
    const operation = await sponsored(real, await unsponsored(real, wallet, calls))
    const event = await executed(await signed(real, wallet, operation))
    assert.isTrue(event.success)
    assert.equal(event.paymaster, "paymaster" in operation ? operation.paymaster : assert.fail("unpaid"))
    for (const to of recipients) assert.equal(await balance(to), ETHER)
    assert.equal(await balance(wallet.address), before - 2n * ETHER)
  })

  it("takes no operation that one owner signed", async () => {
    const call = { to: ENTRY_POINT, value: 0n, data: "0x" } as const
    const operation = await estimated(real, await unsponsored(real, wallet, [call]))
    const alone = await signed(real, { ...wallet, threshold: 1 }, operation)
    await sentBy(real, alone).then(
      () => assert.fail("taken"),
      ({ message }) => assert.match(message, /AA2[34]/)
    )
  })
})
