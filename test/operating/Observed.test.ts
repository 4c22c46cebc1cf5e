/** What a real Prometheus sees of a whole service at work: each panel of the dashboard has data, no alert has cause, and a node that hangs gives it. */
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { runHere } from "../cli/support/InProcess.ts"
import { READY, type Running, started } from "../faults/crash/Processes.ts"
import { builtPackage } from "../support/BuiltProgram.ts"
import { INSTALLED_MILLIS } from "../support/Debian.ts"
import { passableDirectory } from "../support/PassableDirectory.ts"
import { freePort } from "../support/Ports.ts"
import { until } from "../support/Until.ts"
import { readAlerts, readDashboard } from "./support/Ops.ts"
import { pageNames, pageText } from "./support/Pages.ts"
import { type Prometheus, type Sample, startPrometheus } from "./support/Prometheus.ts"

let directory: string
let running: Running
let url: string
let opsUrl: string
let rpcUrl: string
let prometheus: Prometheus

const run = async (...args: ReadonlyArray<string>) => {
  const ran = await runHere(args, {
    FUNDING_URL: url,
    FUNDING_RPC: rpcUrl,
    FUNDING_STATE_DIR: join(directory, "state")
  })
  assert.strictEqual(ran.code, 0, `${args.join(" ")}\n${ran.stderr}\n${ran.stdout}`)
  return ran
}

const PAYMENT = ["pay", "--project", "2", "--amount", "0.01ether", "--yes"]

const partsAreHealthy = async () => {
  const { status }: { readonly status: string } = await (await fetch(`${opsUrl}/readyz`)).json()
  return status
}

/** A bit of everything that the dashboard tells of. */
const work = async () => {
  await run("account", "enroll")
  await run("account", "profile", "--name", "At work")
  await run("op", "get_rulesets", "--input", '{"project":{"chainId":31337,"projectId":"2"}}')
  await run("index", "payEvent")
  await run(...PAYMENT)
  await run(...PAYMENT, "--sponsor")
  const created = await run("wallet", "create", "--threshold", "1", "--fund", "1ether", "--yes")
  const wallet = /^wallet +(0x[0-9a-fA-F]{40})/m.exec(created.stderr)?.[1] ?? assert.fail(created.stderr)
  await run("wallet", "bind", wallet, "--yes")
  await run(...PAYMENT, "--wallet", wallet)
}

beforeAll(async () => {
  await builtPackage()
  directory = await passableDirectory("observed-")
  const [port, opsPort, chainPort] = [await freePort(), await freePort(), await freePort()]
  url = `http://127.0.0.1:${port}`
  opsUrl = `http://127.0.0.1:${opsPort}`
  rpcUrl = `http://127.0.0.1:${chainPort}`
  running = await started(
    [join(packageRoot, "dist", "main.js")],
    {
      SERVICE_PORT: String(port),
      SERVICE_OPS_PORT: String(opsPort),
      SERVICE_CHAIN_PORT: String(chainPort),
      SERVICE_DATA_DIR: directory,
      SERVICE_LOG_LEVEL: "error"
    },
    READY
  )
  prometheus = await startPrometheus(opsUrl)
  await until(partsAreHealthy, status => status === "healthy")
  await work()
}, INSTALLED_MILLIS)

afterAll(async () => {
  await prometheus.stop()
  await running.kill()
  await rm(directory, { recursive: true, force: true })
})

const filledIn = (expression: string) =>
  expression.replaceAll("$__rate_interval", "1m").replaceAll(/"\$(instance|chain)"/g, '".*"')

/** Of these expressions, those whose answer now is such a one. */
const those = async (
  expressions: ReadonlyArray<string>,
  isSuch: (found: ReadonlyArray<Sample>) => boolean
): Promise<ReadonlyArray<string>> => {
  const answers = await Promise.all(expressions.map(prometheus.ask))
  return expressions.filter((_, index) => isSuch(answers[index] ?? []))
}

const SUFFIX = /_(bucket|sum|count)$/
const NAME = /\b(?:service|process|nodejs)_[a-z0-9_]+\b/g

/** Names of metrics in a text, as they are announced. */
const namesIn = (text: string) => [...text.matchAll(NAME)].map(([name]) => name.replace(SUFFIX, ""))

const announced = async () => {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
}

/** Of the chain's node, which the service started. */
const node = async (): Promise<number> => {
  const pids = (await readdir("/proc")).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))
  const found = pids.find((_, index) => {
    const words = lines[index]?.split("\0") ?? []
    return words.some(word => word.startsWith(directory)) && /anvil$/.test(words[0] ?? "")
  })
  return Number(found ?? assert.fail("no node"))
}

const causeOf = async (name: string) => {
  const rule = (await readAlerts()).find(({ alert }) => alert === name) ?? assert.fail(name)
  return () => prometheus.ask(rule.expr)
}

describe("a service at work", { timeout: 120_000 }, () => {
  it("gives data to every panel of the dashboard", async () => {
    const { panels, templating } = await readDashboard()
    for (const { query } of templating.list)
      await until(
        () => prometheus.ask(/\((\w+), \w+\)$/.exec(query.query)?.[1] ?? ""),
        found => found.length > 0
      )
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => filledIn(expr)))
    await until(
      () => those(expressions, found => found.length === 0),
      empty => empty.length === 0
    )
  })

  it("knows every metric that rules, dashboard and pages name, though some wait for their first event", async () => {
    const known = new Set([...(await announced()), ...namesIn(pageText("metrics.md"))])
    const expressions = [
      ...(await readAlerts()).map(({ expr }) => expr),
      ...(await readDashboard()).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    ]
    const missing = [...expressions, ...pageNames().map(pageText)]
      .flatMap(namesIn)
      .filter(name => !known.has(name))
    assert.deepStrictEqual([...new Set(missing)], [])
  })

  it("gives no alert a cause", async () => {
    const expressions = (await readAlerts()).map(({ expr }) => expr)
    await until(
      () => those(expressions, found => found.length > 0),
      holding => holding.length === 0
    )
  })

  it("gives them cause where the chain's node hangs, until it goes on", async () => {
    const pid = await node()
    const causes = await Promise.all(["NodeSilent", "ChainWithoutNode"].map(causeOf))
    process.kill(pid, "SIGSTOP")
    try {
      for (const cause of causes) await until(cause, found => found.length > 0)
    } finally {
      process.kill(pid, "SIGCONT")
    }
    for (const cause of causes) await until(cause, found => found.length === 0)
  })
})

describe("the dashboard", () => {
  it("lays its panels out side by side, each with its data source", async () => {
    const { panels } = await readDashboard()
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => ({
        title,
        at: `${x + (cell % w)} ${y + Math.floor(cell / w)}`
      }))
    )
    assert.strictEqual(new Set(cells.map(({ at }) => at)).size, cells.length)
    assert.isTrue(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
    for (const { title, type, targets, datasource } of panels) {
      assert.strictEqual(targets.length === 0, type === "row", title)
      assert.strictEqual(datasource?.uid, type === "row" ? undefined : "prometheus", title)
    }
  })
})
