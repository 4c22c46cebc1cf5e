/** A plan as a person reads it before and after signing, and what a wallet's owners are asked to sign. */
import type { Plan, Step } from "../plans/Plan.ts"
import type { AskedReview } from "../review/AskedReview.ts"
import type { CallReview } from "../review/CallReview.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import { stateText, stepRows } from "../review/StepRows.ts"
import { type ReviewRow, sentence } from "../review/Words.ts"
import { facts, indented } from "./Table.ts"

export const rowsText = (rows: ReadonlyArray<ReviewRow>): string =>
  facts(rows.map(({ name, value }) => [name, sentence(value)] as const))

const argumentText = ({ name, type, value, rows = [] }: ReviewRow): string =>
  [
    `${name} (${type ?? ""}): ${sentence(value)}`.trimEnd(),
    ...rows.map(inner => indented(argumentText(inner)))
  ].join("\n")

export const stepText = (step: Step): string => {
  const rows = stepRows(step)
  return rows.length === 0 ? stateText(step) : `${stateText(step)}\n${indented(rowsText(rows))}`
}

/** `kind` says what the call is counted among. */
const callText = (kind: "step" | "call", call: CallReview, step?: Step): string =>
  [
    `${kind} ${call.index}  ${call.title} on ${call.chain}`,
    indented(sentence(call.sentence)),
    indented(rowsText(call.rows)),
    ...(call.arguments.length === 0
      ? []
      : [indented(`arguments\n${indented(call.arguments.map(argumentText).join("\n"))}`)]),
    ...(step === undefined ? [] : [indented(`state  ${stepText(step)}`)])
  ].join("\n")

const dangerText = (what: string, dangers: ReadonlyArray<string>): string =>
  [`DANGER: sign nothing of ${what}.`, ...dangers.map(danger => `  ${danger}`)].join("\n")

const section = (title: string, rows: ReadonlyArray<ReviewRow>): ReadonlyArray<string> =>
  rows.length === 0 ? [] : [`${title}\n${indented(rowsText(rows))}`]

const isWarning = ({ tone }: ReviewRow): boolean => tone === "warning"

/** `changes` are those of the wallet's balances. */
export const planText = (plan: Plan, review: PlanReview, changes: ReadonlyArray<ReviewRow>): string =>
  [
    ...(review.dangers.length > 0 ? [dangerText("this plan", review.dangers)] : [sentence(review.sentence)]),
    ...section("changes in your balances, before gas", changes),
    ...section("beware", review.state.filter(isWarning)),
    ...review.calls.map(call => callText("step", call, plan.steps[call.index])),
    rowsText([...review.state.filter(row => !isWarning(row)), ...review.rows])
  ].join("\n\n")

/** What an owner of a wallet is asked to sign; `hashes` are those that a hardware wallet shows. */
export const askedText = (review: AskedReview, hashes: ReadonlyArray<ReviewRow>): string => {
  const { sentence: said, means, calls, rows, whole, dangers } = review
  return [
    dangers.length > 0 ? dangerText("it", dangers) : `${sentence(said)}\n${means}`,
    ...calls.map(call => callText("call", call)),
    rowsText([...rows, ...whole, ...hashes])
  ].join("\n\n")
}
