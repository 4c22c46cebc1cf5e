/** Where the command line keeps what is unfinished: by the service's audience, and found where an older program kept it by the base URL. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commands } from "../../src/cli/Commands.ts"
import { commandHelp } from "../../src/cli/Help.ts"
import { fileStore, keptPlaces, pendingWork } from "../../src/cli/Pending.ts"

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "kept-"))
})

afterAll(() => rm(directory, { recursive: true }))

const terminalAt = (name: string) => ({
  env: { FUNDING_STATE_DIR: join(directory, name) },
  note: () => undefined
})

const capabilities = { audience: "https://service.example" }
const byName = { baseUrl: "http://localhost:8787", capabilities }
const byNumber = { baseUrl: "http://127.0.0.1:8787", capabilities }
const older = [["http://localhost:8787", "owner", "work"]] as const

describe("what is unfinished", () => {
  it("is found by whichever URL the service is reached", async () => {
    const terminal = terminalAt("either")
    await pendingWork(terminal, keptPlaces(byName, "work")).keep({ key: "1" })
    assert.deepStrictEqual(await pendingWork(terminal, keptPlaces(byNumber, "work")).recall(), { key: "1" })
    await fileStore(terminal, keptPlaces(byName, "owner")).keep("plan.0", "{}")
    assert.strictEqual(await fileStore(terminal, keptPlaces(byNumber, "owner")).recall("plan.0"), "{}")
  })

  it("is found where an older program kept it, and kept by the audience from then on", async () => {
    const terminal = terminalAt("older")
    await pendingWork(terminal, older).keep({ key: "1" })
    const pending = pendingWork(terminal, keptPlaces(byName, "owner", "work"))
    assert.deepStrictEqual(await pending.recall(), { key: "1" })
    assert.isFalse(await pending.keepFirst({ key: "2" }))
    await pending.keep({ key: "1", planId: "3" })
    assert.deepStrictEqual(await pending.recall(), { key: "1", planId: "3" })
    const again = pendingWork(terminal, keptPlaces(byNumber, "owner", "work"))
    assert.deepStrictEqual(await again.recall(), { key: "1", planId: "3" })
  })

  it("is forgotten wherever it is kept", async () => {
    const terminal = terminalAt("forgotten")
    await pendingWork(terminal, older).keep({ key: "1" })
    const pending = pendingWork(terminal, keptPlaces(byName, "owner", "work"))
    await pending.keep({ key: "2" })
    await pending.forget()
    assert.isUndefined(await pending.recall())
    assert.isTrue(await pending.keepFirst({ key: "3" }))
    await pending.forget()
    assert.deepStrictEqual(await readdir(terminal.env.FUNDING_STATE_DIR), [])
  })

  it("is found no more by the URL of an older program once another URL finished it", async () => {
    const terminal = terminalAt("finished")
    await pendingWork(terminal, older).keep({ key: "1" })
    const begun = pendingWork(terminal, keptPlaces(byName, "owner", "work"))
    await begun.keep({ key: "1", planId: "3" })
    await pendingWork(terminal, keptPlaces(byNumber, "owner", "work")).forget()
    assert.isUndefined(await begun.recall())
  })

  it("is found where an older program's store kept it", async () => {
    const terminal = terminalAt("store")
    await fileStore(terminal, [["http://localhost:8787", "owner"]]).keep("plan.0", "{}")
    const store = fileStore(terminal, keptPlaces(byName, "owner"))
    assert.strictEqual(await store.recall("plan.0"), "{}")
    await store.forget("plan.0")
    assert.isUndefined(await store.recall("plan.0"))
  })
})

it.each([
  "pay",
  "plan create",
  "plan submit",
  "operation submit",
  "session prepare",
  "wallet create",
  "wallet bind"
])("the help of %s says where it is kept", name => {
  const command = commands.find(each => each.name === name) ?? assert.fail("no such command")
  assert.include(commandHelp(command), "FUNDING_STATE_DIR")
  assert.include(commandHelp(command), "~/.local/state/funding")
})
