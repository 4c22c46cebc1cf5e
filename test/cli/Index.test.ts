import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Redacted } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { ServiceProblem } from "../../src/client/Errors.ts"
import { fillRandomly } from "../support/IndexedRows.ts"
import { type IndexedSource, startIndexedSource } from "../support/IndexedSource.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { buildCli, type Cli, type Ran } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let source: IndexedSource
let service: RunningService
let keyFile: string

const privateKey = generatePrivateKey()
const owner = privateKeyToAccount(privateKey)
const accountId = `eip155:5:${owner.address.toLowerCase()}`

const run = (args: ReadonlyArray<string>): Promise<Ran> =>
  runHere(args, {
    FUNDING_URL: service.url,
    FUNDING_KEY_FILE: keyFile,
    FUNDING_STATE_DIR: join(cli.directory, "state")
  })

const client = () => createClient({ baseUrl: service.url, account: accountId, signer: owner })

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startIndexedSource()])
  cli = parts[0]
  source = parts[1]
  await fillRandomly(source, { seed: 7, count: 28 })
  await source.progress([{ name: "baseSepolia", chainId: 84532, blockNumber: 12, blockTimestamp: 34 }])
  const indexer = { mainnetUrl: undefined, testnetUrl: Redacted.make(source.url), headers: Redacted.make({}) }
  service = await startService({ settings: { indexer } })
  keyFile = join(cli.directory, "owner.json")
  await writeFile(keyFile, JSON.stringify({ privateKey, address: owner.address, accountId }), { mode: 0o600 })
  assert.strictEqual((await run(["account", "enroll"])).code, 0)
})

afterAll(async () => {
  await service.stop()
  await source.stop()
  await cli.remove()
})

const whole = () => source.count("payEvent", "version = 6")

describe("the client reads entities", () => {
  it("row by row over all pages, with the rows' own types", async () => {
    const { indexer } = client()
    const amounts: Array<bigint> = []
    const query = { network: "testnet", fields: ["amount", "project.name"], limit: 5 } as const
    for await (const row of indexer.iterate("payEvent", { ...query, orderBy: { field: "amount" } })) {
      amounts.push(BigInt(row.amount ?? "none"))
      assert.notStrictEqual(row.project?.name, undefined)
    }
    assert.lengthOf(amounts, await whole())
    assert.deepStrictEqual(
      amounts,
      amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    )
  })

  it("by key, and knows what is refused", async () => {
    const { indexer } = client()
    const [row] = (await indexer.list("payEvent", { network: "testnet", filters: { projectId: "2" } })).items
    const found = await indexer.record("payEvent", { network: "testnet", id: row?.id ?? "" })
    assert.deepStrictEqual(found.item, row)
    assert.strictEqual(row?.projectId, "2")
    assert.deepStrictEqual((await indexer.status("testnet")).chains, [
      { chainId: 84532, block: 12, timestamp: 34 }
    ])
    assert.strictEqual((await indexer.metadata("testnet")).entity, "_meta")
    const refused = await indexer
      .list("payEvent", { network: "mainnet" })
      .catch((failure: unknown) => failure)
    assert.instanceOf(refused, ServiceProblem)
    assert.strictEqual(refused.code, "INDEXER_NOT_CONFIGURED")
  })
})

describe("the index on the command line", { timeout: 120_000 }, () => {
  it("shows how far the source has indexed", async () => {
    const { stdout, code } = await run(["index"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /84532 +12 +1970-01-01T00:00:34Z/)
  })

  it("lists rows as a table, and all of them as JSON", async () => {
    const shown = await run(["index", "payEvent", "--fields", "amount,project.name", "--most", "3"])
    assert.strictEqual(shown.code, 0, shown.stderr)
    const lines = shown.stdout.trimEnd().split("\n")
    assert.lengthOf(lines, 4)
    assert.match(lines[0] ?? "", /^amount +project\.name$/)
    const all = await run(["index", "payEvent", "--most", "1000", "--order", "memo:desc", "--json"])
    assert.lengthOf(JSON.parse(all.stdout).items, await whole())
  })

  it("filters, and shows one record by its key", async () => {
    const filtered = await run(["index", "payEvent", "--filter", '{"projectId_in":[2]}', "--json"])
    const [row] = JSON.parse(filtered.stdout).items
    assert.strictEqual(row.projectId, "2")
    const record = await run(["index", "payEvent", "--id", row.id])
    assert.match(record.stdout, new RegExp(`txHash +${row.txHash.slice(0, 20)}`))
    const { chainId, projectId } = row
    const project = await run([
      "index",
      "project",
      "--record",
      "--chain",
      String(chainId),
      "--project",
      projectId
    ])
    assert.match(project.stdout, new RegExp(`chainId +${chainId}`), project.stderr)
    const none = await run(["index", "project", "--id", '{"chainId":84532,"projectId":999999}'])
    assert.strictEqual(none.stdout.trim(), "No such record.")
  })

  it("shows what others wrote without obeying it", async () => {
    const [row] = await source.query(`SELECT id FROM ${source.table("payEvent")} WHERE version = 6 LIMIT 1`)
    const hostile = "one\u001b[2J\ntwo\u202E"
    await source.query(`UPDATE ${source.table("payEvent")} SET memo = $1 WHERE id = $2`, [hostile, row?.id])
    const { stdout } = await run(["index", "payEvent", "--id", String(row?.id)])
    assert.include(stdout, "one\\u{1B}[2J\\u{A}two\\u{202E}")
  })

  it("says which entities there are, and what is wrong with a filter", async () => {
    const unknown = await run(["index", "pays"])
    assert.notStrictEqual(unknown.code, 0)
    assert.match(unknown.stderr, /payEvent/)
    const fixed = await run(["index", "payEvent", "--filter", '{"version":5}'])
    assert.strictEqual(fixed.code, 2)
    assert.match(fixed.stderr, /INDEXER_VERSION_FIXED/)
  })
})
