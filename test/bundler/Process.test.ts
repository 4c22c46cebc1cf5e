/** The bundler as a process of its own. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, it } from "vitest"
import { installedAlto } from "../../sandbox/bundler/Alto.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { startAnvil } from "../support/Anvil.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { until } from "../support/Until.ts"
import { preload } from "./support/Bundler.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const launch = async (rpcUrl: string) => {
  const program = await builtProgram("sandbox/bundler/main.ts")
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { SANDBOX_BUNDLER_RPC_URL: rpcUrl, SANDBOX_BUNDLER_PRELOAD: await preload() }
  })
  const ended = new Promise<number | null>(resolve => child.once("exit", code => resolve(code)))
  const said: Array<string> = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (/^(?:Listening|FATAL)/.test(line)) break
  }
  const end = (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal)
    return ended
  }
  return { said, ended, end }
}

const answers = (url = "") =>
  fetch(url).then(
    () => true,
    () => false
  )

const urlsOf = (said: ReadonlyArray<string>) =>
  said.map(line => /^(?:Listening on|Paymaster at) (http:\S+)$/.exec(line)?.[1] ?? assert.fail(line))

it.each(["SIGTERM", "SIGKILL"] as const)(
  "says where it and its paymaster listen, and takes both along on %s",
  { timeout: 120_000 },
  async signal => {
    const { said, end } = await launch(sandbox.url)
    const urls = urlsOf(said)
    assert.lengthOf(urls, 2)
    for (const url of urls) assert.isTrue(await answers(url), url)
    assert.equal(await end(signal), signal === "SIGTERM" ? 0 : null)
    for (const url of urls)
      await until(
        () => answers(url),
        yes => !yes
      )
  }
)

it("says what it lacks", async () => {
  assert.isUndefined(installedAlto("/nowhere/at.js"))
  const other = await startAnvil({ args: ["--chain-id", "1"] })
  try {
    const { said, ended } = await launch(other.url)
    assert.deepEqual(said, ["FATAL: The bundler serves the local chain alone."])
    assert.equal(await ended, 1)
  } finally {
    await other.stop()
  }
})
