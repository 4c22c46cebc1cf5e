/** What the guide of a wallet of two owners leaves: four operations that left once each and were executed, and what each of them did. */
import { type Address, type Hex, hexToBigInt, isAddress, isHex, parseAbiItem, parseEther } from "viem"
import { assert } from "vitest"
import stack from "../../../schema/execution/stack.json" with { type: "json" }
import { type Acting, beneficiary, holder, owner } from "../../sandbox/support/Sandbox.ts"
import { safeAbi } from "../../smartaccounts/support/Wallets.ts"
import type { RecordingProxy } from "../../support/RecordingProxy.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

const OPERATIONS = 4

const EXECUTED = parseAbiItem(
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)"
)

interface Sent {
  readonly sender: Address
  readonly nonce: bigint
  /** Two owners' signatures behind the two times between which it holds. */
  readonly signature: Hex
}

const sentBy = ({ records }: RecordingProxy): ReadonlyArray<Sent> =>
  records
    .filter(({ method }) => method === "eth_sendUserOperation")
    .map(({ operation }) => {
      const { sender, nonce, signature } = Object(operation)
      if (!isAddress(sender) || !isHex(nonce) || !isHex(signature))
        return assert.fail("no operation was sent")
      return { sender, nonce: hexToBigInt(nonce), signature }
    })

/** The bundles' blocks, in the order of the operations. */
const executed = async ({ client }: Acting, sent: ReadonlyArray<Sent>): Promise<ReadonlyArray<bigint>> => {
  const logs = await client.getLogs({
    address: stack.pins.entryPoint.address as Address,
    event: EXECUTED,
    fromBlock: 0n
  })
  assert.deepEqual(
    logs.map(({ args: { sender, nonce, success } }) => ({ sender, nonce, success })),
    sent.map(({ sender, nonce }) => ({ sender, nonce, success: true }))
  )
  for (const { args } of logs) assert.strictEqual(args.paymaster, stack.paymasters[0]?.address)
  return logs.map(({ blockNumber }) => blockNumber)
}

const projectOf = async ({ client, contract, at }: Acting, wallet: Address) => {
  const owned = { ...contract("JBProjects"), functionName: "ownerOf", args: [7n] } as const
  assert.strictEqual(await client.readContract(owned), wallet)
  const held = await client.readContract({
    ...contract("JBTerminalStore"),
    functionName: "balanceOf",
    args: [at("JBMultiTerminal"), 7n, NATIVE_TOKEN]
  })
  assert.strictEqual(held, parseEther("1"))
}

/** A quarter of the payout, but for the protocol's fee. */
const paidOut = async ({ client }: Acting, block: bigint) => {
  const { address } = beneficiary
  const [before, after] = await Promise.all(
    [block - 1n, block].map(blockNumber => client.getBalance({ address, blockNumber }))
  )
  assert.strictEqual((after ?? 0n) - (before ?? 0n), parseEther("0.24375"))
}

export const walletActed = async (chain: Acting, bundling: RecordingProxy | undefined): Promise<void> => {
  const sent = sentBy(bundling ?? assert.fail("there is no bundler"))
  assert.lengthOf(sent, OPERATIONS)
  const [{ sender: wallet } = assert.fail()] = sent
  assert.deepEqual(
    sent.map(({ sender, nonce }) => ({ sender, nonce })),
    [0n, 1n, 2n, 3n].map(nonce => ({ sender: wallet, nonce }))
  )
  for (const { signature } of sent) assert.lengthOf(signature, 2 + 2 * (12 + 2 * 65))
  const [, , , last = assert.fail("no payout")] = await executed(chain, sent)
  const safe = { address: wallet, abi: safeAbi }
  const owners = await chain.client.readContract({ ...safe, functionName: "getOwners" })
  assert.sameMembers<string>(
    [...owners],
    [owner, holder, beneficiary].map(({ address }) => address)
  )
  assert.strictEqual(await chain.client.readContract({ ...safe, functionName: "getThreshold" }), 2n)
  const tokens = { ...chain.contract("JBTokens"), functionName: "totalBalanceOf" } as const
  assert.strictEqual(await chain.client.readContract({ ...tokens, args: [wallet, 2n] }), parseEther("700"))
  await projectOf(chain, wallet)
  await paidOut(chain, last)
}
