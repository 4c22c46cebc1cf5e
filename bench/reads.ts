/** P5 and P6: round trips to the node for each operation that reads a chain, counted by a proxy, and the public discovery. */
import { performance } from "node:perf_hooks"
import { isPlan, ownDeclarations, selectableSources } from "../src/operations/framework/Declarations.ts"
import { SANDBOX_INPUTS } from "../test/operations/support/SandboxInputs.ts"
import { operationTarget } from "../test/support/OperationTarget.ts"
import { run as discovery } from "./discovery.ts"
import { type Proxy, startProxy } from "./relayProxy.ts"
import { startPostgres } from "./support/Database.ts"
import { median, say, sayBar } from "./support/Figures.ts"
import { ask, type LocalChain, startLocalChain, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const MOST_ROUND_TRIPS = 3

interface Asked {
  readonly name: string
  readonly target: string
  readonly refusal: string | undefined
}

const operations: ReadonlyArray<Asked> = ownDeclarations.flatMap(declaration => {
  const { id } = declaration
  const asked = SANDBOX_INPUTS[id]
  if (asked === undefined || isPlan(declaration) || !selectableSources(declaration).includes("onchain"))
    return []
  const { input, source, refusal } = asked
  return [{ name: id, target: operationTarget(id, input, source), refusal }]
})

const project: Asked = {
  name: "project view",
  target: "/api/v1/projects/31337/2?source=onchain",
  refusal: undefined
}

/** The first time, when everything is still to be learned, and then again and again. */
const measured = async (
  proxy: Proxy,
  account: BenchAccount,
  { name, target, refusal }: Asked,
  times: number
) => {
  const trips: Array<number> = []
  const millis: Array<number> = []
  for (let time = 0; time < times; time++) {
    const before = proxy.roundTrips()
    const began = performance.now()
    const { status, body } = await ask(account, { method: "GET", target })
    millis.push(performance.now() - began)
    trips.push(proxy.roundTrips() - before)
    const { code } = Object(body)
    if (status !== 200 && code !== refusal) throw new Error(`${name} answered ${status} ${code}`)
  }
  const most = Math.max(...trips)
  const words = refusal === undefined ? "" : `, refused on the sandbox as ${refusal}`
  const value = `${most} / ${median(millis).toFixed(0)} ms`
  sayBar(name, value, most <= MOST_ROUND_TRIPS, `<= ${MOST_ROUND_TRIPS} round trips${words}`)
}

const roundTrips = async (chain: LocalChain, quick: boolean) => {
  const postgres = await startPostgres()
  const proxy = await startProxy(chain.url)
  const chains = { SERVICE_RPC_31337: proxy.url, SERVICE_SANDBOX_MANIFEST: chain.overlay }
  const accounts = benchAccounts(1)
  try {
    await withService(postgres, "reads", accounts, chains, async () => {
      for (const account of accounts)
        for (const asked of [project, ...operations]) await measured(proxy, account, asked, quick ? 3 : 20)
    })
  } finally {
    await proxy.stop()
    await postgres.stop()
  }
}

export const run = async (quick: boolean): Promise<void> => {
  const chain = await startLocalChain()
  try {
    say(
      "round trips to the node of reading operations, the most of several, and the median time of an answer:"
    )
    await roundTrips(chain, quick)
  } finally {
    await chain.stop()
  }
  say("public discovery:")
  await discovery(quick)
}
