/** Runs of the same command side by side, and after one that was killed. */
import { spawnSync } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { alone } from "../../src/cli/OneRun.ts"
import { keptPlaces, pendingWork, placesWithin } from "../../src/cli/Pending.ts"

const places = keptPlaces(
  { baseUrl: "http://service.test", capabilities: { audience: "https://service.test" } },
  "eip155:1:0x01",
  "pay"
)

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "one-run-"))
})
afterEach(() => rm(directory, { recursive: true }))

const terminal = () => ({ env: { FUNDING_STATE_DIR: directory }, note: () => {} })

const deadProcess = (): number => spawnSync(process.execPath, ["-e", ""]).pid

const runAt = (...parts: ReadonlyArray<string>) =>
  pendingWork(terminal(), placesWithin(places, "run", ...parts))

const leave = (pid: number, host: string, silentSeconds = 0) =>
  runAt().keep({
    ...{ pid: String(pid), host },
    at: String(Date.now() - silentSeconds * 1_000)
  })

/** A run that was killed, and one after the other those that were killed while they took its place. */
const leaveDead = async (heirs: number) => {
  const host = hostname()
  const dead = () => ({
    ...{ pid: String(deadProcess()), host },
    ...{ at: String(Date.now()), token: crypto.randomUUID() }
  })
  let last = dead()
  await runAt().keep(last)
  for (let each = 0; each < heirs; each++) {
    const heir = dead()
    await runAt(last.pid, last.host, last.at, last.token).keep(heir)
    last = heir
  }
}

/** So many at once, of which none runs beside another: the exit codes of those that did not. */
const manyAtOnce = async (runs: number) => {
  let running = 0
  const work = async () => {
    running += 1
    assert.strictEqual(running, 1)
    await setTimeout(50)
    running -= 1
  }
  const ended = await Promise.allSettled(Array.from({ length: runs }, () => alone(terminal(), places, work)))
  return ended.flatMap(each => (each.status === "rejected" ? [Object(each.reason).exitCode] : []))
}

describe("a command that signs", () => {
  it("has one run at a time, and leaves nothing behind", async () => {
    let end = () => {}
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const first = alone(terminal(), places, () => {
      begin()
      return new Promise<string>(resolve => {
        end = () => resolve("first")
      })
    })
    await begun
    const second = await alone(terminal(), places, async () => "second").catch((failure: unknown) => failure)
    assert.strictEqual(Object(second).exitCode, 4)
    assert.include(Object(second).message, `process ${process.pid} on ${hostname()}`)
    end()
    assert.strictEqual(await first, "first")
    assert.strictEqual(await alone(terminal(), places, async () => "third"), "third")
    assert.deepStrictEqual(await readdir(directory), [])
  })

  it("goes on where the one before was killed", async () => {
    await leave(deadProcess(), hostname())
    assert.strictEqual(await alone(terminal(), places, async () => "next"), "next")
  })

  it("goes on in one run alone where several find that the one before was killed", async () => {
    await leave(deadProcess(), hostname())
    const failures = await manyAtOnce(8)
    assert.isBelow(failures.length, 8)
    assert.deepStrictEqual([...new Set(failures)], [4])
    assert.deepStrictEqual(await readdir(directory), [])
  })

  it.each([1, 3])("goes on where %i more were killed while they took its place", async heirs => {
    await leaveDead(heirs)
    assert.strictEqual(await alone(terminal(), places, async () => "next"), "next")
    assert.deepStrictEqual(await readdir(directory), [])
  })

  it("goes on in one run alone where several find that", async () => {
    await leaveDead(2)
    const failures = await manyAtOnce(8)
    assert.isBelow(failures.length, 8)
    assert.deepStrictEqual([...new Set(failures)], [4])
    assert.deepStrictEqual(await readdir(directory), [])
  })

  it("leaves its place to another run that took it meanwhile", async () => {
    await alone(terminal(), places, () => leave(process.pid, "elsewhere.test"))
    const refused = await alone(terminal(), places, async () => "next").catch((failure: unknown) => failure)
    assert.include(Object(refused).message, "on elsewhere.test")
  })

  it("waits for one on another machine as long as that writes that it is there", async () => {
    await leave(deadProcess(), "elsewhere.test")
    const refused = await alone(terminal(), places, async () => "next").catch((failure: unknown) => failure)
    assert.include(Object(refused).message, "on elsewhere.test")
    await leave(deadProcess(), "elsewhere.test", 61)
    assert.strictEqual(await alone(terminal(), places, async () => "next"), "next")
  })

  it("goes on where another process has the number of one that is gone", async () => {
    await leave(process.pid, hostname(), 61)
    assert.strictEqual(await alone(terminal(), places, async () => "next"), "next")
  })

  it("lets go of its turn where it fails", async () => {
    const failing = alone(terminal(), places, () => Promise.reject(new Error("declined")))
    assert.include(String(await failing.catch((failure: unknown) => failure)), "declined")
    assert.deepStrictEqual(await readdir(directory), [])
  })
})

it("a run that ends while it tells that it is there leaves nothing of that", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  try {
    await alone(terminal(), places, async () => {
      vi.advanceTimersByTime(10_000)
    })
  } finally {
    vi.useRealTimers()
  }
  await setTimeout(200)
  assert.isUndefined(await runAt().recall())
})
