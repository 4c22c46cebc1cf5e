/** Looks at sessions and at their quotas, in turns with signed reads of a contract, while the node answers in 20 ms; and the round trips that they take. */
import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { INSTANT_CHAIN, instantManifest, TERMINAL } from "../test/support/InstantForwarder.ts"
import { instantGuardedManifest } from "../test/support/InstantGuard.ts"
import type { BenchServer } from "./support/Database.ts"
import { median, say, sayBar } from "./support/Figures.ts"
import { startBench } from "./support/Processes.ts"
import { wireOf } from "./support/RelayRequests.ts"
import { ask, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"
import { liveSessions, SESSIONS } from "./support/SessionRequests.ts"
import { CONNECTIONS, inTurns, type Kind, ratioBar, type Turns } from "./support/Turns.ts"

const NODE_PORT = 18_928
const NODE_URL = `http://127.0.0.1:${NODE_PORT}`
const ANSWER_MILLIS = 20
/** So many that none is looked at twice at once. */
const HELD = 256
const EXPECTED = 400
const COUNTED = 9
const MOST_TRIPS = 2

type Sessions = ReadonlyMap<BenchAccount, string>
type Target = (account: BenchAccount, index: number) => string

/** Each asks something else, so that no two share an answer. */
const readTarget: Target = (_, index) => {
  const args = JSON.stringify([`0x${index.toString(16).padStart(8, "0")}`])
  const asked = { contractId: TERMINAL, function: "supportsInterface(bytes4)", args }
  return `/api/v1/protocol/read?${new URLSearchParams({ chainId: String(INSTANT_CHAIN), ...asked })}`
}

const targetsOf = (sessions: Sessions) => ({
  read: readTarget,
  observation: ((account: BenchAccount) => `${SESSIONS}/${sessions.get(account)}`) satisfies Target,
  quota: ((account: BenchAccount) => `${SESSIONS}/${sessions.get(account)}/quota`) satisfies Target
})

const ORDER = ["read", "observation", "quota"] as const

const tripsOf = async (): Promise<number> => (await (await fetch(NODE_URL)).json()).roundTrips

/** The median of several: what the service looks at on its own meanwhile is counted with one of them or two. */
const tripsBar = async (name: string, account: BenchAccount, target: string) => {
  const trips: Array<number> = []
  for (let time = 0; time < COUNTED; time++) {
    const before = await tripsOf()
    const { status, body } = await ask(account, { method: "GET", target })
    if (status !== 200 || Object(body).state !== "active")
      throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
    trips.push((await tripsOf()) - before)
  }
  const most = median(trips)
  sayBar(`${name}, round trips (${trips.join(", ")})`, String(most), most <= MOST_TRIPS, `<= ${MOST_TRIPS}`)
}

const measured = async (accounts: ReadonlyArray<BenchAccount>, turns: Turns) => {
  const ids = await liveSessions(accounts, `${NODE_URL}/${INSTANT_CHAIN}`)
  const targets = targetsOf(new Map(accounts.map((account, index) => [account, ids[index] ?? ""])))
  const [account] = accounts
  if (account === undefined) throw new Error("no account")
  await tripsBar("session observation", account, targets.observation(account))
  await tripsBar("session quota", account, targets.quota(account))
  const kind =
    (target: Target): Kind =>
    async asking =>
      asking.map((each, index) => wireOf(each, { method: "GET", target: target(each, index) }))
  const kinds = {
    read: kind(targets.read),
    observation: kind(targets.observation),
    quota: kind(targets.quota)
  }
  const again = (count: number) =>
    Array.from({ length: count }, (_, index) => accounts[index % accounts.length] ?? account)
  const rates = await inTurns(kinds, ORDER, again, turns)
  ratioBar("session observation against signed read", rates("observation"), rates("read"), 0.5)
  ratioBar("session quota against signed read", rates("quota"), rates("read"), 0.5)
}

export const sessionSpeed = async (postgres: BenchServer, quick: boolean): Promise<void> => {
  const turns: Turns = {
    expected: EXPECTED,
    ...(quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 })
  }
  const accounts = benchAccounts(HELD)
  const files: Array<string> = []
  const fileOf = (name: string, content: unknown): string => {
    const file = join(tmpdir(), `bench-sessions-${name}-${process.pid}.json`)
    writeFileSync(file, JSON.stringify(content))
    files.push(file)
    return file
  }
  const stopNode = await startBench("relayNode.ts", NODE_PORT, {
    ANSWER_MILLIS: String(ANSWER_MILLIS),
    WALLET_OWNERS: fileOf(
      "owners",
      accounts.map(({ key }) => key.address)
    ),
    WALLET_GUARD: "yes"
  })
  const chains = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: `${NODE_URL}/${INSTANT_CHAIN}`,
    SERVICE_SANDBOX_MANIFEST: fileOf("deployments", instantManifest),
    SERVICE_SMART_MANIFESTS: fileOf("manifests", { manifests: [instantGuardedManifest] })
  }
  say(`${HELD} live sessions, the node answers in ${ANSWER_MILLIS} ms, ${CONNECTIONS} connections:`)
  try {
    await withService(postgres, "sessions", accounts, chains, () => measured(accounts, turns))
  } finally {
    await stopNode()
    for (const file of files) rmSync(file, { force: true })
  }
}
