import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeFairShares } from "../../src/chain/FairShares.ts"

type Move = { readonly who: string; readonly calls: number } | "turn"

const SEATS = 4

const move = fc.oneof(
  { weight: 20, arbitrary: fc.record({ who: fc.constantFrom(..."abcdefghij"), calls: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant("turn" as const) }
)
const moves = fc.array(move, { maxLength: 300 })
const limit = fc.nat(500)

/** What one asker had and was refused within a minute. */
interface Record {
  taken: number
  readonly seated: boolean
}

/** Plays the moves and tells of each ask what came of it, with the minute's state before it. */
const play = (total: number, all: ReadonlyArray<Move>, look: (seen: Seen) => void) => {
  const shares = makeFairShares(total)
  let returning = new Set<string>()
  let askers = new Map<string, Record>()
  for (const each of all) {
    if (each === "turn") {
      shares.turn()
      returning = new Set(askers.keys())
      askers = new Map()
      continue
    }
    const newSeats = Math.max(SEATS, 2 * returning.size) - returning.size
    const newcomers = [...askers.keys()].filter(who => !returning.has(who)).length
    const seated = returning.has(each.who) || newcomers < newSeats
    const asker = askers.get(each.who) ?? { taken: 0, seated }
    askers.set(each.who, asker)
    const before = asker.taken
    const admitted = shares.take(each.who, each.calls)
    if (admitted) asker.taken += each.calls
    const sum = [...askers.values()].reduce((found, { taken }) => found + taken, 0)
    look({
      ...each,
      before,
      seated: asker.seated,
      admitted,
      sum,
      share: shares.share(each.who),
      free: shares.freeLeft()
    })
  }
}

interface Seen {
  readonly who: string
  readonly calls: number
  readonly before: number
  readonly seated: boolean
  readonly admitted: boolean
  readonly sum: number
  readonly share: number
  readonly free: number
}

describe("fair shares", () => {
  it("give no more than there is in a minute", () => {
    fc.assert(
      fc.property(limit, moves, (total, all) =>
        play(total, all, ({ sum, free }) => {
          assert.isAtMost(sum, total)
          assert.isAtLeast(free, 0)
        })
      )
    )
  })

  it("refuse nobody who has a seat within the own share, whatever the others took", () => {
    fc.assert(
      fc.property(limit, moves, (total, all) =>
        play(total, all, ({ seated, before, calls, share, admitted }) => {
          if (seated && before + calls <= share) assert.isTrue(admitted)
        })
      )
    )
  })

  it("refuse nobody what is free, seat or none", () => {
    fc.assert(
      fc.property(limit, moves, (total, all) => {
        let free = 0
        play(total, all, seen => {
          if (!seen.admitted) assert.isAbove(seen.calls, seen.free)
          free = seen.free
        })
        assert.isAtLeast(free, 0)
      })
    )
  })

  it("let who is alone use more than half of all", () => {
    const shares = makeFairShares(1000)
    let taken = 0
    while (shares.take("a", 1)) taken += 1
    assert.strictEqual(taken, 563)
    for (const other of ["b", "c", "d"]) assert.isTrue(shares.take(other, 125), other)
    assert.isFalse(shares.take("d", 1))
  })

  it("leave something to each newcomer who finds no seat, less to each after, whoever took the rest", () => {
    const shares = makeFairShares(10_000)
    for (const early of "abcd") while (shares.take(early, 1));
    const late = [..."efghijkl"].map(who => {
      let taken = 0
      while (shares.take(who, 1)) taken += 1
      assert.strictEqual(shares.share(who), taken)
      return taken
    })
    assert.deepStrictEqual(late, [156, 117, 88, 66, 49, 37, 28, 21])
  })

  it("keep a seat for who asked in the minute before, however many come first", () => {
    const shares = makeFairShares(1000)
    shares.take("a", 1)
    shares.turn()
    for (const newcomer of "bcdefgh") while (shares.take(newcomer, 1));
    assert.isTrue(shares.take("a", shares.share("a")))
    assert.isFalse(shares.take("a", 1))
  })

  it("change nothing by a refusal, and take what is free in parts", () => {
    const shares = makeFairShares(80)
    const free = shares.freeLeft()
    assert.isFalse(shares.take("a", 1000))
    assert.strictEqual(shares.freeLeft(), free)
    assert.strictEqual(shares.takeFree(free + 5), free)
    assert.strictEqual(shares.takeFree(1), 0)
    assert.isTrue(shares.take("a", shares.share("a")))
  })
})
