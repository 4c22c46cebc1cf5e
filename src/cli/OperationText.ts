/** A wallet's operation as a person reads it. */

import { ownersPart } from "../client/OwnerSigning.ts"
import type { Plan } from "../plans/Plan.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { operationRows } from "../review/OperationRows.ts"
import { actionRequest } from "../review/OwnerRequest.ts"
import { exact, row, words } from "../review/Words.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { rowsText } from "./PlanText.ts"
import { indented } from "./Table.ts"

/** What its owners sign, computed anew from its parts. */
export const requestOf = (record: PublicUserOperation, { calls }: Pick<Plan, "calls">) => {
  const { operation, chainId, entryPoint, stepIndexes } = record
  const { validAfter, validUntil, typedData } = ownersPart(record)
  const adapter = typedData.domain.verifyingContract
  const adapted = { operation, chainId, entryPoint, validAfter, validUntil, adapter }
  return actionRequest(
    adapted,
    stepIndexes.flatMap(index => calls[index] ?? [])
  )
}

const NEXT: Readonly<Record<PublicUserOperation["nextAction"]["kind"], string>> = {
  sign: "have it signed",
  wait: "wait",
  "prepare-again": "prepare another for what is left",
  none: "nothing"
}

/** Where it stands, and what brings it on. */
export const operationText = (record: PublicUserOperation): string => {
  const { id, state, operationHash, observation = {}, nextAction } = record
  const { transactionHash, actualGasCost, semantic, reason } = observation
  const { kind, reason: why } = nextAction
  return [
    `operation ${id}: ${state}`,
    indented(
      rowsText([
        row("hash", exact(operationHash)),
        ...(transactionHash === undefined ? [] : [row("transaction", exact(transactionHash))]),
        ...(actualGasCost === undefined ? [] : [row("cost", ...nativeAmount(actualGasCost))]),
        ...(semantic === undefined ? [] : [row("effects", exact(semantic.status))]),
        ...(reason === undefined ? [] : [row("doubt", exact(reason))]),
        row("next", words(why === undefined ? NEXT[kind] : `${NEXT[kind]}: ${why}`))
      ])
    )
  ].join("\n")
}

/** What is about to be signed. */
export const toSignText = (record: PublicUserOperation, plan: Plan, now: number): string => {
  const { adapted } = requestOf(record, plan)
  const { owners, threshold } = ownersPart(record)
  return `operation ${record.id} for step ${record.stepIndexes.join(", ")}\n${indented(
    rowsText([...operationRows(adapted, now), row("signs", words(`${threshold} of ${owners.length} owners`))])
  )}`
}
