/** A process that is killed once a review is decided leaves it decided, with the envelope for its app and for nobody again. */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import type { Order } from "../faults/crash/Orders.ts"
import { READY, started } from "../faults/crash/Processes.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { ENDLESS_QUOTAS } from "../support/EndlessQuotas.ts"
import { passableDirectory } from "../support/PassableDirectory.ts"
import { freePort } from "../support/Ports.ts"
import { assertProblem } from "../support/Problem.ts"
import { approve, cancel } from "./support/Deciding.ts"
import {
  appBot,
  operationBy,
  pilotWallet,
  reviewed,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench({}, { passkeys: 1, apps: 1 })
const directory = await passableDirectory("service-payments-")

afterAll(async () => {
  await bench.stop()
  await rm(directory, { recursive: true, force: true })
})

/** The whole program on the same database, which dies by SIGKILL at the first that it decides. */
const startMortal = async () => {
  const port = await freePort()
  const settings = {
    SERVICE_PORT: String(port),
    SERVICE_OPS_PORT: String(await freePort()),
    SERVICE_PUBLIC_URL: bench.service.audience,
    SERVICE_DATA_DIR: join(directory, "service"),
    SERVICE_DATABASE_URL: bench.service.databaseUrl,
    SERVICE_RPC_31337: bench.proxy.url,
    SERVICE_SANDBOX_MANIFEST: bench.overlay,
    SERVICE_SMART_MANIFESTS: bench.pilot.smartManifests ?? "",
    SERVICE_BUNDLER_31337: bench.bundler.url,
    SERVICE_WALLET_PAYMENTS: JSON.stringify(bench.pilot.walletPayments),
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    ...ENDLESS_QUOTAS,
    SERVICE_LOG_LEVEL: "error"
  }
  const program = await builtProgram("test/faults/crash/serviceMain.ts")
  const running = await started([program], settings, READY, { message: () => {}, line: () => {} })
  const order: Order = { at: "review.decided", act: "kill" }
  running.tell({ order })
  return { ...running, service: { url: `http://127.0.0.1:${port}`, audience: bench.service.audience } }
}

const pilot = await pilotWallet(bench, 0)
const bot = await appBot(bench, pilot)

const opened = async () => reviewed(bench, bot, (await operationBy(bench, pilot, bot)).id)

it.each(["approved", "cancelled"] as const)("a review is %s once", { timeout: 120_000 }, async status => {
  const review = await opened()
  const mortal = await startMortal()
  const decide = status === "approved" ? approve(mortal, pilot, review) : cancel(mortal, review)
  assert.strictEqual(await decide.catch(() => "no answer"), "no answer")
  assert.isNull(await mortal.ended)
  await assertProblem(await approve(bench, pilot, review), "PAYMENT_REVIEW_DECIDED")
  await assertProblem(await cancel(bench, review), "PAYMENT_REVIEW_DECIDED")
  const shown = await (await shownReview(bench, bot, review.id)).json()
  assert.strictEqual(shown.status, status)
  if (status === "approved") assert.match(shown.approval.signature, /^0x[0-9a-f]+$/)
  else assert.isNull(shown.approval)
})
