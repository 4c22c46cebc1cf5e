import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readable } from "../../src/cli/Readable.ts"
import { operationIds } from "../../src/operations/generated/OperationIds.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let sandbox: Sandbox

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startSandbox()])
  cli = parts[0]
  sandbox = parts[1]
  const enrolled = await run("account", "enroll")
  assert.strictEqual(enrolled.code, 0, enrolled.stderr)
})

afterAll(async () => {
  await sandbox.stop()
  await cli.remove()
})

const run = (...args: ReadonlyArray<string>) =>
  runHere(args, { FUNDING_URL: sandbox.service.url, FUNDING_STATE_DIR: join(cli.directory, "state") })

const project = '{"project": {"chainId": 31337, "projectId": "2"}}'

describe("operations on the command line", { timeout: 120_000 }, () => {
  it("are listed as a table, or as JSON", async () => {
    const { code, stdout } = await run("op", "--list")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^ID +KIND +SOURCES +METHOD$/m)
    assert.match(stdout, /^get_project +read +onchain, indexer +GET$/m)
    assert.strictEqual(stdout.trim().split("\n").length, 1 + operationIds.length)
    const listed = JSON.parse((await run("op", "--json")).stdout)
    assert.strictEqual(listed.operations.length, operationIds.length)
  })

  it("say what they take", async () => {
    const { stdout } = await run("op", "quote_pay", "--describe")
    assert.match(stdout, /^called by +GET \/api\/v1\/operations\/quote_pay$/m)
    assert.include(stdout, '"slippageBps"')
  })

  it("are asked with an input and answered as text, or as JSON", async () => {
    const { code, stdout } = await run("op", "get_rulesets", "--input", project, "--source", "onchain")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^ +projectId +2$/m)
    assert.match(stdout, /^ +cycleNumber +1$/m)
    const answer = JSON.parse((await run("op", "get_rulesets", "--input", project, "--json")).stdout)
    assert.strictEqual(answer.page.items.length, 1)
  })

  it("tell a refusal by its code, and a bad input before anything is sent", async () => {
    const refused = await run("op", "prepare_pay")
    assert.notStrictEqual(refused.code, 0)
    assert.include(refused.stderr, "OPERATION_NOT_FOUND")
    const broken = await run("op", "get_rulesets", "--input", "{")
    assert.strictEqual(broken.code, 1)
    assert.include(broken.stderr, "not JSON")
    assert.strictEqual((await run("op", "get_rulesets", "--source", "model")).code, 1)
  })
})

describe("an answer as text", () => {
  it("shows what is known, why something is not, and like rows as a table", () => {
    const error = { code: "CALL_REVERTED", message: "The read reverts.", retryable: false }
    const text = readable({
      owner: { status: "known", value: "0xAa" },
      uri: { status: "unknown", error },
      rows: [
        { token: "ETH", balance: { status: "known", value: "10" } },
        { token: "USD", balance: { status: "unknown", error } }
      ],
      limits: [],
      nested: { list: ["a", "b"], none: null }
    })
    assert.strictEqual(
      text,
      [
        "owner  0xAa",
        "uri    unknown: The read reverts. (CALL_REVERTED)",
        "rows",
        "  token  balance",
        "  ETH    10",
        "  USD    unknown: The read reverts. (CALL_REVERTED)",
        "limits  none",
        "nested",
        "  list",
        "    a",
        "    b",
        "  none  -"
      ].join("\n")
    )
  })
})
