import { spawn } from "node:child_process"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type RunningService, startService } from "../support/Service.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { losingProxy } from "./support/LosingProxy.ts"

const privateKey = `0x${"11".repeat(32)}` as const
const OTHER = `0x${"22".repeat(20)}`
const accountId = `eip155:1:${privateKeyToAccount(privateKey).address.toLowerCase()}`

let cli: Cli
let service: RunningService
let key: string

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startService()])
  cli = parts[0]
  service = parts[1]
  key = join(cli.directory, "owner.json")
  await writeFile(key, JSON.stringify({ privateKey, accountId }), { mode: 0o600 })
})

afterAll(async () => {
  await service.stop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: service.audience,
    FUNDING_KEY_FILE: key,
    FUNDING_STATE_DIR: join(cli.directory, "state")
  })

describe("a flag beyond its bounds", () => {
  it.each([
    [["account", "show", "--window", "0"], "--window takes a whole number from 1 to 300"],
    [["account", "show", "--window", "301"], "--window takes a whole number from 1 to 300"],
    [["plan", "list", "--most", "0"], "--most takes a whole number from 1"],
    [["index", "payEvent", "--network", "testnet", "--most", "0"], "--most takes a whole number from 1"],
    [["plan", "watch", "x", "--step", "32"], "--step takes a whole number from 0 to 31"],
    [
      ["plan", "submit", "x", "0", "--timeout", "99999999999"],
      "--timeout takes a whole number from 0 to 86400"
    ],
    [
      ["borrow", "--project", "4", "--collateral", "1", "--plan-only", "--prepaid-fee", "9007199254740993"],
      "--prepaid-fee takes a whole number from 0 to 9007199254740991"
    ],
    [["bot", "create", "--out", "bot.json", "--days", "366"], "--days takes a whole number from 1 to 365"],
    [
      ["account", "show", "--signer-command", "true", "--address", "0x00"],
      '--address takes an address, not "0x00"'
    ],
    [["doctor", "--rpc", "ftp://node"], '"ftp://node" is no http or https URL'],
    [["doctor", "--mark"], "--mark needs --restored"],
    [["doctor", "--restored", "--keep-grants"], "--keep-grants needs --mark"],
    [["doctor", "--database", "postgresql://x"], "--database needs --restored"],
    [["doctor", "--bundler", "http://127.0.0.1:9"], "--bundler needs --execution"],
    [
      ["request", "POST", "/api/v1/plans", "--body", "{}", "--body-file", "x.json"],
      "--body and --body-file do not go together"
    ],
    [["plan", "create", "--file", "x.json", "--label", "x"], "--file and --label do not go together"],
    [
      ["bot", "key", "--out", "x.json", "--terms", "y.json", "--grant", "z"],
      "--terms and --grant do not go together"
    ],
    [
      ["intent", "publish", "--input", "x.json", "--publisher", OTHER],
      "--publisher goes with --signature alone"
    ],
    [["doctor", "--restored", "--database", "nonsense"], "--database takes a postgresql:// URL"],
    [
      ["doctor", "--restored", "--database", "postgresql://x", "--since", "2026-01-31T12:00:00"],
      "--since takes a time such as 2026-01-31T12:00:00Z"
    ]
  ])("is refused before anything is asked: %j", async (args, sentence) => {
    const { code, stderr } = await run(args)
    assert.strictEqual(code, 1, stderr)
    assert.include(stderr, sentence)
  })
})

describe("a database that is restored", () => {
  const doctor = (url: string) => runHere(["doctor", "--restored"], { SERVICE_DATABASE_URL: url })

  it("is named by its variable where that is no URL of one, and its text is not shown", async () => {
    const { code, stderr } = await doctor("mysql://service:hidden@127.0.0.1/service")
    assert.deepStrictEqual(
      [code, stderr.split("\n")[0]],
      [1, "SERVICE_DATABASE_URL takes a postgresql:// URL."]
    )
  })

  it.each([
    [
      3,
      "postgresql://service:hidden@127.0.0.1:9/service",
      "does not answer: connect ECONNREFUSED 127.0.0.1:9"
    ],
    [1, "postgresql://service:hidden%E9@127.0.0.1:9/service", "cannot be used: URI malformed"]
  ])("ends with %s for a reason that is told: %s", async (exit, url, reason) => {
    const { code, stderr } = await doctor(url)
    assert.strictEqual(code, exit)
    assert.include(stderr, `${reason}.\nCheck --database, or SERVICE_DATABASE_URL.`)
    assert.notInclude(stderr, "hidden")
  })
})

describe("a file or a directory that cannot be used", () => {
  it("is named when a bot's key cannot be written there", async () => {
    const { code, stderr } = await run(["bot", "create", "--out", join(cli.directory, "absent", "bot.json")])
    assert.strictEqual(code, 1, stderr)
    assert.match(stderr, /^The key file .* cannot be written\.$/m)
  })

  it("is named when a key file is a directory", async () => {
    const directory = join(cli.directory, "directory")
    await mkdir(directory, { mode: 0o700 })
    const { code, stderr } = await run(["account", "show", "--key-file", directory])
    assert.strictEqual(code, 1, stderr)
    assert.match(stderr, /^The key file .* cannot be read\.$/m)
  })

  const plan = ["plan", "create", "--file", "plan.json"]

  it.each([
    ["a file", () => key],
    ["below a parent that denies being there", () => "/proc/nowhere"]
  ])("is named when unfinished work cannot be kept there: %s", async (_, directory) => {
    await writeFile(join(cli.directory, "plan.json"), "{}")
    const state = { FUNDING_URL: service.audience, FUNDING_KEY_FILE: key, FUNDING_STATE_DIR: directory() }
    const { code, stderr } = await cli.run(plan, state)
    assert.strictEqual(code, 1, stderr)
    assert.match(
      stderr,
      /^The directory .*, where unfinished work is kept, cannot be (read|written) \([A-Z]+\)\.$/m
    )
  })

  it("is named when a record of unfinished work is damaged, and the work is not begun anew", async () => {
    await writeFile(join(cli.directory, "plan.json"), "{}")
    const proxy = await losingProxy(service.url)
    const state = join(cli.directory, "damaged")
    const env = { FUNDING_URL: proxy.url, FUNDING_KEY_FILE: key, FUNDING_STATE_DIR: state }
    proxy.lose(/^POST/)
    assert.strictEqual((await cli.run(plan, env)).code, 4)
    const [record = assert.fail("nothing was kept")] = await readdir(state)
    await writeFile(join(state, record), "{")
    const { code, stderr } = await cli.run(plan, env)
    await proxy.stop()
    assert.strictEqual(code, 1, stderr)
    assert.include(stderr, `${record} of an unfinished run is not JSON`)
    assert.deepStrictEqual(await readdir(state), [record])
  })
})

describe("a reader that has seen enough", () => {
  it("ends nothing with a fault", async () => {
    const child = spawn(process.execPath, [cli.program, "catalog", "--json", "--url", service.audience])
    child.stdout.once("data", () => child.stdout.destroy())
    let stderr = ""
    child.stderr.on("data", chunk => {
      stderr += String(chunk)
    })
    const code = await new Promise(resolve => child.once("close", resolve))
    assert.deepStrictEqual([code, stderr], [0, ""])
  })
})

describe("a disk that is full", () => {
  const code = (to: string) => {
    const line = '"$0" "$1" catalog --json --url "$2" 2>/dev/null'
    const args = ["-c", `${line} ${to}`, process.execPath, cli.program, service.audience]
    const child = spawn("/bin/sh", args, { stdio: "ignore" })
    return new Promise(resolve => child.once("close", resolve))
  }

  it("ends no work, and is no fault of the command line's", async () => {
    assert.strictEqual(await code("2>/dev/full"), 0)
    assert.strictEqual(await code(">/dev/full"), 70)
  })
})

describe("flags of every command", () => {
  it("may stand before its words, and help may be asked for by a word", async () => {
    const { code, stdout } = await cli.run(["--json", "pay", "--help"])
    assert.strictEqual(code, 0)
    assert.match(JSON.parse(stdout), /^service pay\n/)
    assert.strictEqual(
      (await cli.run(["help", "plan", "show"])).stdout.split("\n")[0],
      "service plan show <plan id>"
    )
  })

  it("are no reason to advise what was typed", async () => {
    const { code, stderr } = await cli.run(["account"])
    assert.strictEqual(code, 1)
    assert.notInclude(stderr, "Did you mean")
  })
})

describe("no command", () => {
  it("asks which, in JSON too", async () => {
    const { code, stderr } = await cli.run(["--json"])
    assert.strictEqual(code, 1)
    assert.strictEqual(JSON.parse(stderr).error.message, "Which command?")
  })

  it("is asked for by its help alone", async () => {
    const { code, stdout } = await cli.run(["--json", "--help"])
    assert.strictEqual(code, 0)
    assert.match(JSON.parse(stdout), /^service <command>/)
  })
})
