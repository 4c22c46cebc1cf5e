/** A called contract at one block: its code, where it trusts the forwarder. */
import { Effect } from "effect"
import { call as callAt } from "../chain/PinnedReads.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { ForwarderTargetUntrusted } from "./refusals.ts"

const IS_TRUSTED_FORWARDER = "572b6c05"
const TRUE = `0x${"1".padStart(64, "0")}`

const trusting = (forwarder: Address): Hex =>
  `0x${IS_TRUSTED_FORWARDER}${forwarder.slice(2).toLowerCase().padStart(64, "0")}`

export interface SponsoredTarget {
  readonly stepIndex: number
  readonly to: Address
}

const targetAt = Effect.fnUntraced(function* (
  { ask, block, code }: PinnedSnapshot,
  { stepIndex, to }: SponsoredTarget,
  forwarder: Address
) {
  const [found, told] = yield* Effect.all(
    [code(to), ask(callAt({ to, data: trusting(forwarder) }, block.hash))],
    { concurrency: "unbounded" }
  )
  return told._tag === "Returned" && told.data === TRUE
    ? codeHash(found)
    : yield* new ForwarderTargetUntrusted({ context: { stepIndex, target: to } })
})

/** The hashes of their code, in their order. */
export const trustingTargets = (
  snapshot: PinnedSnapshot,
  targets: ReadonlyArray<SponsoredTarget>,
  forwarder: Address
) => Effect.forEach(targets, target => targetAt(snapshot, target, forwarder), { concurrency: "unbounded" })
