/** A step that is bound to something else stays so. */
import { Effect } from "effect"
import { transactionOf } from "../plans/Binding.ts"
import type { StepFacts } from "../plans/Step.ts"
import { StepAlreadyBound, TransportConflict } from "./refusals.ts"
import type { Bound } from "./Transport.ts"

/** To a transaction, or to a record of another transport. */
export const stepAlreadyBound = (known: string | null): StepAlreadyBound =>
  new StepAlreadyBound({
    context: known?.startsWith("0x") === false ? { bindingId: known } : { transactionHash: known }
  })

export const checkBinding = (
  { binding }: Pick<StepFacts, "binding">,
  { transport, hash }: Pick<Bound, "transport"> & { readonly hash: string | undefined }
) => {
  if (binding === undefined) return Effect.void
  if (binding.transport !== transport)
    return Effect.fail(new TransportConflict({ context: { transport: binding.transport } }))
  const known = transactionOf(binding)?.hash ?? binding.bindingId
  return known === hash ? Effect.void : Effect.fail(stepAlreadyBound(known))
}
