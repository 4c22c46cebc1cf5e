import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { draftOf, hashOf, messageFor } from "../intents/support/Drafts.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { sqlOn } from "../support/Sql.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

const privateKey = generatePrivateKey()
const owner = privateKeyToAccount(privateKey)
const accountId = `eip155:5:${owner.address.toLowerCase()}`

let cli: Cli
let service: RunningService
let keyFile: string

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startService()])
  cli = parts[0]
  service = parts[1]
  keyFile = join(cli.directory, "owner.json")
  await writeFile(keyFile, JSON.stringify({ privateKey, accountId }), { mode: 0o600 })
  assert.strictEqual((await run(["account", "enroll"])).code, 0)
})

afterAll(async () => {
  await service.stop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>) =>
  runHere(args, {
    FUNDING_URL: service.url,
    FUNDING_KEY_FILE: keyFile,
    FUNDING_STATE_DIR: join(cli.directory, "state")
  })

const filed = async (name: string, content: unknown): Promise<string> => {
  const path = join(cli.directory, name)
  await writeFile(path, JSON.stringify(content))
  return path
}

describe("intents on the command line", { timeout: 120_000 }, () => {
  it("are signed here, published, shown and listed", async () => {
    const draft = draftOf({ jb: { name: "Bread for all" } })
    const path = await filed("bread.json", { ...draft, chainIds: [10, 1] })
    const published = await run(["intent", "publish", "--input", path, "--yes"])
    assert.strictEqual(published.code, 0, published.stderr)
    assert.include(published.stderr, messageFor(hashOf(draft)))
    const [, id = assert.fail(published.stdout)] = /^intent +(\S+)$/m.exec(published.stdout) ?? []
    const shown = await run(["intent", "show", id])
    assert.match(shown.stdout, new RegExp(`^publisher +${owner.address}$`, "m"))
    assert.match(shown.stdout, /^name +Bread for all$/m)
    const listed = await run(["intent", "list", "--search", "bread"])
    assert.include(listed.stdout, id)
    const others = await run(["intent", "list", "--search", "stone"])
    assert.strictEqual(others.stdout.trim(), "No intents.")
  })

  it("show where they were deployed, and take what is told of it only with a chain and a hash", async () => {
    const path = await filed("deployed.json", draftOf({ jb: { name: "Deployed" } }))
    const published = await run(["intent", "publish", "--input", path, "--yes", "--json"])
    const { id } = JSON.parse(published.stdout)
    const hash = `0x${"7a".repeat(32)}`
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [[id, hash], /needs --chain/],
      [[id, "0x7a", "--chain", "1"], /not "0x7a"/],
      [[id, hash.toUpperCase().replace("X", "x"), "--chain", "1"], /UNSUPPORTED_CHAIN/],
      [[id, hash, "--chain", "5"], /INVALID_INPUT/]
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run(["intent", "record", ...words])
      assert.notStrictEqual(code, 0)
      assert.match(stderr, message)
    }
    await sqlOn(
      service.databaseUrl,
      `INSERT INTO intent_deployments (intent, chain_id, transaction_hash, project_id, forwarded, block_number, block_hash, created_at)
        SELECT number, 10, $2, 7, true, 1, $2, 1 FROM intents WHERE id = $1`,
      [id, hash]
    )
    const shown = await run(["intent", "show", id])
    assert.match(shown.stdout, /^status +deployed$/m)
    assert.match(shown.stdout, new RegExp(`^deployed +project 7 on chain 10 by ${hash}, forwarded$`, "m"))
    const listed = await run(["intent", "list", "--search", "deployed"])
    assert.notInclude(listed.stdout, id)
  })

  it("take a signature made elsewhere", async () => {
    const publisher = privateKeyToAccount(generatePrivateKey())
    const draft = draftOf({ jb: { name: "Signed elsewhere" } })
    const path = await filed("elsewhere.json", draft)
    const signature = await publisher.signMessage({ message: messageFor(hashOf(draft)) })
    const parts = parseSignature(signature)
    const ofHardware = `${signature.slice(0, -2)}0${parts.yParity}`
    const compact = serializeCompactSignature(signatureToCompactSignature(parts))
    for (const form of [ofHardware, compact, signature]) {
      const flags = ["--signature", form, "--publisher", publisher.address, "--yes", "--json"]
      const published = await run(["intent", "publish", "--input", path, ...flags])
      assert.strictEqual(published.code, 0, published.stderr)
      assert.strictEqual(JSON.parse(published.stdout).publisher, publisher.address)
    }
  })

  it("are refused before anything is signed", async () => {
    const path = await filed("good.json", draftOf())
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      [path, /Nobody is here to agree to the intent; nothing was signed/],
      [await filed("less.json", { format: "a/1" }), /This is no intent/],
      [await filed("calls.json", draftOf({ deploymentCalls: [] })), /no intent|cannot be published/],
      [await filed("chains.json", draftOf({ jb: { chains: [8453] } })), /cannot be published: .*jb\.chains/]
    ]
    for (const [file, message] of cases) {
      const { code, stderr } = await run(["intent", "publish", "--input", file])
      assert.strictEqual(code, 1, stderr)
      assert.match(stderr, message)
    }
  })
})
