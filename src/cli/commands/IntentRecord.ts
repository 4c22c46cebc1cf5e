import type { Command } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { intentText } from "../IntentText.ts"

type Told = Parameters<Connection["client"]["intents"]["recordDeployment"]>[1]

const HASH = /^0x[0-9a-f]{64}$/i

export const intentRecord: Command = {
  name: "intent record",
  takes: "<intent id> <transaction hash>",
  summary: "Record the transaction that deployed an intent on a chain; the chain has to prove it.",
  details:
    "The transaction has to have the chain's confirmations, and its one new project has to be created inside the intent's last call of that chain. Where a wallet contract, a forwarder or a batch made that call, the node has to serve traces.",
  example: "service intent record 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 0x3d… --chain 8453",
  flags: [{ name: "chain", value: "<id>", help: "The chain that the transaction is on." }, ...signedFlags],
  run: async (input, terminal) => {
    const [id, hash] = [input.needed(0), input.needed(1)]
    const chainId = input.integer("chain") ?? input.fail('"service intent record" needs --chain.')
    if (!HASH.test(hash)) input.fail(`A transaction hash is 0x and 64 hexadecimal digits, not "${hash}".`)
    const { client } = await connect(input, terminal)
    const told: Told = { chainId, transactionHash: `0x${hash.slice(2).toLowerCase()}` }
    const intent = await client.intents.recordDeployment(id, told)
    return { json: intent, text: intentText(intent) }
  }
}
