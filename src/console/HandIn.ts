/** Hands a step's transaction in as who prepared the plan: the owner by the wallet's signature, this tab by its own. */
import { ServiceProblem } from "../client/Errors.ts"
import { approveStep, type OwnerApproval } from "../client/OwnerApproval.ts"
import { realSystem } from "../client/System.ts"
import type { Plan } from "../plans/Plan.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import type { TabGrant } from "./Desk.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { SENT_ALREADY } from "./SentStep.ts"
import type { SignedStep } from "./SignedPanel.ts"

const APPROVAL_SECONDS = 300
/** Between tries, while the service's own node does not know what the wallet sent. */
const PAUSES_MILLIS = [500, 1_000, 2_000, 4_000, 8_000, 8_000]

interface Submitting {
  readonly desk: PlanDesk
  readonly reviewed: Reviewed
  readonly index: number
  readonly signed: SignedStep
  /** Of the call. */
  readonly rows: ReadonlyArray<ReviewRow>
}

export const approvedBy = (
  grantId: string,
  { desk: { desk }, reviewed, index, signed, rows }: Submitting
): Promise<OwnerApproval> =>
  desk.about([...rows, ...signed.rows], async ({ signer }) =>
    approveStep(signer, {
      audience: await desk.owner.audience(),
      accountId: desk.owner.account,
      grantId,
      plan: reviewed.plan,
      stepIndex: index,
      rawSignedTransaction: signed.raw,
      issuedAt: desk.owner.clock.seconds(),
      windowSeconds: APPROVAL_SECONDS
    })
  )

const byOwner = async ({ desk: { desk }, reviewed, index, signed, rows }: Submitting): Promise<Plan> => {
  const { raw, idempotencyKey, sent } = signed
  const about = [...rows, ...signed.rows, ...(sent === undefined ? [] : [SENT_ALREADY])]
  const submission = { rawSignedTransaction: raw }
  const answer = await desk.about(about, ({ owner }) =>
    owner.plans.submit(reviewed.plan.id, index, submission, { idempotencyKey })
  )
  return answer.plan
}

const isUnseen = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "OWNER_APPROVAL_REQUIRED"

/** What is on its chain already needs no approval: the service only follows it. */
const sentByTab = async ({ client }: TabGrant, { reviewed, index, signed }: Submitting): Promise<Plan> => {
  const { raw, idempotencyKey } = signed
  const submit = () =>
    client.plans.submit(reviewed.plan.id, index, { rawSignedTransaction: raw }, { idempotencyKey })
  for (const pause of PAUSES_MILLIS)
    try {
      return (await submit()).plan
    } catch (failure) {
      if (!isUnseen(failure)) throw failure
      await realSystem.sleep(pause)
    }
  return (await submit()).plan
}

const byTab = async ({ client, grantId }: TabGrant, submitting: Submitting): Promise<Plan> => {
  const { reviewed, index, signed } = submitting
  const rows = [...submitting.rows, row("the bot is", words("this tab, in which you are signed in"))]
  const approval = await approvedBy(grantId, { ...submitting, rows })
  const submission = { rawSignedTransaction: signed.raw, ownerApproval: approval }
  return (await client.plans.submit(reviewed.plan.id, index, submission)).plan
}

export const handIn = (submitting: Submitting): Promise<Plan> => {
  const { desk, reviewed, signed } = submitting
  const grant = desk.desk.grant
  if (grant === undefined || reviewed.principal !== grant.client.principalId) return byOwner(submitting)
  return signed.sent === undefined ? byTab(grant, submitting) : sentByTab(grant, submitting)
}
