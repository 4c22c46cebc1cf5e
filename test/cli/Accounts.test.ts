import { existsSync } from "node:fs"
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commands } from "../../src/cli/Commands.ts"
import { commandHelp } from "../../src/cli/Help.ts"
import { parseInput } from "../../src/cli/Input.ts"
import { verbCommand } from "../../src/cli/verbs/VerbCommand.ts"
import { verbs } from "../../src/cli/verbs/Verbs.ts"
import { createClient } from "../../src/client/Client.ts"
import type { TypedDataPayload } from "../../src/client/Signer.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { buildCli, type Cli, type Ran } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"
import { type LosingProxy, losingProxy } from "./support/LosingProxy.ts"
import { signingProgram } from "./support/SigningProgram.ts"

let cli: Cli
let service: RunningService
let proxy: LosingProxy
let ownerFile: string
let accountId: string

const privateKey = generatePrivateKey()
const owner = privateKeyToAccount(privateKey)

const environment = () => ({
  FUNDING_URL: proxy.url,
  FUNDING_KEY_FILE: ownerFile,
  FUNDING_STATE_DIR: join(cli.directory, "state")
})

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runHere(args, { ...environment(), ...env })

const asProgram = (args: ReadonlyArray<string>): Promise<Ran> => cli.run(args, environment())

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startService()])
  cli = parts[0]
  service = parts[1]
  proxy = await losingProxy(service.url)
  ownerFile = join(cli.directory, "owner.json")
  accountId = `eip155:5:${owner.address.toLowerCase()}`
  await writeFile(ownerFile, JSON.stringify({ privateKey, address: owner.address, accountId }), {
    mode: 0o600
  })
})

afterAll(async () => {
  await proxy.stop()
  await service.stop()
  await cli.remove()
})

describe("accounts on the command line", { timeout: 120_000 }, () => {
  it("enrolls, shows and changes only what is given", async () => {
    const enrolled = await run(["account", "enroll"])
    assert.strictEqual(enrolled.code, 0, enrolled.stderr)
    assert.include(enrolled.stdout, `account          ${accountId}`)
    await run(["account", "profile", "--name", "Ada", "--avatar", "ipfs://cat"])
    const changed = await run(["account", "profile", "--bio=Pays bills", "--json"])
    assert.deepStrictEqual(JSON.parse(changed.stdout).profile, {
      displayName: "Ada",
      bio: "Pays bills",
      avatarUri: "ipfs://cat"
    })
  })

  it("makes a bot's key in a private file, lists it and revokes it", async () => {
    const keyFile = join(cli.directory, "bot.json")
    const created = await run(["bot", "create", "--out", keyFile, "--scope", "plan", "--label", "night"])
    assert.strictEqual(created.code, 0, created.stderr)
    assert.strictEqual((await stat(keyFile)).mode & 0o777, 0o600)
    const file = JSON.parse(await readFile(keyFile, "utf8"))
    assert.strictEqual(privateKeyToAccount(file.privateKey).address, file.address)
    assert.notInclude(created.stdout + created.stderr, file.privateKey.slice(2))
    const shown = await run(["account", "show"], { FUNDING_KEY_FILE: keyFile })
    assert.include(shown.stdout, accountId)
    const listed = await run(["bot", "list"])
    assert.match(listed.stdout, new RegExp(`${file.grantId} +${file.address} +read,plan +active .*night`))
    assert.match((await run(["bot", "revoke", file.grantId])).stdout, /state +revoked/)
    const refused = await run(["account", "show"], { FUNDING_KEY_FILE: keyFile })
    assert.strictEqual(refused.code, 2)
    assert.match(refused.stderr, /^FORBIDDEN \(403 /)
  })

  it("makes a key for a grant given elsewhere, proves it for exactly those terms, and keeps the grant", async () => {
    const keyFile = join(cli.directory, "elsewhere.json")
    const made = await run(["bot", "key", "--out", keyFile, "--account", accountId, "--json"])
    assert.strictEqual(made.code, 0, made.stderr)
    assert.strictEqual((await stat(keyFile)).mode & 0o777, 0o600)
    const { address } = JSON.parse(made.stdout)
    const termsFile = join(cli.directory, "terms.json")
    const client = createClient({ baseUrl: service.url, account: accountId, signer: owner, retries: 0 })
    const prove = async (payload: TypedDataPayload): Promise<string> => {
      await writeFile(termsFile, JSON.stringify(payload))
      const { stdout } = await run(["bot", "key", "--out", keyFile, "--terms", termsFile])
      return stdout.trim().split("\n").at(-1) ?? ""
    }
    const bot = { address, signTypedData: prove }
    const expiresAt = client.clock.seconds() + 3600
    const granted = await client.bots.grant({ bot, scopes: ["read", "plan"], expiresAt, label: "far" })
    assert.strictEqual(granted.botAddress, address)
    await run(["bot", "key", "--out", keyFile, "--grant", granted.id])
    const shown = await run(["account", "show"], { FUNDING_KEY_FILE: keyFile })
    assert.include(shown.stdout, accountId)
    const other = await run(["bot", "key", "--out", join(cli.directory, "bot.json"), "--terms", termsFile])
    assert.notStrictEqual(other.code, 0)
    assert.match(other.stderr, /The terms are for 0x[0-9a-fA-F]{40}, and the key is/)
  })

  it("keeps no grant that is none, and makes no key for it", async () => {
    const keyFile = join(cli.directory, "granted.json")
    const refused = await run(["bot", "key", "--out", keyFile, "--account", accountId, "--grant", "none yet"])
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "--grant is not a grant's id: none yet.")
    assert.isFalse(existsSync(keyFile))
  })

  it("makes no key for what is no account", async () => {
    const keyFile = join(cli.directory, "nobody.json")
    const refused = await run(["bot", "key", "--out", keyFile, "--account", "xyz"])
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, '"xyz" is no account id')
    assert.isFalse(
      await stat(keyFile).then(
        () => true,
        () => false
      )
    )
  })

  it("continues with the same key and grant after the answer was lost", async () => {
    const keyFile = join(cli.directory, "resumed.json")
    proxy.lose(/^POST \/api\/v1\/accounts\/me\/bots$/)
    const lost = await run(["bot", "create", "--out", keyFile])
    assert.strictEqual(lost.code, 4, lost.stderr)
    proxy.lose(undefined)
    const { address, grantId } = JSON.parse(await readFile(keyFile, "utf8"))
    assert.isUndefined(grantId)
    assert.strictEqual((await run(["bot", "create", "--out", keyFile])).code, 0)
    const { bots } = JSON.parse((await run(["bot", "list", "--json"])).stdout)
    const grants = bots.filter(({ botAddress }: { botAddress: string }) => botAddress === address)
    assert.strictEqual(grants.length, 1)
    assert.strictEqual(JSON.parse(await readFile(keyFile, "utf8")).grantId, grants[0].id)
  })

  it("tells of a grant that its key file does not hold, and writes that one the next time", async () => {
    const folder = join(cli.directory, "taken-away")
    await mkdir(folder)
    const keyFile = join(folder, "bot.json")
    const create = () => run(["bot", "create", "--out", keyFile])
    proxy.during(/^POST \/api\/v1\/accounts\/me\/bots$/, () => rename(folder, `${folder}-meanwhile`))
    const unwritten = await create()
    await rename(`${folder}-meanwhile`, folder)
    assert.strictEqual(unwritten.code, 5, unwritten.stderr)
    const [, grantId] = /The grant (\S+) was made for the key in it/.exec(unwritten.stderr) ?? []
    assert.include(unwritten.stderr, `the same command with the same --out ${keyFile}`)
    assert.strictEqual((await create()).code, 0)
    assert.strictEqual(JSON.parse(await readFile(keyFile, "utf8")).grantId, grantId)
  })

  it("signs with another program", async () => {
    const flags = await signingProgram(cli.directory, privateKey)
    const shown = await run(["account", "show", ...flags, "--account", accountId])
    assert.strictEqual(shown.code, 0, shown.stderr)
    const failing = await run([
      "account",
      "show",
      "--signer-command",
      "exit 3",
      "--address",
      owner.address,
      "--account",
      accountId
    ])
    assert.strictEqual(failing.code, 1)
    assert.match(failing.stderr, /signer command ended with 3/)
  })

  it("sends any signed request", async () => {
    const answered = await run(["request", "get", "/api/v1/accounts/me", "--json"])
    const { status, body } = JSON.parse(answered.stdout)
    assert.deepStrictEqual([status, body.account.id], [200, accountId])
    const refused = await run(["request", "PATCH", "/api/v1/accounts/me", "--body", '{"nickname":"x"}'])
    assert.strictEqual(refused.code, 2)
    assert.match(refused.stderr, /INVALID_INPUT/)
    proxy.lose(/^PATCH/)
    const lost = await run(["request", "PATCH", "/api/v1/accounts/me", "--body", "{}"])
    proxy.lose(undefined)
    assert.strictEqual(lost.code, 4)
    assert.match(lost.stderr, /may have acted on it/)
    proxy.during(/^PATCH/, async () => proxy.alter(() => "<html>"))
    const unheard = await run(["request", "PATCH", "/api/v1/accounts/me", "--body", "{}"])
    proxy.alter(undefined)
    assert.strictEqual(unheard.code, 4)
    assert.match(unheard.stderr, /may have acted on it: look before sending it again/)
  })
})

describe("what cannot be used", { timeout: 120_000 }, () => {
  it("is refused before anything is sent, with what to do", async () => {
    const open = join(cli.directory, "open.json")
    await writeFile(open, JSON.stringify({ privateKey, address: owner.address }))
    await chmod(open, 0o644)
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp, typeof asProgram?]> = [
      [["account", "show", "--key-file", open], /can be read by others.*\nRun: chmod 600/],
      [["account", "show", "--key-file", "/none.json"], /cannot be opened/],
      [
        ["account", "shwo"],
        /no command "account shwo"\.\nThere are: account enroll, account show/,
        asProgram
      ],
      [["account", "show", "--jsn"], /no flag --jsn\.\nIt takes --url/, asProgram],
      [["account", "show", "--url"], /--url needs <URL>/],
      [["account", "show", "--url", "nowhere"], /no http or https URL/],
      [
        ["account", "show", "--url", "http://me:secret@127.0.0.1:9"],
        /^(?!.*secret).*has a name or a password in it/s
      ],
      [["bot", "revoke"], /takes <grant id>/],
      [["bot", "create"], /needs --out/],
      [["bot", "create", "--out", join(cli.directory, "x.json"), "--scope", "all"], /read, plan or relay/],
      [["plan", "submit", "x", "99"], /from 0 to 31/],
      [["read", "JBController", "uriOf", "{"], /is not JSON/],
      [[], /Which command\?/, asProgram]
    ]
    for (const [args, message, by = run] of cases) {
      const { code, stderr, stdout } = await by(args)
      assert.deepStrictEqual([code, stdout], [1, ""], `${args.join(" ")}: ${stderr}`)
      assert.match(stderr, message)
    }
  })

  it("is refused for want of a key where there is no sandbox", async () => {
    const { code, stderr } = await run(["account", "show"], { FUNDING_KEY_FILE: "" })
    assert.strictEqual(code, 1)
    assert.match(stderr, /Nobody signs\.\nGive --key-file/)
  })

  it("is told apart from a service that is not reached", async () => {
    const { code, stderr } = await run(["account", "show", "--url", "http://127.0.0.1:9"])
    assert.strictEqual(code, 3)
    assert.match(stderr, /service doctor/)
  })
})

describe("help", () => {
  it("lists every command with its exit codes, and every command's flags", async () => {
    const { code, stdout } = await asProgram(["--help"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /Exit codes:\n {2}0 +done/)
    const listed = stdout.slice(stdout.indexOf("Commands:"), stdout.indexOf("Every command takes"))
    assert.strictEqual(listed.trim().split("\n").length - 1, commands.length)
    for (const { name } of commands) assert.include(listed, `\n  ${name} `)
    assert.strictEqual(new Set(commands.map(({ name }) => name)).size, commands.length)
    const files = (await readdir("src/cli/commands")).length
    assert.strictEqual(commands.length, files + verbs.length)
  })

  it("of a group lists its commands alone, whichever way it is asked for", async () => {
    const { code, stdout } = await asProgram(["wallet", "--help"])
    assert.strictEqual(code, 0)
    const named = [...stdout.matchAll(/^ {2}(\w+ \w+) /gm)].map(([, name]) => name)
    const group = commands.map(({ name }) => name).filter(name => name.startsWith("wallet "))
    assert.deepStrictEqual(named, group)
    assert.strictEqual((await asProgram(["help", "wallet"])).stdout, stdout)
  })

  it("shows of every command its words and flags, and of every verb an example that it takes", () => {
    for (const command of commands)
      assert.match(commandHelp(command), new RegExp(`^service ${command.name}[^]*Flags:[^]*--json`))
    for (const verb of verbs) {
      const command = verbCommand(verb)
      const [, ...words] = verb.example.split(" ")
      assert.include(commandHelp(command), `Example:\n  ${verb.example}\n`)
      assert.deepStrictEqual(words.slice(0, verb.name.split(" ").length), verb.name.split(" "))
      parseInput(command, words.slice(verb.name.split(" ").length), {})
    }
  })
})
