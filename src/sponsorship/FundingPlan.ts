/** The plan of the one call that pays for a published bundle. */
import { Effect } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import { PREPAID_PAYMENTS } from "../catalog/ExecutionContracts.ts"
import { simulatedCall } from "../chain/PinnedReads.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import type { PlanDraft } from "../plans/PlanDraft.ts"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import type { Address } from "../values/Scalars.ts"
import type { QuotedPayment } from "./Sponsorship.ts"

export const FUNDING_OPERATION = "prepaid_bundle_funding"

const PAYMENT_GAS = 150_000n

const WARNINGS = [
  "A payment is not execution: the provider may still execute nothing.",
  "The service refunds nothing, and a bundle is paid for once."
]

export interface PaidBundle {
  readonly sponsorshipId: string
  readonly bundleId: string
  readonly quoteCommitment: string | null
}

const callOf = Effect.fnUntraced(function* ({ chainId, to, data, value, deadline }: QuotedPayment) {
  const { abiHash } = yield* Effect.orDie((yield* Catalog).declaration(PREPAID_PAYMENTS))
  if (abiHash === null) return yield* Effect.dieMessage("the payment contract has no ABI")
  const bundle = `0x${data.slice(10, 42)}`
  const call: Call = {
    ...{ chainId, to, data, value },
    label: "Pay the prepaid provider",
    dependsOn: [],
    decoded: {
      contractId: PREPAID_PAYMENTS,
      abiHash,
      function: "prepayment(bytes16,uint40)",
      args: [bundle, String(deadline)]
    }
  }
  return call
})

/** It runs at the head that it rests on. */
export const fundingDraft = Effect.fnUntraced(function* (
  bundle: PaidBundle,
  payment: QuotedPayment,
  payer: Address
) {
  const call = yield* callOf(payment)
  const { chainId, to, data, value, deadline } = payment
  const { ask, block, evidence } = yield* (yield* PinnedContracts).snapshotOf(chainId)
  const request = { to, data, from: payer, value: BigInt(value), gas: PAYMENT_GAS }
  yield* refuseFailedCall(call, yield* ask(simulatedCall(request, block.hash)))
  const draft: PlanDraft = {
    operation: FUNDING_OPERATION,
    account: payer,
    summary: { kind: FUNDING_OPERATION, ...bundle, chainId, value, deadline },
    calls: [call],
    evidence: [evidence],
    warnings: WARNINGS
  }
  return draft
})
