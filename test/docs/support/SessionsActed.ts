/** What the guides of sessions leave: operations that left once each, a tip that arrived, and a guard with which nothing lives any more. */
import { type Address, isAddress, parseEther } from "viem"
import { assert } from "vitest"
import stack from "../../../schema/execution/stack.json" with { type: "json" }
import { guardAbi } from "../../../src/cli/GuardReads.ts"
import { safeAbi } from "../../../src/cli/SafeTransaction.ts"
import type { Acting } from "../../sandbox/support/Sandbox.ts"
import type { RecordingProxy } from "../../support/RecordingProxy.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

const ENABLED_AND_REVOKED = 2n

/** Owners' operations have the nonces of key 0, those of a session the guard's. */
const sentBy = (bundling: RecordingProxy | undefined) =>
  (bundling ?? assert.fail("there is no bundler")).records
    .filter(({ method }) => method === "eth_sendUserOperation")
    .map(({ operation }) => {
      const { sender, nonce } = Object(operation)
      if (!isAddress(sender)) return assert.fail("no operation was sent")
      return { sender, isOwners: BigInt(String(nonce)) >> 64n === 0n }
    })

const ended = async (
  { client, contract, at }: Acting,
  wallet: Address,
  bareTransactions: bigint
): Promise<void> => {
  const { address } = stack.pins.guard
  if (!isAddress(address)) return assert.fail("no guard")
  const { epoch, live } = await client.readContract({
    ...{ address, abi: guardAbi },
    functionName: "administrationOf",
    args: [wallet]
  })
  assert.deepStrictEqual([epoch, BigInt(live)], [ENABLED_AND_REVOKED, 0n])
  const nonce = await client.readContract({ address: wallet, abi: safeAbi, functionName: "nonce" })
  assert.strictEqual(nonce, bareTransactions)
  const held = await client.readContract({
    ...contract("JBTerminalStore"),
    functionName: "balanceOf",
    args: [at("JBMultiTerminal"), 2n, NATIVE_TOKEN]
  })
  const before = await client.readContract({
    ...contract("JBTerminalStore"),
    functionName: "balanceOf",
    args: [at("JBMultiTerminal"), 2n, NATIVE_TOKEN],
    blockNumber: await firstTip({ client, at })
  })
  assert.strictEqual(held - before, parseEther("0.01"))
}

/** The block before the guide's payment, which is the last that the terminal took. */
const firstTip = async ({ client, at }: Pick<Acting, "client" | "at">): Promise<bigint> => {
  const logs = await client.getLogs({ address: at("JBMultiTerminal"), fromBlock: 0n })
  const last = logs.at(-1)?.blockNumber ?? assert.fail("nothing was paid")
  return last - 1n
}

const walletOf = (sent: ReturnType<typeof sentBy>): Address => sent[0]?.sender ?? assert.fail("nothing left")

export const sessionTipped = async (chain: Acting, bundling: RecordingProxy | undefined): Promise<void> => {
  const sent = sentBy(bundling)
  assert.deepStrictEqual(
    sent.map(({ isOwners }) => isOwners),
    [true, false, true]
  )
  await ended(chain, walletOf(sent), 0n)
}

export const sessionRevokedBare = async (
  chain: Acting,
  bundling: RecordingProxy | undefined
): Promise<void> => {
  const sent = sentBy(bundling)
  assert.deepStrictEqual(
    sent.map(({ isOwners }) => isOwners),
    [true, false]
  )
  await ended(chain, walletOf(sent), 1n)
}
