import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { AtFailpoint, FAILPOINTS, type Failpoint, failpoint } from "../../src/values/Failpoint.ts"

const SRC = resolve("src")

const used = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter(path => path.endsWith(".ts"))
  .flatMap(path => [...readFileSync(join(SRC, path), "utf8").matchAll(/\bfailpoint\("([^"]+)"\)/g)])
  .map(([, name = ""]) => name)

describe("failpoints", () => {
  it("name forty moments of a submission and more", () => {
    assert.strictEqual(new Set(FAILPOINTS).size, FAILPOINTS.length)
    assert.isAtLeast(FAILPOINTS.length, 40)
  })

  it("stand in one place each", () => {
    assert.deepStrictEqual([...used].sort(), [...FAILPOINTS].sort())
  })

  it("do nothing unless the process was composed so", async () => {
    const reached: Array<Failpoint> = []
    const note = (at: Failpoint) => Effect.sync(() => void reached.push(at))
    const passing = failpoint("claim.begun")
    await Effect.runPromise(passing)
    assert.deepStrictEqual(reached, [])
    await Effect.runPromise(Effect.provideService(passing, AtFailpoint, note))
    assert.deepStrictEqual(reached, ["claim.begun"])
  })
})
