/** The states of a session, by what is stored and what its guard says. */
import { assert, describe, it } from "vitest"
import { judgedSession } from "../../src/sessions/JudgeSession.ts"
import type { SessionStatus } from "../../src/sessions/Session.ts"
import type { StoredSession } from "../../src/sessions/SessionRow.ts"
import { invalidationOf, sessionState } from "../../src/sessions/SessionState.ts"
import {
  ENABLED,
  ENABLED_HISTORY,
  hash,
  look,
  looked,
  PREPARED,
  REVOKED,
  START,
  spending,
  UNTOUCHED
} from "./support/StoredSessions.ts"

const plan = {
  planId: "33333333-3333-4333-8333-333333333333",
  planCommitment: hash(4),
  ownerRequestDigest: hash(5),
  issuedAt: 1,
  expiresAt: 2
}

const admitted = { ...PREPARED, activation: plan }
const active = looked(admitted, look(11, ENABLED))
const foreign = { ...UNTOUCHED, administration: { ...UNTOUCHED.administration, history: hash(0xf0) } }

const table: ReadonlyArray<readonly [SessionStatus, string, StoredSession]> = [
  ["prepared", "that nobody looked at", PREPARED],
  ["prepared", "of which the guard knows nothing", looked(PREPARED, look(11, UNTOUCHED))],
  ["installing", "whose activation is admitted", looked(admitted, look(11, UNTOUCHED))],
  [
    "prepared",
    "whose activation ran out and gave its wallet free",
    { ...looked(admitted, look(11, UNTOUCHED)), releasedAt: 8 }
  ],
  ["active", "that lives as it was compiled", active],
  ["active", "that was enabled without a plan of ours", looked(PREPARED, look(11, ENABLED))],
  ["active", "at its last second", { ...active, now: (PREPARED.validUntil - 1) * 1000 }],
  ["expired", "by our clock", { ...active, now: PREPARED.validUntil * 1000 }],
  [
    "expired",
    "by its chain's clock",
    looked(PREPARED, {
      ...look(11, ENABLED),
      evidence: { ...look(11, ENABLED).evidence, timestamp: String(PREPARED.validUntil) }
    })
  ],
  ["expired", "that was never enabled", { ...PREPARED, now: PREPARED.validUntil * 1000 }],
  ["stale", "whose grant ended", { ...active, grantEndedAt: 7 }],
  ["stale", "whose grant ended, though it is over too", { ...active, grantEndedAt: 7, now: 2e12 }],
  ["stale", "whose wallet was unlinked", { ...active, unlinkedAt: 7 }],
  ["stale", "whose wallet is in another state", looked(active, look(12, ENABLED, { isWalletBound: false }))],
  ["stale", "whose guard cannot be believed", looked(active, look(12, undefined))],
  ["stale", "upon which another generation came first", looked(admitted, look(11, foreign))],
  ["revoking", "whose revocation is admitted", { ...active, revocation: plan }],
  ["revoking", "whose revocation is admitted, though stale", { ...active, revocation: plan, unlinkedAt: 7 }],
  [
    "revoking",
    "whose revocation is admitted while its activation may be executed",
    { ...looked(admitted, look(11, UNTOUCHED)), revocation: plan }
  ],
  [
    "expired",
    "that was to be revoked before anything enabled it, once nothing can",
    { ...looked(admitted, look(11, UNTOUCHED)), revocation: plan, releasedAt: 8 }
  ],
  ["revoked", "that the guard revoked", looked(active, look(12, REVOKED))],
  [
    "revoked",
    "whatever else holds of it",
    { ...looked(active, look(12, REVOKED)), revocation: plan, unlinkedAt: 7, now: 2e12 }
  ]
]

describe("a session", () => {
  it.each(table)("is %s %s", (state, _, stored) => {
    assert.equal(sessionState(stored), state)
  })
})

describe("what keeps a session from being used", () => {
  const reasonOf = (stored: StoredSession) => invalidationOf(stored)?.reason

  it("is told with the earliest time at which it was seen", () => {
    const stale = looked(
      active,
      look(12, ENABLED, { isWalletBound: false }),
      look(13, ENABLED, { isWalletBound: false })
    )
    assert.deepEqual(invalidationOf(stale), {
      reason: "wallet-changed",
      permanent: false,
      observedAt: START * 1000 + 12
    })
  })

  it("ends with what it is about", () => {
    const changed = looked(active, look(12, ENABLED, { isWalletBound: false }))
    assert.isUndefined(reasonOf(looked(changed, look(13, ENABLED))))
    const disbelieved = looked(active, look(12, undefined))
    assert.isUndefined(reasonOf(looked(disbelieved, look(13, ENABLED))))
  })

  it("is for good where the guard says what this session did not bring about", () => {
    const { state, administration } = ENABLED
    const wrong = [
      { state: { ...state, compiledHash: hash(0xc1) }, administration },
      { state, administration: { ...administration, live: hash(0x9f) } },
      { state, administration: { ...administration, history: hash(0xf0) } },
      { state: { ...state, calls: 101 }, administration },
      { state: REVOKED.state, administration }
    ]
    for (const words of wrong) {
      const stale = looked(active, look(12, words))
      assert.deepInclude(invalidationOf(stale), { reason: "configuration-changed", permanent: true })
      assert.equal(reasonOf(looked(stale, look(13, ENABLED))), "configuration-changed")
    }
  })

  it("is for good where the guard forgot it on one chain", () => {
    const forgotten = looked(active, look(12, UNTOUCHED, { final: { number: 11n } }))
    assert.deepInclude(invalidationOf(forgotten), { reason: "configuration-changed", permanent: true })
  })

  it("is for good where a counter went back on one chain", () => {
    const used = looked(active, look(12, spending({ calls: 2, gas: 9n })))
    const stale = looked(used, look(13, spending({ calls: 2, gas: 8n }), { final: { number: 12n } }))
    assert.deepInclude(invalidationOf(stale), { reason: "counter-reset", permanent: true })
    assert.equal(reasonOf(looked(stale, look(14, spending({ calls: 3, gas: 9n })))), "counter-reset")
  })

  it.each([
    ["forgot it", UNTOUCHED],
    ["counts less", spending({ calls: 1 })]
  ])("is a doubt where a node's guard %s while the earlier block may be another fork's", (_, words) => {
    const used = looked(active, look(12, spending({ calls: 2 })))
    const doubted = looked(used, look(14, words, { final: { number: 11n } }))
    assert.deepInclude(invalidationOf(doubted), { reason: "reorg", permanent: false })
    assert.deepEqual(doubted.observation, used.observation)
    assert.isFalse(judgedSession(used, look(14, words, { final: { number: 11n } })).live)
    const gone = looked(doubted, look(15, ENABLED, { earlier: "gone" }))
    assert.isUndefined(reasonOf(looked(gone, look(16, ENABLED, { final: { number: 15n } }))))
    const decided = looked(doubted, look(15, words, { final: { number: 12n } }))
    assert.isTrue(invalidationOf(decided)?.permanent)
  })

  it("is a reorganisation until what is seen then is final", () => {
    const used = looked(active, look(12, spending({ calls: 2 })))
    const gone = looked(used, look(13, spending({ calls: 1 }), { earlier: "gone" }))
    assert.deepInclude(invalidationOf(gone), { reason: "reorg", permanent: false })
    const waiting = looked(gone, look(14, spending({ calls: 1 }), { final: { number: 12n } }))
    assert.equal(reasonOf(waiting), "reorg")
    assert.equal(sessionState(waiting), "stale")
    const settled = looked(waiting, look(15, spending({ calls: 1 }), { final: { number: 13n } }))
    assert.equal(sessionState(settled), "active")
  })

  it("begins anew with each block that is taken back", () => {
    const gone = looked(active, look(12, ENABLED, { earlier: "gone" }))
    const again = looked(gone, look(13, ENABLED, { earlier: "gone", final: { number: 12n } }))
    assert.equal(reasonOf(again), "reorg")
    assert.equal(reasonOf(looked(again, look(14, ENABLED, { final: { number: 12n } }))), "reorg")
    assert.isUndefined(reasonOf(looked(again, look(14, ENABLED, { final: { number: 13n } }))))
  })

  it("is nothing where a block is taken back in which nothing was enabled", () => {
    const seen = looked(admitted, look(11, UNTOUCHED))
    assert.equal(sessionState(looked(seen, look(12, ENABLED, { earlier: "gone" }))), "active")
  })

  it("is a reorganisation where the block that enabled it is taken back", () => {
    const gone = looked(active, look(12, UNTOUCHED, { earlier: "gone" }))
    assert.equal(reasonOf(gone), "reorg")
    assert.equal(sessionState(looked(gone, look(13, UNTOUCHED, { final: { number: 12n } }))), "installing")
  })
})

describe("a first look that cannot rest on the block of the compilation", () => {
  const gone = looked(PREPARED, look(11, foreign, { earlier: "gone" }))

  it("finds nothing for good until what is seen is final", () => {
    const waiting = looked(gone, look(12, foreign))
    for (const stale of [gone, waiting])
      assert.deepInclude(invalidationOf(stale), { reason: "reorg", permanent: false })
    const settled = looked(waiting, look(13, UNTOUCHED, { final: { number: 13n } }))
    assert.equal(sessionState(settled), "prepared")
    const other = looked(waiting, look(13, foreign, { final: { number: 11n } }))
    assert.deepInclude(invalidationOf(other), { reason: "configuration-changed", permanent: true })
  })

  it("finds nothing for good in an older block, final or not", () => {
    const older = look(9, foreign, { final: { number: 9n } })
    const seen = looked(PREPARED, older)
    for (const stale of [seen, looked(seen, older)])
      assert.deepInclude(invalidationOf(stale), { reason: "reorg", permanent: false })
    assert.equal(sessionState(looked(seen, look(12, UNTOUCHED, { final: { number: 12n } }))), "prepared")
  })

  it("is as good as any where what it tells is expected", () => {
    assert.equal(sessionState(looked(PREPARED, look(11, UNTOUCHED, { earlier: "gone" }))), "prepared")
  })
})

describe("a look", () => {
  it("finds a session live only where it may be used", () => {
    assert.isTrue(judgedSession(admitted, look(11, ENABLED)).live)
    assert.isFalse(judgedSession(admitted, look(11, UNTOUCHED)).live)
    assert.isFalse(judgedSession(admitted, look(11, ENABLED, { isWalletBound: false })).live)
    assert.isFalse(judgedSession(active, look(12, undefined)).live)
    const late = look(12, ENABLED)
    const evidence = { ...late.evidence, timestamp: String(PREPARED.validUntil) }
    assert.isFalse(judgedSession(active, { ...late, evidence }).live)
  })

  it("takes nothing back of a final revocation where the last block that was looked at has left the chain", () => {
    const revoked = looked(active, look(12, REVOKED))
    const released = { ...looked(revoked, look(13, REVOKED, { final: { number: 12n } })), releasedAt: 8 }
    const gone = look(14, REVOKED, { earlier: "gone", final: { number: 12n } })
    const judged = judgedSession(released, gone)
    assert.isTrue(judged.retired)
    assert.isUndefined(judged.invalidation)
    assert.deepEqual(judged.observation?.since, released.observation?.since)
    assert.isTrue(judgedSession(released, look(14, REVOKED, { final: { number: 11n } })).retired)
    assert.isFalse(judgedSession(released, look(14, ENABLED, { earlier: "gone" })).retired)
  })

  it("finds a session retired once the block that revoked it is final", () => {
    const revoked = looked(active, look(12, REVOKED))
    assert.isFalse(judgedSession(active, look(12, REVOKED)).retired)
    assert.isFalse(judgedSession(revoked, look(13, REVOKED, { final: { number: 11n } })).retired)
    assert.isTrue(judgedSession(revoked, look(13, REVOKED, { final: { number: 12n } })).retired)
    const gone = look(13, REVOKED, { earlier: "gone", final: { number: 12n } })
    assert.isFalse(judgedSession(revoked, gone).retired)
  })

  it("waits no longer for a session that another one followed", () => {
    const revoked = looked(active, look(12, REVOKED))
    const followed = {
      ...REVOKED,
      administration: { ...REVOKED.administration, live: hash(0x77), history: hash(0x78) }
    }
    const later = look(14, followed, { final: { number: 12n } })
    assert.isTrue(judgedSession(revoked, later).retired)
    assert.equal(sessionState(looked(revoked, later)), "revoked")
  })

  it("stays released by a final revocation, though the guard cannot be believed any more", () => {
    const revoked = looked(active, look(12, REVOKED))
    assert.isFalse(judgedSession(revoked, look(13, undefined)).retired)
    assert.isTrue(judgedSession({ ...revoked, releasedAt: 8 }, look(13, undefined)).retired)
  })

  it("keeps what was said before by a guard that cannot be believed now", () => {
    const { observation } = judgedSession(active, look(12, undefined))
    assert.deepEqual(observation, active.observation)
    assert.equal(observation?.shown.history, ENABLED_HISTORY)
  })

  it("shows counters by name, used up and left", () => {
    const used = spending({ calls: 3, gas: 5n, cost: 7n, actionSpent: [30n], allocationSpent: [40n] })
    const { observation } = judgedSession(active, look(12, used))
    assert.deepEqual(observation?.shown.counters, [
      { name: "calls", used: "3", limit: "100", remaining: "97" },
      { name: "gas", used: "5", limit: "50000000", remaining: "49999995" },
      { name: "cost", used: "7", limit: "250000000000000000", remaining: "249999999999999993" },
      { name: "action:0", used: "30", limit: "100", remaining: "70" },
      { name: "allocation:tips", used: "40", limit: "100", remaining: "60" }
    ])
  })
})
