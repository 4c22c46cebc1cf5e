import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { commands } from "../../src/cli/Commands.ts"
import { completionScript, SHELLS } from "../../src/cli/Completions.ts"
import { likelyMeant } from "../../src/cli/Meant.ts"
import { progressOn } from "../../src/cli/Progress.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let service: RunningService

beforeAll(async () => {
  cli = await buildCli()
  service = await startService()
})

afterAll(async () => {
  await service.stop()
  await cli.remove()
})

describe("a mistyped word", () => {
  it.each([
    [["pya", "--project", "2"], '"service pay"'],
    [["plan", "shwo", "1"], '"service plan show"'],
    [["acount", "show"], '"service account show"'],
    [["projet"], '"service project"'],
    [["pay", "--projct", "2"], "--project"],
    [["cash-out", "--cuont", "2"], "--count"]
  ])("is told what was most likely meant: %j", async (args, meant) => {
    const { code, stderr } = await cli.run(args)
    assert.strictEqual(code, 1)
    assert.include(stderr, `Did you mean ${meant}?`)
  })

  it("that is near to nothing is told no more than what there is", async () => {
    for (const args of [["frobnicate"], ["xyz"], ["pay", "--frobnicate", "2"]])
      assert.notInclude((await cli.run(args)).stderr, "Did you mean")
    assert.isUndefined(likelyMeant("op", ["ls"]))
  })

  it("of an operation too", async () => {
    const key = "--signer-command=true --address=0x00000000000000000000000000000000000000a1".split(" ")
    const args = ["op", "get_rulsets", "--describe", "--url", service.url, ...key]
    const { stderr } = await runHere(args, {})
    assert.include(stderr, 'Did you mean "service op get_rulesets"?')
  })
})

describe("a switch", () => {
  it.each(["--yes=false", "--yes=", "--json=true", "--sponsor=no"])("takes no value: %s", async given => {
    const { code, stderr } = await cli.run(["pay", "--project", "2", "--amount", "1", given])
    assert.strictEqual(code, 1)
    assert.include(stderr, `${given.split("=")[0]} takes no value`)
  })
})

describe("the address of a contract", () => {
  it("is not taken for that of a signer command, which is not given", async () => {
    const args = [
      "read",
      "JBController",
      "DIRECTORY",
      "--address",
      `0x${"a1".repeat(20)}`,
      "--url",
      service.url
    ]
    const { code, stderr } = await runHere(args, {})
    assert.strictEqual(code, 1)
    assert.include(stderr, "A contract's address is --contract-address.")
  })
})

it("says its version, as text and as JSON", async () => {
  const { version } = JSON.parse(await readFile("package.json", "utf8"))
  assert.strictEqual((await cli.run(["--version"])).stdout, `${version}\n`)
  assert.strictEqual(JSON.parse((await cli.run(["--version", "--json"])).stdout), version)
})

describe("completions", () => {
  let ofBash = ""

  beforeAll(async () => {
    ofBash = (await cli.run(["completions", "bash"])).stdout
  })

  it("know every command and flag in every shell", () => {
    for (const shell of SHELLS) {
      const script = completionScript(shell, commands)
      for (const { name, flags } of commands) {
        for (const word of name.split(" ")) assert.include(script, word)
        for (const flag of flags) assert.include(script, flag.name)
      }
      const parser = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" })
      if (parser.error === undefined) assert.deepStrictEqual([parser.status, parser.stderr], [0, ""])
    }
  })

  it.each([
    ["service ", "account"],
    ["service plan s", "show simulate submit submit-all"],
    ["service pay --proj", "--project"],
    ["service plan submit 1 0 --wat", "--watch"],
    ["service sponsor ", "list show"],
    ["service sponsor show 1 --ur", "--url"],
    ["service sponsor 1 --time", "--timeout"]
  ])("complete in bash: %j", (line, expected) => {
    const typed = line.split(" ")
    const script = `${ofBash}\nCOMP_WORDS=(${typed.map(word => `"${word}"`).join(" ")}) COMP_CWORD=${typed.length - 1}\n_service\necho "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.includeMembers(stdout.trim().split(" "), expected.split(" "))
  })

  it("name the shells there are", async () => {
    const { code, stderr } = await cli.run(["completions", "tcsh"])
    assert.strictEqual(code, 1)
    assert.include(stderr, "Give bash, zsh, fish.")
  })
})

describe("progress on a terminal", () => {
  afterEach(() => vi.useRealTimers())

  it("comes after a while, is wiped before anything else is said, and rests while somebody is asked", async () => {
    vi.useFakeTimers()
    const written: Array<string> = []
    const progress = progressOn({ write: text => written.push(text) })
    vi.advanceTimersByTime(1_500)
    assert.deepStrictEqual(written, [])
    vi.advanceTimersByTime(1_000)
    progress.clear()
    assert.deepStrictEqual(written, ["\r\u001b[K… 2 s", "\r\u001b[K"])
    await progress.paused(async () => vi.advanceTimersByTime(5_000))
    assert.lengthOf(written, 2)
    progress.stop()
    vi.advanceTimersByTime(5_000)
    assert.lengthOf(written, 2)
  })
})
