import { Effect } from "effect"
import { prepareReview } from "../../payments/PrepareReview.ts"
import { reviewOf } from "../../payments/ReadReview.ts"
import { registerCredential } from "../../payments/RegisterCredential.ts"
import { WalletPaymentsGroup } from "../api/WalletPayments.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

export const walletPaymentsHandlers = handling(WalletPaymentsGroup, {
  createPaymentReview: Effect.fnUntraced(function* ({ body }) {
    const { review, replayed } = yield* prepareReview(body)
    return reply(review, {
      location: `/api/v1/wallet/payment-reviews/${review.id}`,
      ...replayHeader(replayed)
    })
  }),
  getPaymentReview: ({ path }) => Effect.map(reviewOf(path.id), review => reply(review)),
  createCredential: ({ body }) =>
    Effect.map(registerCredential(body), credential =>
      reply(credential, { location: `/api/v1/smart-accounts/bindings/${credential.bindingId}` })
    )
})
