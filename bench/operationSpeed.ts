/** Wallets bound and planned for and their operations prepared and sent, in turns with plans created and steps submitted, while node and bundler answer in 20 ms. */
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { INSTANT_CHAIN, instantManifest, TERMINAL } from "../test/support/InstantForwarder.ts"
import { instantWalletManifest } from "../test/support/InstantWallets.ts"
import type { BenchServer } from "./support/Database.ts"
import { median, say, sayBar } from "./support/Figures.ts"
import { startBench } from "./support/Processes.ts"
import { payment, planRequest, signedTransaction, submission, wireOf } from "./support/RelayRequests.ts"
import { plansFor, withService } from "./support/RelayWorld.ts"
import { accountsFor, CONNECTIONS, fresh, inTurns, type Kind, ratioBar, type Turns } from "./support/Turns.ts"
import {
  bindingRequests,
  challengeRequests,
  operationRequests,
  sendingRequests,
  walletPlanRequests
} from "./support/WalletRequests.ts"

const NODE_PORT = 18_926
const BUNDLER_PORT = 18_927
const ANSWER_MILLIS = 20
const EXPECTED = 200

const calls = [payment(INSTANT_CHAIN, TERMINAL, "1")]

const KINDS = {
  creation: async accounts => accounts.map(account => wireOf(account, planRequest(account, calls))),
  submission: async accounts => {
    const plans = await plansFor(accounts.map(account => ({ account, calls })))
    return accounts.flatMap((account, index) => {
      const plan = plans[index]
      const [call] = plan?.calls ?? []
      return plan === undefined || call === undefined
        ? []
        : [wireOf(account, submission(plan.id, 0, signedTransaction(account, call, 0)))]
    })
  },
  challenge: async accounts => challengeRequests(accounts),
  binding: bindingRequests,
  "wallet plan": walletPlanRequests,
  preparation: operationRequests,
  sending: sendingRequests
} satisfies Readonly<Record<string, Kind>>

const ORDER = [
  ...(["creation", "submission", "challenge", "binding", "wallet plan"] as const),
  ...(["preparation", "sending"] as const)
]

const LEAST_A_SECOND = 150

const rateBar = (name: string, rates: ReadonlyArray<number>) => {
  const rate = median(rates)
  sayBar(`${name} per second`, rate.toFixed(0), rate >= LEAST_A_SECOND, `>= ${LEAST_A_SECOND}`)
}

const fileOf = (name: string, content: unknown): string => {
  const file = join(tmpdir(), `bench-${name}-${process.pid}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}

export const operationSpeed = async (postgres: BenchServer, quick: boolean): Promise<void> => {
  const turns: Turns = {
    expected: EXPECTED,
    ...(quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 4 })
  }
  const accounts = accountsFor(ORDER.length, turns)
  const pace = { ANSWER_MILLIS: String(ANSWER_MILLIS) }
  const owners = accounts.map(({ key }) => key.address)
  const stopNode = await startBench("relayNode.ts", NODE_PORT, {
    ...pace,
    WALLET_OWNERS: fileOf("owners", owners)
  })
  const stopBundler = await startBench("relayBundler.ts", BUNDLER_PORT, pace)
  const chains = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: `http://127.0.0.1:${NODE_PORT}/${INSTANT_CHAIN}`,
    [`SERVICE_BUNDLER_${INSTANT_CHAIN}`]: `http://127.0.0.1:${BUNDLER_PORT}`,
    SERVICE_SANDBOX_MANIFEST: fileOf("deployments", instantManifest),
    SERVICE_SMART_MANIFESTS: fileOf("manifests", { manifests: [instantWalletManifest] })
  }
  say(
    `wallets of one owner, operations of one call, node and bundler answer in ${ANSWER_MILLIS} ms, ${CONNECTIONS} connections:`
  )
  try {
    await withService(postgres, "operations", accounts, chains, async () => {
      const rates = await inTurns(KINDS, ORDER, fresh(accounts), turns)
      rateBar("challenges", rates("challenge"))
      rateBar("bindings", rates("binding"))
      ratioBar("wallet plan against plan creation", rates("wallet plan"), rates("creation"), 0.8)
      ratioBar("preparation against step submission", rates("preparation"), rates("submission"), 0.4)
      ratioBar("sending against step submission", rates("sending"), rates("submission"), 0.5)
    })
  } finally {
    await stopNode()
    await stopBundler()
  }
}
