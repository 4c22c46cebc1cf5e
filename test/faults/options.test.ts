import { assert, describe, it } from "vitest"
import { chosen, range, readOptions, whole } from "./Options.ts"

const USAGE = "how it is used\n"

const read = (...args: ReadonlyArray<string>) =>
  readOptions(args, USAGE, {
    kills: whole(200, 1, 1_000),
    count: whole(undefined, 1, 9),
    cells: range(0, 1_200),
    "at-once": chosen
  })

const valuesOf = (...args: ReadonlyArray<string>) => {
  const found = read(...args)
  return "values" in found ? found.values : assert.fail(found.ending.text)
}

const endingOf = (...args: ReadonlyArray<string>) => {
  const found = read(...args)
  return "ending" in found ? found.ending : assert.fail(JSON.stringify(found.values))
}

describe("the options of a campaign", () => {
  it("are the usual ones where none are given, with a seed of their own", () => {
    const { seed, ...others } = valuesOf()
    assert.deepStrictEqual(others, { kills: 200, count: undefined, cells: [0, 1_200], "at-once": false })
    assert.isTrue(Number.isInteger(seed) && seed >= 0)
    assert.notStrictEqual(seed, valuesOf().seed)
  })

  it("are taken as given", () => {
    const given = valuesOf("--kills", "1000", "--count=9", "--cells", "3..7", "--at-once", "--seed", "0")
    assert.deepStrictEqual(given, { kills: 1_000, count: 9, cells: [3, 7], "at-once": true, seed: 0 })
  })

  it.each([
    ["--kills", "0"],
    ["--kills", "1001"],
    ["--kills", "many"],
    ["--kills", ""],
    ["--kills", "1.5"],
    ["--count", "10"],
    ["--cells", "5"],
    ["--cells", "0..1201"],
    ["--seed", "-1"],
    ["--kils", "5"],
    ["5", "--at-once"]
  ])("end the command where they cannot be used: %s %s", (...args) => {
    const { status, text } = endingOf(...args)
    assert.strictEqual(status, 2)
    assert.notStrictEqual(text, `\n\n${USAGE}`)
    assert.isTrue(text.endsWith(`\n\n${USAGE}`))
  })

  it("say what there is", () => {
    assert.deepStrictEqual(endingOf("--help", "--kills", "none"), { status: 0, text: USAGE })
  })
})
