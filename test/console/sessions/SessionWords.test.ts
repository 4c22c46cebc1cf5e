/** What is said of a session that nothing keeps from being used but itself: never more than its guard was seen to have. */
import { assert, describe, it } from "vitest"
import { sessionText } from "../../../src/cli/SessionText.ts"
import { sessionMeaning } from "../../../src/console/sessions/SessionWords.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import { shownSession } from "../../../src/sessions/ShownSession.ts"
import { ENABLED, hash, look, looked, PREPARED, UNTOUCHED } from "../../sessions/support/StoredSessions.ts"

const foreign = { ...UNTOUCHED, administration: { ...UNTOUCHED.administration, history: hash(0xf0) } }
const over = { now: PREPARED.validUntil * 1000 }
const plan = {
  ...{ planId: "33333333-3333-4333-8333-333333333333", planCommitment: hash(4), ownerRequestDigest: hash(5) },
  ...{ issuedAt: 1, expiresAt: 2 }
}

const saidOf = (session: PublicSession): string => `${sessionMeaning(session)}\n${sessionText(session)}`

describe("a session that nothing enabled", () => {
  it.each([
    ["upon which another came first", looked(PREPARED, look(11, foreign))],
    ["whose time is over", { ...looked(PREPARED, look(11, UNTOUCHED)), ...over }],
    ["whose grant ended", { ...looked(PREPARED, look(11, UNTOUCHED)), grantEndedAt: 7 }],
    [
      "that was given up before it was",
      { ...looked(PREPARED, look(11, UNTOUCHED)), activation: plan, revocation: plan, releasedAt: 7 }
    ]
  ])("%s has nothing to revoke, and no key that may act", (_, stored) => {
    const said = saidOf(shownSession(stored))
    assert.include(said, "nothing to revoke")
    assert.notMatch(said, /revoke it|session revoke|let its key act|is revoked/)
  })
})

it("a session that is being revoked before its guard had it is given up, and its key is not said to act", () => {
  const given = { ...looked(PREPARED, look(11, UNTOUCHED)), activation: plan, revocation: plan }
  const said = saidOf(shownSession(given))
  assert.include(said, "nothing to revoke")
  assert.include(said, "given up")
  assert.notInclude(said, "lets its key act")
  const enabled = saidOf(shownSession({ ...looked(PREPARED, look(11, ENABLED)), revocation: plan }))
  assert.include(enabled, "lets its key act")
})

describe("a session that may be enabled", () => {
  it.each([
    ["its guard has it", { ...looked(PREPARED, look(11, ENABLED)), ...over }],
    ["its plan is admitted", { ...looked(PREPARED, look(11, UNTOUCHED)), ...over, activation: plan }],
    ["its guard was never seen", { ...PREPARED, grantEndedAt: 7 }]
  ])("is to be revoked: %s", (_, stored) => {
    assert.include(saidOf(shownSession(stored)), "service session revoke")
  })
})

describe("a session that may come back", () => {
  const enabled = looked(PREPARED, look(11, ENABLED))
  const kept = (reason: "reorg" | "wallet-changed") => ({
    ...enabled,
    invalidation: { reason, permanent: false, observedAt: 7 }
  })
  const { wallet } = shownSession(enabled)
  it.each([
    ["its wallet is bound anew", kept("wallet-changed"), `service wallet bind ${wallet}`],
    ["its wallet is bound again", { ...enabled, unlinkedAt: 7 }, `service wallet bind ${wallet}`],
    ["what is seen of it is final", kept("reorg"), "wait until"]
  ])("is not to be revoked: %s", (_, stored, next) => {
    const said = sessionText(shownSession(stored))
    assert.include(said, next)
    assert.notInclude(said, "session revoke")
  })

  it("does not, by any wallet, once its guard was told otherwise", () => {
    const invalidation = { reason: "configuration-changed", permanent: true, observedAt: 7 } as const
    assert.include(sessionText(shownSession({ ...enabled, invalidation })), "service session revoke")
  })
})
