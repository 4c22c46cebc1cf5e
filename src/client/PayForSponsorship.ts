/** The payment that a sponsorship waits for: its price proved to be the bundle's, its plan the payment, and that plan carried out. */
import type { Plan } from "../plans/Plan.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { executeCalldata, outerCallHash } from "../values/ForwardRequest.ts"
import { textDigest } from "./Commitment.ts"
import { AlteredPlan } from "./Errors.ts"

const PREPAYMENT = "0x103903a7"

/** `prepayment(bytes16,uint40)` of a bundle. */
const prepayment = (bundleId: string, deadline: number): string =>
  `${PREPAYMENT}${bundleId.replaceAll("-", "").padEnd(64, "0")}${deadline.toString(16).padStart(64, "0")}`

/** Rejects with `AlteredPlan` where what is to be paid is not for these requests as the wallet signed them; `signatures` where they are known. */
export const checkQuote = async (
  { id, planId, submission, quote, authorizations }: Sponsorship,
  signatures: ReadonlyArray<string> | undefined
): Promise<void> => {
  const { bundleId = "", payments = [], transactions = [], commitment } = quote ?? {}
  const submissionHash = submission?.hash
  const quoted = canonicalJson({ sponsorshipId: id, submissionHash, bundleId, payments, transactions })
  const isOurs = authorizations.every(({ stepIndex, chainId, message }, position) => {
    const bound = transactions.find(each => each.stepIndex === stepIndex && each.chainId === chainId)
    const signature = signatures?.[position]
    return (
      bound !== undefined &&
      (signature === undefined || outerCallHash(executeCalldata(message, signature)) === bound.outerCallHash)
    )
  })
  const isPayment = payments.every(({ data, deadline }) => data === prepayment(bundleId, deadline))
  if (!isOurs || !isPayment || (await textDigest(quoted)) !== commitment)
    throw new AlteredPlan(planId, "what is asked for it is not for its requests")
}

/** Rejects with `AlteredPlan` where the plan does anything but make one of these payments, by default of the quote's. */
export const checkPayment = (
  { planId, quote }: Sponsorship,
  { calls }: Plan,
  payments: NonNullable<Sponsorship["quote"]>["payments"] = quote?.payments ?? []
): void => {
  const [call] = calls
  const isPayment =
    calls.length === 1 &&
    payments.some(
      ({ chainId, to, data, value }) =>
        call?.chainId === chainId && call.to === to && call.data === data && call.value === value
    )
  if (!isPayment) throw new AlteredPlan(planId, "the plan that pays for it pays something else")
}
