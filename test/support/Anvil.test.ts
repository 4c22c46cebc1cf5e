import { assert, it } from "vitest"
import { KEEPING_STATES, startAnvil } from "./Anvil.ts"
import { rpc } from "./Rpc.ts"

const BLOCKS = 1_200
const DEEPEST = 64
/** Leaves one byte of code. */
const CREATION = "0x60016000526001601ff3"

it("a local chain that keeps its states has all code after a reorganisation, however many blocks it has", async () => {
  const { url, stop } = await startAnvil({ args: KEEPING_STATES })
  try {
    const [from] = await rpc(url, "eth_accounts")
    const { contractAddress } = await rpc(url, "eth_sendTransactionSync", [
      { from, data: CREATION, gas: "0x30000" }
    ])
    await rpc(url, "anvil_mine", [`0x${BLOCKS.toString(16)}`])
    for (let times = 0; times < 2; times++) {
      await rpc(url, "anvil_reorg", [DEEPEST, []])
      assert.strictEqual(await rpc(url, "eth_getCode", [contractAddress, "latest"]), "0x01")
    }
  } finally {
    await stop()
  }
})
