import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Call } from "../../src/plans/Plan.ts"
import { checkDraft, type PlanDraft } from "../../src/plans/PlanDraft.ts"

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7"

const call = (over: Partial<Call> = {}): Call => ({
  chainId: 1,
  to: WALLET,
  data: "0x",
  value: "0",
  label: "call",
  dependsOn: [],
  decoded: { contractId: "a:b:C", abiHash: "0x", function: "f()", args: [] },
  ...over
})

const evidence = (chainId: number) => ({
  chainId,
  blockNumber: "1",
  blockHash: `0x${"11".repeat(32)}` as const,
  timestamp: "1",
  source: "onchain" as const
})

const draft = (over: Partial<PlanDraft> = {}): PlanDraft => ({
  operation: "contract_calls",
  account: WALLET,
  summary: {},
  calls: [call()],
  evidence: [evidence(1)],
  warnings: [],
  ...over
})

const verdict = (over: Partial<PlanDraft>, owner = WALLET.toLowerCase()) =>
  Effect.match(checkDraft(draft(over), owner), { onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })

const many = (count: number) => Array.from({ length: count }, () => call())

const cases: ReadonlyArray<readonly [string, Partial<PlanDraft>, string]> = [
  ["one call", {}, "good"],
  ["no call", { calls: [], evidence: [] }, "INVALID_PLAN"],
  ["32 calls", { calls: many(32) }, "good"],
  ["33 calls", { calls: many(33) }, "INVALID_PLAN"],
  ["a call that rests on itself", { calls: [call({ dependsOn: [0] })] }, "INVALID_PLAN_CALL"],
  ["a call that rests on a later one", { calls: [call({ dependsOn: [1] }), call()] }, "INVALID_PLAN_CALL"],
  ["a dependency twice", { calls: [call(), call({ dependsOn: [0, 0] })] }, "INVALID_PLAN_CALL"],
  [
    "a call that rests on all before it",
    { calls: [call(), call({ dependsOn: [0] }), call({ dependsOn: [1, 0] })] },
    "good"
  ],
  ["calldata at its bound", { calls: [call({ data: `0x${"00".repeat(131_072)}` })] }, "good"],
  ["calldata above it", { calls: [call({ data: `0x${"00".repeat(131_073)}` })] }, "INVALID_PLAN_CALL"],
  ["a label at its bound", { calls: [call({ label: "x".repeat(160) })] }, "good"],
  ["a label above it", { calls: [call({ label: "x".repeat(161) })] }, "INVALID_PLAN_CALL"],
  ["64 warnings", { warnings: Array.from({ length: 64 }, () => "w") }, "good"],
  ["65 warnings", { warnings: Array.from({ length: 65 }, () => "w") }, "INVALID_PLAN"],
  ["a warning at its bound", { warnings: ["w".repeat(4_000)] }, "good"],
  ["a warning above it", { warnings: ["w", "w".repeat(4_001)] }, "INVALID_PLAN"],
  ["a chain without evidence", { evidence: [] }, "INVALID_PLAN_EVIDENCE"],
  ["evidence of another chain", { evidence: [evidence(2)] }, "INVALID_PLAN_EVIDENCE"],
  ["evidence twice", { evidence: [evidence(1), evidence(1)] }, "INVALID_PLAN_EVIDENCE"],
  ["two chains", { calls: [call(), call({ chainId: 10 })], evidence: [evidence(10), evidence(1)] }, "good"],
  [
    "a chain counted twice for two",
    { calls: [call(), call({ chainId: 10 })], evidence: [evidence(1), evidence(1)] },
    "INVALID_PLAN_EVIDENCE"
  ],
  ["a label cut in two", { calls: [call({ label: "Tip \ud83d" })] }, "INVALID_PLAN"],
  ["a label of whole characters", { calls: [call({ label: "Tip 😀, \\ud83d spelt out" })] }, "good"],
  ["less than no value", { calls: [call({ value: "-1" })] }, "INVALID_PLAN"],
  ["more value than a word holds", { calls: [call({ value: String(2n ** 256n) })] }, "INVALID_PLAN"],
  ["a call that rests on none", { calls: [call(), call({ dependsOn: [-1] })] }, "INVALID_PLAN"],
  ["a call that rests on half a one", { calls: [call(), call({ dependsOn: [0.5] })] }, "INVALID_PLAN"],
  ["a project that none is", { project: { chainId: 1, projectId: "0", version: 6 } }, "INVALID_PLAN"],
  ["a project", { project: { chainId: 1, projectId: "1", version: 6 } }, "good"],
  [
    "more than a mebibyte",
    { calls: Array.from({ length: 5 }, () => call({ data: `0x${"00".repeat(131_072)}` })) },
    "PLAN_TOO_LARGE"
  ]
]

it.effect.each(cases)("a draft with %s", ([, over, expected]) =>
  Effect.map(verdict(over), found => assert.strictEqual(found, expected))
)

it.effect("a draft for another wallet", () =>
  Effect.map(verdict({}, `0x${"1".repeat(40)}`), found => assert.strictEqual(found, "PLAN_ACCOUNT_MISMATCH"))
)
