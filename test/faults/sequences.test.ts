import fc from "fast-check"
import type { Hex } from "viem"
import { afterAll, assert, beforeAll, it } from "vitest"
import type { Plan, StoredReceipt } from "../../src/plans/Plan.ts"
import { problemIn } from "../support/Problem.ts"
import {
  callOf,
  hashOf,
  mine,
  newPayer,
  payment,
  pendingNonce,
  planned,
  type RelayBench,
  refreshed,
  rpc,
  signCall,
  startRelayBench,
  stepOf,
  submit
} from "../support/RelayBench.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const RUNS = Number(process.env.SEQUENCES ?? 30)
const CONFIRMATIONS = 2

let bench: RelayBench

beforeAll(async () => {
  bench = await startRelayBench()
  await rpc(bench.chain.url, "evm_setAutomine", [false])
})

afterAll(() => bench.stop())

type Command =
  | { readonly do: "plan"; readonly dependencies: ReadonlyArray<boolean> }
  | {
      readonly do: "submit"
      readonly plan: number
      readonly step: number
      readonly bytes: "first" | "rival" | "fresh"
    }
  | { readonly do: "fault"; readonly fault: "drop" | "lost" | "reset" }
  | { readonly do: "expire" }
  | { readonly do: "mine"; readonly blocks: number }
  | { readonly do: "reorg"; readonly depth: number }
  | { readonly do: "refresh"; readonly plan: number }

const small = fc.nat({ max: 2 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      dependencies: fc.array(fc.boolean(), { maxLength: 2 })
    })
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      plan: small,
      step: small,
      bytes: fc.constantFrom("first" as const, "first" as const, "rival" as const, "fresh" as const)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      fault: fc.constantFrom("drop" as const, "lost" as const, "reset" as const)
    })
  },
  { weight: 2, arbitrary: fc.constant({ do: "expire" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 3 }) })
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("reorg" as const), depth: fc.integer({ min: 1, max: 4 }) })
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("refresh" as const), plan: small }) }
)

interface ModelStep {
  readonly plan: Plan
  readonly index: number
  readonly tried: Array<{ readonly raw: Hex; readonly nonce: number }>
  bound: { readonly raw: Hex; readonly nonce: number } | undefined
  /** As a refresh last showed it. */
  receipt: StoredReceipt | undefined
}

interface Model {
  readonly owner: Party
  readonly plans: Array<ReadonlyArray<ModelStep>>
  mined: number
}

const call = (method: string, parameters: ReadonlyArray<unknown> = []) =>
  rpc(bench.chain.url, method, parameters)

const depthOf = async (raw: Hex): Promise<number> => {
  const receipt = await call("eth_getTransactionReceipt", [hashOf(raw)])
  return receipt === null ? 0 : Number(await call("eth_blockNumber")) - Number(receipt.blockNumber) + 1
}

const isSatisfied = async ({ bound }: ModelStep) =>
  bound !== undefined && (await depthOf(bound.raw)) >= CONFIRMATIONS

const REFUSALS = [
  "STEP_ALREADY_BOUND",
  "NONCE_RESERVED",
  "NONCE_NOT_READY",
  "DEPENDENCIES_UNCONFIRMED",
  "PLAN_EVIDENCE_REORGED",
  "STEP_STATE_UNCERTAIN"
]

const bytesFor = async (model: Model, step: ModelStep, which: "first" | "rival" | "fresh") => {
  const known = which === "rival" ? step.tried[1] : step.tried[0]
  if (known !== undefined && which !== "fresh") return known
  const nonce = await pendingNonce(bench, model.owner.key.address)
  const gas = 1_000_000n + BigInt(step.tried.length)
  const made = {
    raw: await signCall(bench, model.owner, callOf(step.plan, step.index), { nonce, gas }),
    nonce
  }
  step.tried.push(made)
  return made
}

const holderOf = ({ plans }: Model, nonce: number) => plans.flat().find(({ bound }) => bound?.nonce === nonce)

const submitOne = async (model: Model, step: ModelStep, which: "first" | "rival" | "fresh") => {
  const bytes = await bytesFor(model, step, which)
  const isKnown = (await call("eth_getTransactionByHash", [hashOf(bytes.raw)])) !== null
  const siblings = model.plans.find(steps => steps.includes(step)) ?? []
  const needed = callOf(step.plan, step.index).dependsOn.flatMap(index => siblings[index] ?? [])
  const free = (await Promise.all(needed.map(isSatisfied))).every(Boolean)
  const wasBound = step.bound
  const holder = holderOf(model, bytes.nonce)
  const request = { rawSignedTransaction: bytes.raw }
  const answer = await submit(bench.service, model.owner, step.plan, request, { step: step.index })
  if (!answer.ok) {
    const { code } = await problemIn(answer)
    assert.include(REFUSALS, code)
    if (wasBound !== undefined && wasBound.raw !== bytes.raw) assert.strictEqual(code, "STEP_ALREADY_BOUND")
    return
  }
  assert.isTrue(wasBound === undefined || wasBound.raw === bytes.raw, "bound to two transactions")
  assert.isTrue(holder === undefined || holder === step, "a nonce for two steps")
  assert.isTrue(free || isKnown || wasBound !== undefined, "sent before what it rests on")
  step.bound = bytes
}

const wordFor = async ({ bound, receipt }: ModelStep, before: string): Promise<string> => {
  if (bound === undefined) return before
  const depth = await depthOf(bound.raw)
  if (depth > 0) return depth < CONFIRMATIONS ? "confirming" : "confirmed"
  if (receipt !== undefined)
    return Number(await call("eth_blockNumber")) < Number(receipt.blockNumber) ? "unknown" : "reorged"
  return (await call("eth_getTransactionByHash", [hashOf(bound.raw)])) === null ? before : "submitted"
}

const refreshOne = async ({ owner }: Model, steps: ReadonlyArray<ModelStep>) => {
  const [first] = steps
  if (first === undefined) return
  const plan = await refreshed(bench.service, owner, first.plan)
  for (const step of steps) {
    const seen = stepOf(plan, step.index)
    assert.strictEqual(seen.transaction?.hash, step.bound === undefined ? undefined : hashOf(step.bound.raw))
    assert.strictEqual(seen.state, await wordFor(step, seen.state))
    if (step.receipt !== undefined) assert.isDefined(seen.receipt)
    step.receipt = seen.receipt
  }
  const satisfied = await Promise.all(steps.map(isSatisfied))
  assert.strictEqual(plan.status === "transactions_confirmed", satisfied.every(Boolean))
  for (const step of steps)
    if (step.bound === undefined)
      assert.deepStrictEqual(
        stepOf(plan, step.index).blockedBy,
        callOf(plan, step.index).dependsOn.filter(index => !satisfied[index])
      )
}

const prepare = async (model: Model, dependencies: ReadonlyArray<boolean>) => {
  const { owner, plans } = model
  const value = (index: number) => String(1 + plans.length * 10 + index)
  const calls = [false, ...dependencies].map((depends, index) =>
    payment(bench, owner.key.address, { value: value(index), dependsOn: depends ? [index - 1] : [] })
  )
  const priced = calls.map((one, index) => ({
    ...one,
    args: ["2", "0x000000000000000000000000000000000000EEEe", value(index), owner.key.address, "0", "", "0x"]
  }))
  const plan = await planned(bench, owner, { calls: priced })
  plans.push(plan.calls.map((_, index) => ({ plan, index, tried: [], bound: undefined, receipt: undefined })))
}

const SEND = "eth_sendRawTransaction"
const breakSend = {
  drop: { method: SEND, phase: "before", act: { kind: "drop" } },
  lost: { method: SEND, phase: "after", act: { kind: "reset" } },
  reset: { method: SEND, phase: "before", act: { kind: "reset" } }
} as const

const run = async (model: Model, step: Command): Promise<void> => {
  const { plans } = model
  switch (step.do) {
    case "plan":
      return prepare(model, step.dependencies)
    case "submit": {
      const target = plans[step.plan]?.[step.step]
      return target === undefined ? undefined : submitOne(model, target, step.bytes)
    }
    case "fault":
      bench.proxy.clearFaults()
      return bench.proxy.fault(breakSend[step.fault])
    case "expire":
      await sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = 0")
      return
    case "mine":
      model.mined += step.blocks
      return mine(bench, step.blocks)
    case "reorg": {
      const depth = Math.min(step.depth, model.mined)
      if (depth > 0) await call("anvil_reorg", [depth, []])
      return
    }
    case "refresh":
      return refreshOne(model, plans[step.plan] ?? [])
  }
}

/** Only bound bytes ever left, and never more often than they were claimed. */
const checkSent = async ({ plans }: Model, begun: number) => {
  const leases = await sqlOn(bench.service.databaseUrl, "SELECT hash, count FROM dispatch_leases")
  const claimed = new Map(leases.map(({ hash, count }) => [hash, Number(count)]))
  const bound = new Set(
    plans.flat().flatMap(step => (step.bound === undefined ? [] : [step.bound.raw.toString()]))
  )
  const sent = bench.proxy.sent().slice(begun)
  for (const { raw } of sent) {
    assert.isTrue(bound.has(raw.bytes), "bytes left without a binding")
    const times = sent.filter(other => other.raw.hash === raw.hash).length
    assert.isAtMost(times, claimed.get(raw.hash) ?? 0)
  }
}

it("any sequence of submissions, faults, blocks and reorganisations keeps every promise", {
  timeout: 600_000
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async commands => {
      const model: Model = { owner: await newPayer(bench), plans: [], mined: 0 }
      const begun = bench.proxy.sent().length
      bench.proxy.clearFaults()
      await mine(bench, 1)
      await prepare(model, [true])
      for (const step of commands) await run(model, step)
      await checkSent(model, begun)
    }),
    { numRuns: RUNS }
  )
})
