/** What a wallet that pays its own gas is told that it lacks. */
import { encodeFunctionData, parseAbi, parseEther, toHex } from "viem"
import { afterAll, assert, it } from "vitest"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../support/Problem.ts"
import { rpc } from "../support/Rpc.ts"
import { askOperation, boundWallet, startOperatingBench, walletPlan } from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service, chain } = bench
afterAll(() => bench.stop())

/** By a wallet that has so much, each of whose plans pays 1,000 wei. */
const walletWith = async (balance: bigint) => {
  const { owner, wallet, ...bound } = await boundWallet(bench)
  const { id: planId } = await walletPlan(bench, { owner, wallet, ...bound })
  const hold = (amount: bigint) => rpc(chain.url, "anvil_setBalance", [wallet.address, toHex(amount)])
  const asked = () => askOperation(service, owner, { planId, stepIndexes: [0] })
  await hold(balance)
  return {
    address: wallet.address,
    hold,
    asked,
    lacks: async () => (await assertProblem(await asked(), "USER_OPERATION_FUNDING_REQUIRED")).context
  }
}

it("what its gas and its calls cost, beyond all that there is", async () => {
  const { hold, asked, lacks } = await walletWith(1000n)
  const { required, available, missing } = Object(await lacks())
  assert.strictEqual(available, "1000")
  assert.strictEqual(BigInt(missing), BigInt(required) - 1000n)
  await hold((BigInt(required) * 11n) / 10n)
  assert.strictEqual((await asked()).status, 201)
})

it("what its calls carry, whatever the entry point holds for its gas", async () => {
  const { address, hold, asked, lacks } = await walletWith(999n)
  const [from] = await rpc(chain.url, "eth_accounts", [])
  const data = encodeFunctionData({ abi: parseAbi(["function depositTo(address) payable"]), args: [address] })
  const deposit = { from, to: ENTRY_POINT, data, value: toHex(parseEther("1")) }
  const { status } = await rpc(chain.url, "eth_sendTransactionSync", [deposit])
  assert.strictEqual(status, "0x1")
  assert.deepStrictEqual(await lacks(), { required: "1000", available: "999", missing: "1" })
  await hold(1000n)
  assert.strictEqual((await asked()).status, 201)
})
