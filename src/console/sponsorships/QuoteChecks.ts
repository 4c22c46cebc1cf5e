/** Whether what the provider asks for is for this very bundle, computed here. */
import { concatHex, numberToHex, padHex } from "viem"
import { textDigest } from "../../client/Commitment.ts"
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"
import { canonicalJson } from "../../values/CanonicalJson.ts"

type Quote = NonNullable<Sponsorship["quote"]>

/** Of `prepayment(bytes16,uint40)`. */
const PREPAYMENT = "0x103903a7"

const paymentCall = (bundleId: string, deadline: number): `0x${string}` =>
  concatHex([
    PREPAYMENT,
    padHex(`0x${bundleId.replaceAll("-", "")}`, { dir: "right", size: 32 }),
    numberToHex(deadline, { size: 32 })
  ])

const committed = ({ id, submission }: Sponsorship, { bundleId, payments, transactions }: Quote): string =>
  canonicalJson({ sponsorshipId: id, submissionHash: submission?.hash, bundleId, payments, transactions })

/** What differs, as sentences; nothing is shown before it is proved, so there is nothing to differ. */
export const quoteFaults = async (sponsorship: Sponsorship): Promise<ReadonlyArray<string>> => {
  const { quote } = sponsorship
  if (quote === undefined || quote.payments.length === 0) return []
  const { bundleId, payments, commitment } = quote
  const isOther = payments.some(({ data, deadline }) => data !== paymentCall(bundleId, Number(deadline)))
  return [
    ...(isOther ? ["A payment is not for this bundle and deadline."] : []),
    ...((await textDigest(committed(sponsorship, quote))) === commitment
      ? []
      : ["The quote is not what its commitment stands for."])
  ]
}
