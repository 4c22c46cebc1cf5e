/** Which of a quote's payments is made: each of them is for all of it, and each asks for its own amount. */
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"

type Payment = NonNullable<Sponsorship["quote"]>["payments"][number]

type Choosing = Pick<Sponsorship, "authorizations"> & Partial<Pick<Sponsorship, "quote" | "funding">>

/** That of the plan that pays, or on a chain of the requests where there is one. */
export const chosenPayment = ({ quote, funding, authorizations }: Choosing): Payment | undefined => {
  const payments = quote?.payments ?? []
  if (funding !== undefined) return payments.find(({ chainId }) => chainId === funding.chainId)
  const isNear = (payment: Payment) => authorizations.some(({ chainId }) => chainId === payment.chainId)
  return payments.find(isNear) ?? payments[0]
}
