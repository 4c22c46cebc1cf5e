/** Whatever changes of a wallet between two steps of an operation's way is named by the next step, which does and keeps nothing. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { manifest, YES } from "../smartaccounts/support/Inspections.ts"
import { askWallets } from "../smartaccounts/support/WalletService.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  askOperation,
  askWalletPlan,
  type BoundTestWallet,
  bindWallet,
  boundWallet,
  envelopeOf,
  newWallet,
  type ShownOperation,
  sendOperation,
  signedChallenge,
  startOperatingBench
} from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"
import { addOwner, LASTING, MODULE, PASSING, type WalletChange } from "./support/WalletChanges.ts"

const bench = await startOperatingBench()
const { service, bundling, chain } = bench
const { prepared, send, sent, show, executed, isUntouched, isNeverSentAgain } = sendingOn(bench)

beforeAll(() => rpc(chain.url, "anvil_setCode", [MODULE, YES]))

afterAll(() => bench.stop())

const STEPS = ["bind", "plan", "prepare", "submit"] as const
type Step = (typeof STEPS)[number]

const stored = async ({ owner, wallet }: Pick<BoundTestWallet, "owner" | "wallet">) => {
  const [row] = await sqlOn(
    service.databaseUrl,
    `SELECT (SELECT count(*) FROM bindings b WHERE b.account = a.number) AS bindings,
      (SELECT count(*) FROM binding_nonces n WHERE n.account = a.number) AS nonces,
      (SELECT count(*) FROM plans p WHERE p.account = a.number) AS plans,
      (SELECT count(*) FROM idempotency_keys k WHERE k.account = a.number) AS keys,
      (SELECT count(*) FROM user_operations o WHERE o.account = a.number) AS operations,
      (SELECT count(*) FROM user_operations o WHERE o.account = a.number AND o.claimed) AS claimed
    FROM accounts a WHERE a.id = $1`,
    [owner.accountId]
  )
  const sent = bundling.records.filter(
    ({ operation }) => String(Object(operation).sender).toLowerCase() === wallet.address.toLowerCase()
  )
  return { ...row, sent: sent.length }
}

/** A wallet on its way, each of whose steps can be asked for again until it is taken. */
const onItsWay = async () => {
  const made = await newWallet(bench)
  const { owner, owners, wallet } = made
  const challenge = await signedChallenge(service, owner, owners, wallet.address, manifest.id)
  let binding = { id: "" }
  let plan: Pick<Plan, "id"> = { id: "" }
  let operation: ShownOperation | undefined
  const signed = () => operation ?? assert.fail("nothing is prepared")
  const ask: Readonly<Record<Step, () => Promise<Response>>> = {
    bind: () => askWallets(service, owner, "bindings", challenge),
    plan: () => askWalletPlan(bench, { ...made, binding }),
    prepare: () => askOperation(service, owner, { planId: plan.id, stepIndexes: [0] }),
    submit: async () => sendOperation(service, owner, signed(), await envelopeOf(signed(), owners))
  }
  const take = async (step: Step) => {
    const answer = await ask[step]()
    const told = await answer.json()
    assert.strictEqual(answer.status, step === "submit" ? 202 : 201, JSON.stringify(told))
    if (step === "bind") binding = told
    if (step === "plan") plan = told
    if (step === "prepare") operation = told
  }
  const takeUntil = async (step: Step) => {
    for (const earlier of STEPS.slice(0, STEPS.indexOf(step))) await take(earlier)
  }
  const look = async () => (await askWallets(service, owner, `bindings/${binding.id}`)).json()
  return { ...made, ask, take, takeUntil, look, signed }
}

type Way = Awaited<ReturnType<typeof onItsWay>>

const refusesAt = async (way: Way, step: Step, { name, code, check, unbound }: WalletChange) => {
  const [expected, named] = step === "bind" && unbound !== undefined ? unbound : [code, check]
  const before = await stored(way)
  const told = await problemIn(await way.ask[step]())
  assert.deepStrictEqual([told.code, told.context?.check], [expected, named], `${name}, ${step}`)
  assert.deepStrictEqual(await stored(way), before, `${name}, ${step}`)
}

const tellsOf = async ({ look }: Way, { name, code, check }: WalletChange) => {
  const { status, changes, failedCheck } = await look()
  assert.strictEqual(status, "changed", name)
  if (code === "SMART_ACCOUNT_CHANGED") assert.deepStrictEqual(changes, [check], name)
  else assert.strictEqual(failedCheck, check ?? "account-code", name)
}

/** The chain is as it was for whoever comes after, whatever is found. */
const whileChanged = async (way: Way, { make, undo }: WalletChange, look: () => Promise<void>) => {
  await make(bench, way)
  try {
    await look()
  } finally {
    await undo?.(bench, way)
  }
}

describe("each step is refused while it lasts, and goes on after:", { timeout: 180_000 }, () => {
  it.each(STEPS)("to %s", async step => {
    const way = await onItsWay()
    await way.takeUntil(step)
    for (const change of PASSING) {
      await whileChanged(way, change, async () => {
        await refusesAt(way, step, change)
        if (step === "plan") await tellsOf(way, change)
      })
      if (step === "plan") assert.strictEqual((await way.look()).status, "linked", change.name)
    }
    for (const next of STEPS.slice(STEPS.indexOf(step))) await way.take(next)
    await executed(way.signed().operation)
    assert.strictEqual((await stored(way)).sent, 1)
  })
})

describe("each step is refused from then on:", () => {
  it.each(LASTING.flatMap(change => STEPS.map(step => [change.name, step, change] as const)))(
    "%s, before it asks to %s",
    async (_, step, change) => {
      const way = await onItsWay()
      await way.takeUntil(step)
      await change.make(bench, way)
      await refusesAt(way, step, change)
      await refusesAt(way, step, change)
      if (step !== "bind") await tellsOf(way, change)
    }
  )
})

describe("a wallet that is bound anew in another state", () => {
  const rebound = async ({ owner, owners, wallet }: Pick<BoundTestWallet, "owner" | "owners" | "wallet">) => {
    await addOwner(bench, { wallet, owners })
    await bindWallet(service, owner, owners, wallet.address)
  }

  it("prepares nothing for a plan of the former", async () => {
    const bound = await boundWallet(bench)
    const plan = await (await askWalletPlan(bench, bound)).json()
    await rebound(bound)
    const before = await stored(bound)
    const body = { planId: plan.id, stepIndexes: [0] }
    const refused = await askOperation(service, bound.owner, body)
    const { context } = await assertProblem(refused, "SMART_ACCOUNT_CHANGED")
    assert.strictEqual(context?.check, "binding")
    assert.deepStrictEqual(await stored(bound), before)
  })

  it("sends nothing that was signed in the former, also once it was looked at", async () => {
    const one = await prepared()
    const { reached, letGo } = holdAnswer(bench, "eth_simulateV1")
    const answer = send(one)
    await reached
    await rebound(one)
    letGo()
    const { context } = await assertProblem(await answer, "SMART_ACCOUNT_CHANGED")
    assert.strictEqual(context?.check, "binding")
    await isUntouched(one)
  })
})

describe("a wallet that changes after it was looked at and before the operation leaves", () => {
  const changedWithin = async ({ make }: Pick<WalletChange, "make">) => {
    const one = await prepared()
    const { reached, letGo } = holdAnswer(bench, "eth_simulateV1")
    const sending = sent(one)
    await reached
    await make(bench, one)
    letGo()
    return { one, told: await sending }
  }

  const changeNamed = (name: string) =>
    PASSING.find(change => change.name === name) ?? assert.fail(`no change ${name}`)

  it("has it leave once, and what its bundler or its chain refuses is neither done nor sent again", async () => {
    const swap = changeNamed("a signer is swapped")
    const { one, told } = await changedWithin(swap)
    assert.strictEqual(told.state, "submission_unknown")
    await swap.undo?.(bench, one)
    await isNeverSentAgain(one)
    assert.strictEqual((await show(one)).state, "submission_unknown")
  })

  it("has it leave once, and what its chain executes all the same is found", async () => {
    const { one, told } = await changedWithin(changeNamed("safe-modules"))
    assert.strictEqual(told.state, "pending")
    await executed(one.operation.operation)
    assert.include(["confirming", "confirmed"], (await show(one)).state)
    await isNeverSentAgain(one)
  })
})
