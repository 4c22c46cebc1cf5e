/** Whether the block that a session was looked at in before is one of the chain that is looked at now. */
import { assert, describe, it } from "vitest"
import { earlierIn } from "../../src/sessions/ObserveSession.ts"
import type { StoredSession } from "../../src/sessions/SessionRow.ts"
import type { Bytes32 } from "../../src/values/Scalars.ts"
import { ENABLED, hash, look, looked, PREPARED, UNTOUCHED } from "./support/StoredSessions.ts"

const active = looked(PREPARED, look(11, ENABLED))

describe("the block that the session was compiled at", () => {
  const behind = (head: bigint, secondsLater: number, over: Partial<StoredSession> = {}) =>
    earlierIn(
      { ...PREPARED, now: PREPARED.createdAt + 1000 * secondsLater, ...over },
      { latest: { number: head, hash: hash(Number(head)) }, places: new Map() }
    )

  it("is waited for by the first look, however long, while the endpoint's head is below it", () => {
    assert.isUndefined(behind(9n, 0))
    assert.isUndefined(behind(9n, 1_000_000))
  })

  it("is waited for a minute where the endpoint has a later head and not that", () => {
    assert.isUndefined(behind(11n, 59))
    assert.equal(behind(11n, 60), "gone")
  })

  it("is not asked for by later looks", () => {
    const { observation, observedAt } = looked(PREPARED, look(11, UNTOUCHED))
    assert.equal(behind(9n, 61, { observation, observedAt }), "gone")
  })
})

describe("the block that was looked at last", () => {
  const [number, seen, other] = [11n, look(11, ENABLED).evidence.blockHash, hash(0xee)]
  const block = {
    chainId: active.chainId,
    number,
    hash: seen,
    parentHash: hash(10),
    timestamp: 0n,
    baseFeePerGas: null
  }
  const below = (latest: {
    readonly number: bigint
    readonly hash: Bytes32
    readonly parentHash?: Bytes32
  }) => earlierIn(active, { latest, places: new Map([[Number(number), block]]) })

  it("stands where the newest block is itself, or comes after it", () => {
    assert.equal(below({ number, hash: seen }), "standing")
    assert.equal(below({ number: 12n, hash: other, parentHash: seen }), "standing")
    assert.equal(below({ number: 13n, hash: other, parentHash: hash(12) }), "standing")
  })

  it("has gone where the newest block is of another fork, whichever node has it still", () => {
    assert.equal(below({ number, hash: other }), "gone")
    assert.equal(below({ number: 12n, hash: hash(12), parentHash: other }), "gone")
  })
})
