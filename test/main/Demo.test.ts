import { spawn } from "node:child_process"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { builtProgram } from "../support/BuiltProgram.ts"
import { type ServiceProcess, startServiceProcess } from "../support/ServiceProcess.ts"

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let program: string

beforeAll(async () => {
  program = await builtProgram("scripts/demo.ts")
})

const demo = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  heard: () => void = () => {}
): Promise<Ran> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", chunk => {
      stdout += String(chunk)
      heard()
    })
    child.stderr.on("data", chunk => {
      stderr += String(chunk)
    })
    child.once("close", code => resolve({ code, stdout, stderr }))
  })

describe("the demo", { timeout: 120_000 }, () => {
  let service: ServiceProcess

  beforeAll(async () => {
    service = await startServiceProcess()
  })

  afterAll(() => service.stop())

  it("says what it does and takes", async () => {
    const { code, stdout } = await demo(["--help"], {})
    assert.strictEqual(code, 0)
    assert.match(stdout, /^npm run demo\n[\s\S]*FUNDING_URL/)
  })

  it("finds the running service whatever its port, and ends with a sentence when that dies", async () => {
    const begun = performance.now()
    const { code, stdout, stderr } = await demo([], { SERVICE_DATA_DIR: service.dataDirectory }, () => {
      if (service.exit() === undefined) process.kill(service.pid, "SIGKILL")
    })
    assert.include(stdout, `The service at ${service.audience} asks for signatures`)
    assert.strictEqual(code, 1)
    assert.match(stderr, /answer/)
    assert.isBelow(performance.now() - begun, 60_000)
  })
})
