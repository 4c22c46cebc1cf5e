/** A plan as a person reads it before and after signing. */
import type { Plan, Step } from "../plans/Plan.ts"
import type { CallInWords } from "./PlannedCalls.ts"
import { facts, indented, isoMillis, isoSeconds } from "./Table.ts"
import { namedValues, nativeAmount } from "./Values.ts"

/** Who the plan turned out to be committed for; undefined where its terms are not those committed to. */
export type Commitment = string | undefined

const callText = ({ call, contract, method, values, exact }: CallInWords): string => {
  const known = method !== undefined && exact
  const what = known ? `${contract}.${method.name}` : `${contract}: BYTES THAT THE CATALOG DOES NOT EXPLAIN`
  const after = call.dependsOn.length === 0 ? "" : `, after step ${call.dependsOn.join(" and ")}`
  return [
    `${what} on chain ${call.chainId}${after}`,
    indented(
      facts([
        ["to", call.to],
        ["sends", nativeAmount(call.value)],
        ["contract", call.decoded.contractId],
        ["label", call.label]
      ])
    ),
    known
      ? indented(`${method.signature}\n${indented(namedValues(method.inputs, values))}`)
      : indented(`data ${call.data}`)
  ].join("\n")
}

const receiptText = ({ receipt, semantic }: Step): ReadonlyArray<readonly [string, string]> => [
  ...(receipt === undefined
    ? []
    : ([
        [
          "mined",
          `${receipt.status} in block ${receipt.blockNumber}${receipt.canonical ? "" : ", no longer canonical"}`
        ],
        ["confirmations", `${receipt.confirmations}, finality ${receipt.finality}`]
      ] as const)),
  ...(semantic === undefined
    ? []
    : ([
        ["effects", `${semantic.status}${semantic.reason === undefined ? "" : `: ${semantic.reason}`}`]
      ] as const))
]

export const stepText = (step: Step): string => {
  const { state, blockedBy, dispatch, transaction } = step
  const waits = blockedBy.length === 0 ? "" : ` by step ${blockedBy.join(" and ")}`
  const rows = [
    ...(transaction === undefined
      ? []
      : ([
          ["transaction", transaction.hash],
          ["nonce", transaction.nonce],
          ["costs at most", nativeAmount(transaction.maximumCost)]
        ] as const)),
    ...(dispatch === undefined
      ? []
      : ([["dispatch", `${dispatch.status}, sent ${dispatch.count} times`]] as const)),
    ...receiptText(step)
  ]
  return rows.length === 0 ? `${state}${waits}` : `${state}${waits}\n${indented(facts(rows))}`
}

const commitmentText = (plan: Plan, committed: Commitment): string =>
  committed === undefined
    ? `${plan.commitment}: DOES NOT MATCH THIS PLAN; sign nothing`
    : `${plan.commitment}: checked, for ${committed}`

const head = (plan: Plan, committed: Commitment): string =>
  facts([
    ["plan", plan.id],
    ["status", plan.status],
    ["wallet", plan.account],
    ["commitment", commitmentText(plan, committed)],
    ["prepared", isoMillis(plan.createdAt)],
    ["admits until", isoMillis(plan.expiresAt)],
    ...plan.evidence.map(
      ({ chainId, blockNumber, blockHash, timestamp }) =>
        [
          "evidence",
          `chain ${chainId} block ${blockNumber} ${blockHash} of ${isoSeconds(Number(timestamp))}`
        ] as const
    ),
    ...plan.warnings.map(warning => ["warning", warning] as const)
  ])

export const planText = (plan: Plan, calls: ReadonlyArray<CallInWords>, committed: Commitment): string =>
  [
    head(plan, committed),
    ...calls.map((call, index) => {
      const step = plan.steps[index]
      const state = step === undefined ? "" : `\n${indented(`state  ${stepText(step)}`)}`
      return `step ${index}  ${callText(call)}${state}`
    })
  ].join("\n\n")
