/** P5: round trips to the node for each operation, counted by a proxy on a service that was idle before, while its recovery rests and the head stands. */
import { type Methods, type Proxy, startProxy } from "./relayProxy.ts"
import type { BenchServer } from "./support/Database.ts"
import { say, sayBar } from "./support/Figures.ts"
import { payment, planRequest, signedTransaction, submission } from "./support/RelayRequests.ts"
import { ask, type LocalChain, plansFor, terminalOf, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const MANY = 32
const WALLET = "0x3635c9adc5dea00000"

const target = (route: "resolve" | "read", contractId: string) =>
  `/api/v1/protocol/${route}?chainId=31337&contractId=${encodeURIComponent(contractId)}`

const counting = (proxy: Proxy) => async (work: () => Promise<{ readonly status: number }>) => {
  const before = proxy.roundTrips()
  const { status } = await work()
  if (status >= 300) throw new Error(`an operation answered ${status}`)
  return proxy.roundTrips() - before
}

/** As recovery does and a submission never does. */
const looksAtReceipts = (methods: Methods) => methods.includes("eth_getTransactionReceipt")

const bar = (name: string, trips: number, most: number) =>
  sayBar(name, String(trips), trips <= most, `<= ${most}`)

const count = async (chain: LocalChain, proxy: Proxy, account: BenchAccount) => {
  const terminal = terminalOf(chain)
  const counted = counting(proxy)
  const get = (path: string) => () => ask(account, { method: "GET", target: path })
  const fee = `${target("read", terminal)}&function=${encodeURIComponent("accountingContextsOf(uint256)")}&args=${encodeURIComponent('["2"]')}`
  bar("resolve", await counted(get(target("resolve", terminal))), 2)
  bar("read", await counted(get(fee)), 2)
  const calls = Array.from({ length: MANY }, () => payment(31_337, terminal, "2"))
  bar(
    "creation of a plan of one call",
    await counted(() => ask(account, planRequest(account, calls.slice(0, 1)))),
    3
  )
  bar(
    `creation of a plan of ${MANY} calls`,
    await counted(() => ask(account, planRequest(account, calls))),
    3
  )
  const [plan] = await plansFor([{ account, calls }])
  if (plan === undefined) throw new Error("no plan")
  // The local node runs a call at a head that was overtaken just now on the next block's state; its revert would be looked at anew.
  await chain.rpc("evm_setIntervalMining", [0])
  const submissions: Array<ReadonlyArray<Methods>> = []
  let quietSince = proxy.roundTrips()
  for (const [step, call] of plan.calls.entries()) {
    const raw = signedTransaction(account, call, step)
    const before = proxy.roundTrips()
    await counted(() => ask(account, submission(plan.id, step, raw)))
    if (!proxy.asked().slice(quietSince).some(looksAtReceipts)) submissions.push(proxy.asked().slice(before))
    quietSince = before
  }
  if (submissions.length < MANY / 2) throw new Error("recovery was at work during most submissions")
  const most = submissions.reduce((longest, trips) => (trips.length > longest.length ? trips : longest))
  bar(`preflight and broadcast, the most of ${submissions.length}`, most.length, 4)
  if (most.length > 4) say(most.map(methods => `    ${methods.join(", ")}`).join("\n"))
  await chain.rpc("evm_mine", [])
  await chain.rpc("evm_setIntervalMining", [1])
  const refresh = await counted(get(`/api/v1/plans/${plan.id}?refresh=true`))
  bar(`refresh of a plan of ${MANY} steps`, refresh, 3)
}

export const roundTrips = async (postgres: BenchServer, chain: LocalChain) => {
  say("round trips to the node, JSON-RPC batches taken:")
  const proxy = await startProxy(chain.url)
  const accounts = benchAccounts(1)
  const chains = { SERVICE_RPC_31337: proxy.url, SERVICE_SANDBOX_MANIFEST: chain.overlay }
  try {
    await withService(postgres, "trips", accounts, chains, async () => {
      for (const account of accounts) {
        await chain.rpc("anvil_setBalance", [account.key.address, WALLET])
        await count(chain, proxy, account)
      }
    })
  } finally {
    await proxy.stop()
  }
}
