import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { isPassed, next, type Observation } from "../../src/plans/Observation.ts"
import type { Call, Plan, Semantic, StoredReceipt } from "../../src/plans/Plan.ts"
import { planStatus } from "../../src/plans/PlanStatus.ts"
import { blockersOf, EMPTY_FACTS, isSatisfied, publicStep, type StepFacts } from "../../src/plans/Step.ts"

const HASH = `0x${"11".repeat(32)}` as const
const NOW = 1_000_000

const binding: NonNullable<StepFacts["binding"]> = {
  transport: "signed-eoa-transaction",
  bindingId: "00000000-0000-4000-8000-000000000000",
  hash: HASH,
  transaction: {
    hash: HASH,
    sender: "0x0000000000000000000000000000000000000001",
    chainId: 1,
    nonce: "0",
    type: "eip1559",
    gas: "1",
    maximumFeePerGas: "1",
    maximumCost: "1",
    costScope: ""
  }
}

const receiptOf = (over: Partial<StoredReceipt>): StoredReceipt => ({
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: "5",
  status: "success",
  confirmations: 1,
  finality: "latest",
  canonical: true,
  observedAt: 1,
  logs: [],
  logCount: 0,
  logsHash: HASH,
  logsStored: false,
  ...over
})

/** What a step has come to, in a few words; written apart from the service. */
interface Model {
  readonly word: "waiting" | "seen" | "unknown" | "confirming" | "confirmed" | "reverted" | "reorged"
  readonly receipt: "none" | "good" | "lost"
  readonly final: boolean
  /** How deep the receipt was last seen. */
  readonly depth: number
  readonly semantic: string | undefined
}

const start: Model = { word: "waiting", receipt: "none", final: false, depth: 0, semantic: undefined }

const minedModel = ({ receipt, required, semantic }: Extract<Observation, { _tag: "Mined" }>): Model => {
  const base = {
    receipt: "good",
    final: receipt.finality === "finalized",
    depth: receipt.confirmations
  } as const
  if (receipt.confirmations < required) return { ...base, word: "confirming", semantic: undefined }
  if (receipt.status === "reverted") return { ...base, word: "reverted", semantic: "failed" }
  return { ...base, word: "confirmed", semantic: semantic?.status ?? "unknown" }
}

/** What is final and done stays, however little of it a node that is behind shows. */
const isTakenBack = ({ word, final, depth }: Model, { confirmations }: StoredReceipt) =>
  final && ["confirmed", "reverted"].includes(word) && confirmations < depth

/** That another transaction has the nonce is forgotten where the chain shows it otherwise. */
const openAgain = ({ semantic }: Model) => (semantic?.startsWith("WALLET_") ? undefined : semantic)

const replacedModel = (model: Model, isBelieved: boolean): Model => {
  const consumed = "WALLET_NONCE_CONSUMED"
  const semantic = isBelieved || model.semantic === consumed ? consumed : "WALLET_NONCE_PASSED"
  const isLost = model.receipt !== "none"
  return { ...model, semantic, ...(isLost ? { word: "reorged", receipt: "lost" } : { word: "unknown" }) }
}

const follow = (model: Model, observation: Observation): Model => {
  if (observation._tag === "Unserved") return model
  switch (observation._tag) {
    case "Unreadable":
      return model.final ? model : { ...model, word: "unknown" }
    case "NoReceipt":
      return observation.known ? { ...model, word: "seen", semantic: openAgain(model) } : model
    case "Forgotten":
      return { ...model, word: "unknown", semantic: openAgain(model) }
    case "Replaced":
      return replacedModel(model, observation.isBelieved === true)
    case "Displaced":
      return {
        ...model,
        word: "reorged",
        semantic: undefined,
        receipt: model.receipt === "none" ? "none" : "lost"
      }
    case "Unseen":
      return model.receipt === "none" ? { ...model, word: "waiting", semantic: undefined } : model
    case "Superseded":
      if (model.final) return model
      return {
        ...model,
        word: "unknown",
        semantic: "unknown",
        receipt: model.receipt === "none" ? "none" : "lost"
      }
    case "Mined":
      return isTakenBack(model, observation.receipt) ? model : minedModel(observation)
  }
}

const semantics = fc.option(
  fc
    .constantFrom<Semantic["status"]>("verified", "unmodeled", "unknown", "failed")
    .map(status => ({ status })),
  { nil: undefined }
)

const observations: fc.Arbitrary<Observation> = fc.oneof(
  fc.constantFrom({ _tag: "Unreadable" } as const, { _tag: "Unserved" } as const),
  fc.record({ _tag: fc.constant("NoReceipt" as const), known: fc.boolean() }),
  fc.constant({ _tag: "Forgotten" } as const),
  fc.record({ _tag: fc.constant("Replaced" as const), isBelieved: fc.boolean() }),
  fc.constant({ _tag: "Displaced" } as const),
  fc.constant({ _tag: "Unseen" } as const),
  fc.constant({ _tag: "Superseded", reason: "EXECUTION_NOT_OURS", isFinal: true } as const),
  fc.record({
    _tag: fc.constant("Mined" as const),
    required: fc.integer({ min: 1, max: 4 }),
    semantic: semantics,
    receipt: fc
      .record({
        confirmations: fc.integer({ min: 0, max: 6 }),
        status: fc.constantFrom("success" as const, "reverted" as const),
        finality: fc.constantFrom(
          "latest" as const,
          "safe" as const,
          "finalized" as const,
          "unknown" as const
        )
      })
      .map(receiptOf)
  })
)

const wordOf = ({ observed }: StepFacts): Model["word"] =>
  observed === undefined ? "waiting" : observed === "submitted" ? "seen" : observed

const modelOf = (facts: StepFacts): Model => ({
  word: wordOf(facts),
  receipt: facts.receipt === undefined ? "none" : facts.receipt.canonical ? "good" : "lost",
  final: facts.receipt?.finality === "finalized",
  depth: facts.receipt?.confirmations ?? 0,
  semantic: isPassed(facts) ? facts.semantic?.reason : facts.semantic?.status
})

const RUNS = { numRuns: 2_000 }
const admitted: StepFacts = { ...EMPTY_FACTS, binding }

describe("an admitted step", () => {
  it("moves as the reference does, whatever is observed", () => {
    fc.assert(
      fc.property(fc.array(observations, { maxLength: 12 }), seen => {
        let facts = admitted
        let model = start
        for (const observation of seen) {
          facts = next(facts, observation)
          model = follow(model, observation)
          assert.deepStrictEqual(modelOf(facts), model)
        }
      }),
      RUNS
    )
  })

  it("keeps its binding, never loses a receipt, and is satisfied by one thing alone", () => {
    fc.assert(
      fc.property(fc.array(observations, { maxLength: 12 }), seen => {
        let facts = admitted
        for (const observation of seen) {
          const before = facts
          facts = next(before, observation)
          assert.strictEqual(facts.binding, binding)
          if (before.receipt !== undefined) assert.isDefined(facts.receipt)
          if (isSatisfied(facts) && !isSatisfied(before)) {
            assert.strictEqual(observation._tag, "Mined")
            assert.strictEqual(facts.receipt?.status, "success")
          }
          assert.deepStrictEqual(next(facts, observation), facts)
        }
      }),
      RUNS
    )
  })
})

describe("a step that was not admitted", () => {
  it("moves by nothing", () => {
    fc.assert(
      fc.property(observations, observation =>
        assert.strictEqual(next(EMPTY_FACTS, observation), EMPTY_FACTS)
      )
    )
  })
})

const callTo = (dependsOn: ReadonlyArray<number>): Call => ({
  chainId: 1,
  to: "0x0000000000000000000000000000000000000001",
  data: "0x",
  value: "0",
  label: "",
  dependsOn,
  decoded: { contractId: "", abiHash: "", function: "", args: [] }
})

const plans = fc
  .array(fc.tuple(fc.boolean(), fc.array(observations, { maxLength: 5 }), fc.nat()), {
    minLength: 1,
    maxLength: 6
  })
  .map(rows => ({
    calls: rows.map(([, , seed], index) => callTo([...Array(index).keys()].filter(bit => (seed >> bit) & 1))),
    facts: rows.map(([isAdmitted, seen]) => (isAdmitted ? seen.reduce(next, admitted) : EMPTY_FACTS))
  }))

/** The rules of the status, each said by itself. */
const statusRules = (facts: ReadonlyArray<StepFacts>, expired: boolean): Plan["status"] => {
  const rules: ReadonlyArray<readonly [Plan["status"], boolean]> = [
    ["transactions_confirmed", facts.every(isSatisfied)],
    ["blocked", facts.some(step => step.observed === "reverted" || step.semantic?.status === "failed")],
    ["reorged", facts.some(step => step.observed === "reorged")],
    ["partial", facts.some(isSatisfied)],
    ["pending", facts.some(step => step.binding !== undefined)],
    ["expired", expired]
  ]
  return rules.find(([, holds]) => holds)?.[0] ?? "prepared"
}

/** By the definition: what a path of satisfied steps leads to and is not satisfied itself. */
const nearestUnsatisfied = (
  step: number,
  calls: ReadonlyArray<Call>,
  facts: ReadonlyArray<StepFacts>
): ReadonlySet<number> =>
  new Set(
    (calls[step]?.dependsOn ?? []).flatMap(dependency =>
      isSatisfied(facts[dependency] ?? EMPTY_FACTS)
        ? [...nearestUnsatisfied(dependency, calls, facts)]
        : [dependency]
    )
  )

describe("a plan", () => {
  it("has the first status that fits, and blocks exactly what rests on the unsatisfied", () => {
    fc.assert(
      fc.property(plans, fc.boolean(), ({ calls, facts }, expired) => {
        const steps = calls.map((_, index) => publicStep(index, calls, facts, NOW))
        const expiresAt = expired ? NOW : NOW + 1
        assert.strictEqual(planStatus(steps, facts, expiresAt, NOW), statusRules(facts, expired))
        for (const [index, call] of calls.entries()) {
          const blockers = nearestUnsatisfied(index, calls, facts)
          assert.deepStrictEqual(new Set(blockersOf(call, calls, facts)), blockers)
          if (facts[index]?.binding === undefined)
            assert.strictEqual(steps[index]?.state, blockers.size === 0 ? "ready" : "blocked")
        }
      }),
      RUNS
    )
  })
})

describe("a dispatch", () => {
  const leased = (over: Partial<NonNullable<StepFacts["lease"]>>): StepFacts => ({
    ...admitted,
    lease: {
      hash: HASH,
      count: 1,
      reservedAt: 1,
      expiresAt: NOW + 1,
      outcome: null,
      broadcastAt: null,
      ...over
    }
  })
  const shown = (facts: StepFacts) => {
    const { state, dispatch } = publicStep(0, [callTo([])], [facts], NOW)
    return [state, dispatch?.status]
  }

  it("is in flight while its lease lives, then unknown, and what was settled afterwards", () => {
    assert.deepStrictEqual(shown(leased({})), ["reserved", "in-flight"])
    assert.deepStrictEqual(shown(leased({ expiresAt: NOW })), ["unknown", "unknown"])
    assert.deepStrictEqual(shown(leased({ outcome: "submitted", expiresAt: 0 })), ["submitted", "submitted"])
    assert.deepStrictEqual(shown(leased({ outcome: "already-observed" })), ["submitted", "already-observed"])
    assert.deepStrictEqual(shown(leased({ outcome: "unknown" })), ["unknown", "unknown"])
  })
})
