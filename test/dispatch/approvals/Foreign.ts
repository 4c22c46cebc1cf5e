/** Approvals of something else: another step, another time, or shown as what they were not signed for. */
import type { Approved } from "../../support/StepApproval.ts"
import { every, flipHex, type Ground, MISMATCH, type Mutant, SHAPE, SIGNATURE, signedBy } from "./Ground.ts"

const bot = (id: string) => `bot:${id}`

/** Values of the right shape for each bound member that name something else. */
const elsewhere = ({ approved }: Ground): ReadonlyArray<Partial<Approved>> => {
  const { accountId, principalId, planId, commitment, transactionHash } = approved
  const spoilt = (text: string) => [
    `${text} `,
    ` ${text}`,
    `${text}\u0000`,
    text.toUpperCase(),
    text.slice(0, -1),
    text.replace("a", "\u0430").replace(":", "\uff1a"),
    ""
  ]
  const others = (text: string, more: ReadonlyArray<string>) =>
    [...new Set([...spoilt(text), ...more])].filter(other => other !== text)
  return [
    ...others(accountId, [accountId.replace("31337", "1"), `eip155:31337:0x${"1".repeat(40)}`]).map(
      other => ({ accountId: other })
    ),
    ...others(principalId, [
      `owner:${accountId}`,
      principalId.slice("bot:".length),
      bot("00000000-0000-4000-8000-000000000000"),
      bot("*"),
      "bot:"
    ]).map(other => ({ principalId: other })),
    ...others(planId, [
      "00000000-0000-4000-8000-000000000000",
      `{${planId}}`,
      planId.replaceAll("-", "")
    ]).map(other => ({ planId: other })),
    ...every(256, 60).map(bit => ({ commitment: flipHex(commitment, bit) })),
    ...every(256, 60).map(bit => ({ transactionHash: flipHex(transactionHash, bit) })),
    { commitment: transactionHash },
    { transactionHash: commitment },
    ...[1, 2, 31, 32, 255, 65_536, 2 ** 31, 2 ** 32 - 1].map(stepIndex => ({ stepIndex }))
  ]
}

const named = (over: object) => JSON.stringify(over).slice(0, 100)

/** The owner did sign it, and it is for something else. */
const misplaced = (ground: Ground) =>
  elsewhere(ground).map(async over => ({
    name: `signed and shown ${named(over)}`,
    code: MISMATCH,
    given: await signedBy(ground.owner, ground, over)
  }))

/** The owner signed something else, and it is shown as if for this. */
const relabelled = (ground: Ground) =>
  [
    ...elsewhere(ground),
    ...every(256, 32).map(bit => ({ nonce: flipHex(ground.approved.nonce, bit) })),
    ...[-10, -1, 1, 10].flatMap(by => [
      { issuedAt: ground.approved.issuedAt + by },
      { expiresAt: ground.approved.expiresAt + by }
    ])
  ].map(async over => {
    const { signature } = await signedBy(ground.owner, ground, over)
    return { name: `signed ${named(over)}`, code: SIGNATURE, given: { ...ground.approved, signature } }
  })

const windows = (ground: Ground) => {
  const { issuedAt } = ground.approved
  const made: ReadonlyArray<readonly [string, number, number]> = [
    [SHAPE, issuedAt, issuedAt + 301],
    [SHAPE, issuedAt - 1, issuedAt + 300],
    [SHAPE, issuedAt, issuedAt],
    [SHAPE, issuedAt + 1, issuedAt],
    [SHAPE, 0, issuedAt + 100],
    [SHAPE, issuedAt, 2 ** 53 - 1],
    ["OWNER_APPROVAL_EXPIRED", issuedAt - 300, issuedAt],
    ["OWNER_APPROVAL_EXPIRED", issuedAt - 400, issuedAt - 100],
    ["OWNER_APPROVAL_EXPIRED", issuedAt + 3600, issuedAt + 3900],
    ["OWNER_APPROVAL_EXPIRED", 0, 300],
    ["OWNER_APPROVAL_EXPIRED", issuedAt * 1000, issuedAt * 1000 + 300]
  ]
  return made.map(async ([code, from, to]) => ({
    name: `the window ${from - issuedAt} to ${to - issuedAt}`,
    code,
    given: await signedBy(ground.owner, ground, { issuedAt: from, expiresAt: to })
  }))
}

/** Changed after the owner signed. */
const altered = (ground: Ground) =>
  elsewhere(ground).map(async over => ({
    name: `altered ${named(over)}`,
    code: MISMATCH,
    given: { ...(await signedBy(ground.owner, ground)), ...over }
  }))

export const foreignMutants = (ground: Ground): Promise<ReadonlyArray<Mutant>> =>
  Promise.all([...misplaced(ground), ...relabelled(ground), ...altered(ground), ...windows(ground)])
