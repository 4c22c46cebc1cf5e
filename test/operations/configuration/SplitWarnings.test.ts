import { assert, describe, it } from "vitest"
import { splitWarnings } from "../../../src/operations/configuration/SplitWarnings.ts"
import { ReadLimitExceeded } from "../../../src/projects/refusals.ts"
import { known, unknown } from "../../../src/values/Observed.ts"

const LONGEST_ID = 2n ** 256n - 1n
/** As many as the configurations of one plan have. */
const MOST_SPLITS = 16 * 32 * 32

const to = (ids: ReadonlyArray<bigint>) => ids.map(id => ({ projectId: String(id) }))

const descending = (count: number) => Array.from({ length: count }, (_, index) => LONGEST_ID - BigInt(index))

describe("the warnings of splits to projects", () => {
  it("name the first twenty, and say how many more there are", () => {
    const ids = Array.from({ length: 22 }, (_, index) => BigInt(100 + index))
    const first = ids.slice(0, 20).join(", ")
    const [absent] = splitWarnings(to(ids), { count: known("7"), own: 3n })
    assert.match(absent ?? "", new RegExp(`^Splits name projects ${first} and 2 more, which the chain`))
    const [unread] = splitWarnings(to(ids), { count: unknown(new ReadLimitExceeded()), own: 3n })
    assert.match(unread ?? "", new RegExp(`^Whether projects ${first} and 2 more, which splits name,`))
    const [all] = splitWarnings(to(ids.slice(0, 20)), { count: known("7"), own: 3n })
    assert.match(all ?? "", new RegExp(`^Splits name projects ${first}, which the chain`))
  })

  it("are of 4,000 characters at most, however many there are", () => {
    for (const count of [known("7"), unknown(new ReadLimitExceeded())])
      for (const warning of splitWarnings(to(descending(MOST_SPLITS)), { count, own: 3n }))
        assert.isAtMost(warning.length, 4_000)
  })
})
