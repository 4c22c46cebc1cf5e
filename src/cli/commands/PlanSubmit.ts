import type { LocalAccount } from "viem"
import { ServiceProblem } from "../../client/Errors.ts"
import { approveStep } from "../../client/OwnerApproval.ts"
import type { StepSubmission } from "../../client/Plans.ts"
import type { Signer } from "../../client/Signer.ts"
import type { Plan, Step } from "../../plans/Plan.ts"
import { transactionRows, typedDataRows } from "../../review/SigningDigests.ts"
import type { Row } from "../../review/Words.ts"
import type { Command, Outcome, Terminal } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { CliFailure, ExitCode, usageFailure } from "../Failure.ts"
import { sandboxOwner } from "../Identity.ts"
import type { Input } from "../Input.ts"
import { keyOf, readKeyFile } from "../KeyFile.ts"
import { type Pending, type PendingRecord, pendingWork } from "../Pending.ts"
import { refuseAltered } from "../Plans.ts"
import { rowsText, stepText } from "../PlanText.ts"
import { signingFlags, transactionFor } from "../SignTransaction.ts"
import { indented } from "../Table.ts"
import { timeoutFlag, watched } from "./PlanWatch.ts"

/** Says what is about to be signed, with the hashes that a hardware wallet shows. */
type Foretell = (what: string, rows: ReadonlyArray<Row>) => void

interface Signing extends Connection {
  readonly input: Input
  readonly plan: Plan
  readonly step: Step
  readonly foretell: Foretell
}

interface Work extends Signing {
  readonly pending: Pending
}

export const foretelling =
  (terminal: Terminal): Foretell =>
  (what, rows) =>
    terminal.note(`Signing ${what}:\n${indented(rowsText(rows))}`)

const sameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const walletOf = async ({ input, identity, plan }: Signing): Promise<LocalAccount> => {
  const path = input.value("owner-key-file")
  const given = path === undefined ? identity.wallet : keyOf(await readKeyFile(path))
  const wallet = [given, sandboxOwner()].find(
    candidate => candidate !== undefined && sameAddress(candidate.address, plan.account)
  )
  if (wallet !== undefined) return wallet
  throw usageFailure(
    `The key of the planned wallet ${plan.account} is not here.`,
    "Give it with --owner-key-file, or sign the call elsewhere and give --raw as the owner."
  )
}

const signed = async (work: Signing): Promise<string> => {
  const { input, client, plan, step } = work
  const call = plan.calls[step.index]
  if (call === undefined)
    throw usageFailure(`The plan has no call ${step.index}.`, "Look with service plan show.")
  const wallet = await walletOf(work)
  const estimatedGas = async () => BigInt((await client.plans.simulate(plan.id, step.index)).estimatedGas)
  const transaction = await transactionFor(input, wallet.address, call, estimatedGas)
  work.foretell("the transaction", transactionRows(transaction))
  return wallet.signTransaction({ type: "eip1559", ...transaction })
}

/** The wallet, telling what it signs. */
const telling = ({ foretell }: Signing, wallet: LocalAccount): Signer => ({
  address: wallet.address,
  signTypedData: payload => {
    foretell("the owner's approval", typedDataRows(payload))
    return wallet.signTypedData(payload)
  }
})

/** Nothing when the owner submits: the signed request is the approval. */
export const approved = async (work: Signing, rawSignedTransaction: string): Promise<StepSubmission> => {
  const { client, identity, plan, step } = work
  if (identity.grantId === undefined) return { rawSignedTransaction }
  const ownerApproval = await approveStep(telling(work, await walletOf(work)), {
    audience: await client.audience(),
    accountId: client.account,
    grantId: identity.grantId,
    plan,
    stepIndex: step.index,
    rawSignedTransaction,
    issuedAt: client.clock.seconds()
  })
  return { rawSignedTransaction, ownerApproval }
}

/** The very bytes of an unfinished run, or new ones; on disk before they leave. */
const begun = async (work: Work, terminal: Terminal): Promise<PendingRecord> => {
  const before = await work.pending.recall()
  if (before !== undefined) {
    terminal.note("An earlier run of this command did not finish; sending the same bytes again.")
    return before
  }
  const raw = work.input.value("raw") ?? (await signed(work))
  const record = {
    idempotencyKey: crypto.randomUUID(),
    submission: JSON.stringify(await approved(work, raw))
  }
  await work.pending.keep(record)
  return record
}

const isStale = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "OWNER_APPROVAL_EXPIRED"

/** An approval outlives no long pause; the bytes it is for stay the same. */
const renewed = async (work: Work, { submission = "{}" }: PendingRecord): Promise<PendingRecord> => {
  const { rawSignedTransaction }: StepSubmission = JSON.parse(submission)
  const again = await approved(work, rawSignedTransaction)
  const record = { idempotencyKey: crypto.randomUUID(), submission: JSON.stringify(again) }
  await work.pending.keep(record)
  return record
}

const sent = ({ client, plan, step }: Work, { idempotencyKey, submission = "{}" }: PendingRecord) =>
  client.plans.submit(plan.id, step.index, JSON.parse(submission), { idempotencyKey })

const leavesNothing = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.problem.status < 500

/** Under its old key a bound step's submission would only be answered again; a new key has the bytes sent again. */
const toSend = async (work: Work, terminal: Terminal): Promise<PendingRecord> => {
  const record = await begun(work, terminal)
  return work.step.transaction === undefined ? record : renewed(work, record)
}

const submitted = async (work: Work, terminal: Terminal) => {
  const record = await toSend(work, terminal)
  try {
    return await sent(work, record).catch(async failure => {
      if (!isStale(failure)) throw failure
      return sent(work, await renewed(work, record))
    })
  } catch (failure) {
    if (leavesNothing(failure) && work.step.transaction === undefined) await work.pending.forget()
    throw failure
  }
}

const UNSETTLED = ["reserved", "unknown"]

/** A step that was admitted takes no other bytes. */
const isTaken = async ({ step, pending, input }: Work): Promise<boolean> => {
  if (step.transaction === undefined) return false
  if (!UNSETTLED.includes(step.state)) return true
  if ((await pending.recall()) !== undefined || input.value("raw") !== undefined) return false
  throw new CliFailure(
    ExitCode.unknown,
    `Step ${step.index} is bound to ${step.transaction.hash} and its outcome is not known yet.`,
    "Only the same bytes can be sent again: give them with --raw, or look with service plan watch."
  )
}

const report = (plan: Plan, index: number, extra: Readonly<Record<string, unknown>>): Outcome => {
  const step = plan.steps[index]
  const unknown = step?.dispatch?.status === "unknown"
  return {
    json: { ...extra, plan },
    text: `step ${index}  ${step === undefined ? "" : stepText(step)}${step?.state === "confirmed" ? "" : `\nNext: service plan watch ${plan.id}`}`,
    exitCode: unknown ? ExitCode.unknown : ExitCode.ok
  }
}

const submit = async (work: Work, terminal: Terminal): Promise<Outcome> => {
  const { plan, step, pending } = work
  if (await isTaken(work)) {
    await pending.forget()
    terminal.note("The step has its transaction already; nothing was sent.")
    return report(plan, step.index, {})
  }
  const answer = await submitted(work, terminal)
  if (answer.dispatch.status !== "unknown") await pending.forget()
  return report(answer.plan, step.index, { dispatch: answer.dispatch, replayed: answer.replayed })
}

export const planSubmit: Command = {
  name: "plan submit",
  takes: "<plan id> <step>",
  least: 2,
  most: 2,
  summary: "Sign a step's exact call with the wallet and have the service relay it once.",
  details:
    "The plan's commitment is checked before anything is signed. With a bot's key the owner's key also signs a fresh approval of exactly these bytes. Run again after a crash: the same bytes are sent.",
  flags: [
    ...signedFlags,
    ...signingFlags,
    { name: "raw", value: "<hex>", help: "A transaction signed elsewhere, exactly as it is." },
    {
      name: "owner-key-file",
      value: "<file>",
      help: "The wallet's key, when the request is signed by another."
    },
    { name: "watch", help: "Then follow the step until it is decided." },
    timeoutFlag
  ],
  run: async (input, terminal) => {
    const index = input.step(1)
    const connection = await connect(input, terminal)
    const { client, baseUrl } = connection
    const plan = await client.plans.show(input.needed(0))
    const step = plan.steps[index]
    if (step === undefined)
      throw usageFailure(`The plan has no step ${index}.`, `It has ${plan.steps.length}, from 0.`)
    await refuseAltered(connection, plan, input.needed(0))
    const pending = pendingWork(terminal, [baseUrl, client.principalId, plan.id, String(step.index)])
    const foretell = foretelling(terminal)
    const outcome = await submit({ ...connection, input, plan, step, pending, foretell }, terminal)
    if (!input.has("watch")) return outcome
    return watched(client, terminal, plan.id, { step: step.index, seconds: input.integer("timeout") })
  }
}
