/** A node that answers everything after a fixed time; one path for each chain, and GET says how long it took over all round trips. */
import { readFileSync } from "node:fs"
import { instantChain, rpcServer } from "../test/support/InstantChain.ts"
import { forwarderResults, INSTANT_CHAIN } from "../test/support/InstantForwarder.ts"
import { guardedResults } from "../test/support/InstantGuard.ts"
import { walletResults } from "../test/support/InstantWallets.ts"
import { runningPacked } from "../test/support/PackedCalls.ts"

const ANSWER_MILLIS = Number(process.env.ANSWER_MILLIS ?? 20)
/** A file with the owners of wallets that its chain has, and whether these wallets have a guard. */
const { WALLET_OWNERS, WALLET_GUARD } = process.env

const resultsOf = WALLET_GUARD === undefined ? walletResults : guardedResults
const results: typeof forwarderResults = runningPacked(
  WALLET_OWNERS === undefined ? forwarderResults : resultsOf(JSON.parse(readFileSync(WALLET_OWNERS, "utf8")))
)

const chains = new Map<string, ReturnType<typeof instantChain>>()
const stats = { roundTrips: 0, busyMillis: 0 }

const chainOf = (chainId: number) => instantChain(chainId, "small", chainId === INSTANT_CHAIN ? results : {})

const chainAt = (path: string) => {
  const chain = chains.get(path) ?? chainOf(Number(path.slice(1)))
  chains.set(path, chain)
  return chain
}

const server = rpcServer(
  async (questions, path) => {
    const arrived = performance.now()
    const answers = questions.map(chainAt(path).answer)
    const left = ANSWER_MILLIS - (performance.now() - arrived)
    await new Promise(resolve => setTimeout(resolve, Math.max(0, left)))
    stats.roundTrips += 1
    stats.busyMillis += performance.now() - arrived
    return answers
  },
  () => stats
)
server.listen(Number(process.env.PORT), "127.0.0.1")
