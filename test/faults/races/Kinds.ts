/** The races: what several requests at once may come to, and what of it is a broken promise. */
import type { Hex } from "viem"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Signer } from "../../support/FastSign.ts"
import type { Chance } from "../crash/Chance.ts"
import { type Arena, CHAIN, signerOf } from "./Arena.ts"
import type { Answer } from "./Asking.ts"
import { approvalBy, hashOf, newKey, ready, registration, transactionFor } from "./Signed.ts"

const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const ME = "/api/v1/accounts/me"

export interface LateCheck {
  /** Once all that happened is final. */
  readonly look: () => Promise<unknown>
  /** Once that look is, too; gives what is broken. */
  readonly end: () => Promise<ReadonlyArray<string>>
}

export interface Race {
  readonly arena: Arena
  readonly chance: Chance
  /** Nobody else acts for it meanwhile. */
  readonly owner: Signer
  /** What a client was told is admitted: the hash and its step. */
  readonly told: (hash: Hex, plan: string, step: number) => void
  /** What is to be held against the chain once the time of all operations is over. */
  readonly later: (check: LateCheck) => void
}

export type Kind = (race: Race) => Promise<ReadonlyArray<string>>

const tally = (answers: ReadonlyArray<Answer>): string =>
  answers.map(({ status, code }) => code ?? String(status)).join(", ")

/** The violation, with what was answered. */
export const unless = (holds: boolean, what: string, answers: ReadonlyArray<Answer>) =>
  holds ? [] : [`${what}: ${tally(answers)}`]

export const isOk = ({ status }: Answer) => status < 300

export const refusedOnlyBy = (answers: ReadonlyArray<Answer>, codes: ReadonlyArray<string>) =>
  answers.every(answer => isOk(answer) || codes.includes(answer.code ?? ""))

const three = <A>(make: (index: number) => A): ReadonlyArray<A> => [0, 1, 2].map(make)

const payment = (value: string, chainId: number) => ({
  chainId,
  contractId: TERMINAL,
  function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
  args: ["1", NATIVE_TOKEN, value, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0", "", "0x"],
  value
})

export const creation = (
  owner: Signer,
  { by = owner, value = "1000", key = newKey(), calls = 1, chainId = CHAIN } = {}
) => {
  const planned = Array.from({ length: calls }, () => payment(value, chainId))
  const body = { operation: "contract_calls", input: { account: owner.key.address, calls: planned } }
  return ready(by, { method: "POST", target: "/api/v1/plans", key, body })
}

const planned = async ({ arena, chance, owner }: Race, options: { by?: Signer; calls?: number } = {}) => {
  const { body, status, code } = await arena.ask(creation(owner, options), chance.below(3))
  const { id, calls, commitment } = body
  if (id === undefined || calls === undefined || commitment === undefined)
    throw new Error(`a plan was refused: ${status} ${code}`)
  return { id, calls, commitment }
}

const nextNonce = ({ arena, owner }: Race) => arena.node.nextNonce(owner.key.address)

const signed = (
  race: Race,
  plan: Pick<Plan, "calls">,
  step = 0,
  tip?: bigint,
  nonce = nextNonce(race)
): Hex => {
  const call = plan.calls[step]
  if (call === undefined) throw new Error("the plan has no such call")
  return transactionFor(race.owner, call, nonce, tip)
}

export const submission = (
  by: Signer,
  plan: Pick<Plan, "id">,
  raw: Hex,
  { key = newKey(), step = 0, approval = {} } = {}
) =>
  ready(by, {
    method: "POST",
    target: `/api/v1/plans/${plan.id}/steps/${step}/submissions`,
    key,
    body: { rawSignedTransaction: raw, ...approval }
  })

const timesSent = ({ arena }: Race, raws: ReadonlyArray<Hex>): number =>
  raws.reduce((sum, raw) => sum + (arena.node.arrived.get(hashOf(raw))?.times ?? 0), 0)

/** What the answers say of the step, against what was submitted with them. */
const noteTold = (
  { told }: Race,
  answers: ReadonlyArray<Answer>,
  plan: Pick<Plan, "id">,
  step: number,
  raws: ReadonlyArray<Hex>
) =>
  answers.flatMap((answer, index) => {
    if (!isOk(answer)) return []
    const raw = raws[index]
    const hash = answer.body.plan?.steps[step]?.transaction?.hash
    if (hash !== undefined) told(hash, plan.id, step)
    return raw !== undefined && hash === hashOf(raw) ? [] : [`${plan.id} was accepted and shows ${hash}`]
  })

/** I6: one signed request, transmitted several times. */
const sameRequest: Kind = async ({ arena, chance, owner }) => {
  const { target, init } = ready(owner, { method: "GET", target: ME })
  const answers = await arena.contest(
    three(() => ({ target, init })),
    chance
  )
  const accepted = answers.filter(isOk).length
  return unless(accepted === 1 && refusedOnlyBy(answers, ["NONCE_REUSED"]), "one request nonce", answers)
}

/** I7: one key, of one request or of two different ones. */
const sameCreationKey: Kind = async ({ arena, chance, owner }) => {
  const key = newKey()
  const isConflict = chance.happens(0.4)
  const answers = await arena.contest(
    three(index => creation(owner, { key, value: isConflict && index === 2 ? "2000" : "1000" })),
    chance
  )
  const plans = new Set(answers.filter(isOk).map(({ body }) => body.id))
  const made = answers.filter(answer => isOk(answer) && !answer.isReplayed).length
  const codes = isConflict ? ["IDEMPOTENCY_CONFLICT"] : []
  return unless(plans.size === 1 && made === 1 && refusedOnlyBy(answers, codes), "one key", answers)
}

const enrolment: Kind = async ({ arena, chance }) => {
  const newcomer = signerOf(`newcomer ${newKey()}`)
  const requests = three(() =>
    ready(newcomer, { method: "POST", target: "/api/v1/accounts/enroll", body: {} })
  )
  const answers = await arena.contest(requests, chance)
  const [row] = await arena.sql<{ rows: number }>("SELECT count(*) AS rows FROM accounts WHERE id = $1", [
    newcomer.accountId
  ])
  return unless(answers.every(isOk) && row?.rows === 1, "one enrolment", answers)
}

/** I1 and I4: the same bytes of one step, under one key or several. */
const sameBytes: Kind = async race => {
  const { arena, chance, owner } = race
  const plan = await planned(race)
  const raw = signed(race, plan)
  const key = chance.happens(0.5) ? newKey() : undefined
  const answers = await arena.contest(
    three(() => submission(owner, plan, raw, key === undefined ? {} : { key })),
    chance
  )
  return [
    ...unless(answers.every(isOk) && timesSent(race, [raw]) === 1, "the same bytes", answers),
    ...noteTold(race, answers, plan, 0, [raw, raw, raw])
  ]
}

const LATE = ["STEP_ALREADY_BOUND", "NONCE_NOT_READY", "NONCE_RESERVED"]

/** I1: one step by several transactions. */
const oneStep: Kind = async race => {
  const { arena, chance, owner } = race
  const plan = await planned(race)
  const raws = three(index => signed(race, plan, 0, BigInt(1_000_000_000 + index)))
  const answers = await arena.contest(
    raws.map(raw => submission(owner, plan, raw)),
    chance
  )
  const won = answers.filter(isOk).length
  return [
    ...unless(won === 1 && timesSent(race, raws) === 1 && refusedOnlyBy(answers, LATE), "one step", answers),
    ...noteTold(race, answers, plan, 0, raws)
  ]
}

/** I2: one wallet nonce by the steps of several plans. */
const oneWalletNonce: Kind = async race => {
  const { arena, chance, owner } = race
  const plans = await Promise.all([planned(race), planned(race)])
  const raws = plans.map((plan, index) => signed(race, plan, 0, BigInt(1_000_000_000 + index)))
  const requests = plans.map((plan, index) => submission(owner, plan, raws[index] ?? "0x"))
  const answers = await arena.contest(requests, chance)
  const won = answers.filter(isOk).length
  const told = plans.flatMap((plan, index) =>
    noteTold(race, answers.slice(index, index + 1), plan, 0, raws.slice(index))
  )
  return [
    ...unless(
      won === 1 && timesSent(race, raws) === 1 && refusedOnlyBy(answers, LATE),
      "one wallet nonce",
      answers
    ),
    ...told
  ]
}

/** I9: either the claim was first, and the transaction leaves, or the revocation was, and it does not. */
const revocation: Kind = async race => {
  const { arena, chance, owner } = race
  const { key } = signerOf(`bot ${newKey()}`)
  const grantId = (await arena.ask(registration(owner, key), chance.below(3))).body.bot?.id ?? ""
  const bot: Signer = { ...owner, key, grantId }
  const plan = await planned(race, { by: bot })
  const raw = signed(race, plan)
  const approval = { ownerApproval: approvalBy(owner, grantId, plan, raw) }
  const answers = await arena.contest(
    [
      submission(bot, plan, raw, { approval }),
      ready(owner, { method: "DELETE", target: `${ME}/bots/${grantId}` }),
      submission(bot, plan, raw, { approval })
    ],
    chance
  )
  const [first, revoked, second] = answers
  const attempts = [first, second].flatMap(answer => answer ?? [])
  const sent = timesSent(race, [raw])
  const isSettled = attempts.some(isOk) ? sent === 1 : sent === 0
  const holds = revoked?.status === 200 && isSettled && refusedOnlyBy(attempts, ["FORBIDDEN"])
  return [
    ...unless(holds, `a revocation, ${sent} sent`, answers),
    ...noteTold(race, attempts, plan, 0, [raw, raw])
  ]
}

/** I1 and I4 once more: a bundle of two steps against its first step by itself. */
const bundle: Kind = async race => {
  const { arena, chance, owner } = race
  const plan = await planned(race, { calls: 2 })
  const nonce = nextNonce(race)
  const raws = [signed(race, plan, 0, undefined, nonce), signed(race, plan, 1, undefined, nonce + 1)]
  const items = raws.map((rawSignedTransaction, stepIndex) => ({ stepIndex, rawSignedTransaction }))
  const whole = (key: string) =>
    ready(owner, {
      method: "POST",
      target: `/api/v1/plans/${plan.id}/submissions`,
      key,
      body: { submissions: items }
    })
  const key = newKey()
  const requests = [
    whole(key),
    submission(owner, plan, raws[0] ?? "0x"),
    whole(chance.happens(0.5) ? key : newKey())
  ]
  const answers = await arena.contest(requests, chance)
  const single = noteTold(race, answers.slice(1, 2), plan, 0, raws)
  const often = raws.filter(raw => timesSent(race, [raw]) > 1)
  return [...unless(answers.every(isOk) && often.length === 0, "a bundle and its step", answers), ...single]
}

/** With how often each is chosen. */
export const KINDS: Readonly<Record<string, { readonly weight: number; readonly run: Kind }>> = {
  sameRequest: { weight: 10, run: sameRequest },
  sameCreationKey: { weight: 5, run: sameCreationKey },
  enrolment: { weight: 4, run: enrolment },
  sameBytes: { weight: 3, run: sameBytes },
  oneStep: { weight: 3, run: oneStep },
  oneWalletNonce: { weight: 3, run: oneWalletNonce },
  revocation: { weight: 2, run: revocation },
  bundle: { weight: 2, run: bundle }
}
