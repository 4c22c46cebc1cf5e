import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { startOperationBench } from "../support/Operations.ts"
import { printedBesideOurs, printedFiles } from "./Page.ts"

const copy = printedBesideOurs()
afterAll(() => copy.remove())

const { path = "" } = printedFiles.find(each => each.path.endsWith("get_supply/Run.ts")) ?? {}
const { runGetSupply } = await import(join(copy.root, path))

const bench = await startOperationBench({ operations: [runGetSupply] })
afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: "2", version: 6 }

describe("the read that the page on extending adds", () => {
  it("answers with the supply at one block", async () => {
    const { status, body } = await bench.ask("get_supply", { project })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { supply, evidence, ...rest } = Object(body)
    assert.deepStrictEqual(rest, { project })
    assert.match(supply, /^[1-9][0-9]*$/)
    assert.lengthOf(evidence, 1)
  })

  it("refuses an input that its schema does not take", async () => {
    const { status, body } = await bench.ask("get_supply", {})
    assert.deepStrictEqual([status, Object(body).code], [400, "INVALID_INPUT"])
  })
})
