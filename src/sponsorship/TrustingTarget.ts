/** A called contract at one block: its code, where it trusts the forwarder. */
import { Effect } from "effect"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { call as callAt, code as codeAt } from "../chain/PinnedReads.ts"
import type { RpcUnavailable } from "../chain/refusals.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import { settledOnChain } from "../protocol/PackedCalls.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { ForwarderTargetUntrusted } from "./refusals.ts"

const IS_TRUSTED_FORWARDER = "572b6c05"
const TRUE = `0x${"1".padStart(64, "0")}`

const trusting = (forwarder: Address): Hex =>
  `0x${IS_TRUSTED_FORWARDER}${forwarder.slice(2).toLowerCase().padStart(64, "0")}`

const isTrue = (told: CallOutcome): boolean => told._tag === "Returned" && told.data === TRUE

export interface SponsoredTarget {
  readonly stepIndex: number
  readonly to: Address
}

type Hashed = Effect.Effect<Bytes32, ForwarderTargetUntrusted | RpcUnavailable>

/** The hashes of their code, in their order; each contract is asked once. */
export const trustingTargets = Effect.fnUntraced(function* (
  { askAll, block }: Pick<PinnedSnapshot, "askAll" | "block">,
  targets: ReadonlyArray<SponsoredTarget>,
  forwarder: Address
) {
  const contracts = [...new Set(targets.map(({ to }) => to))]
  const data = trusting(forwarder)
  const answers = yield* askAll([
    ...contracts.map(to => codeAt(to, block.hash)),
    ...contracts.map(to => callAt({ to, data }, block.hash))
  ])
  const settling = contracts.map((to, position) => {
    const told = answers[contracts.length + position]
    return typeof told === "object"
      ? settledOnChain({ all: askAll }, { to, data }, block.hash, told)
      : Effect.succeed(undefined)
  })
  const outcomes = yield* Effect.all(settling, { concurrency: "unbounded" })
  return yield* Effect.forEach(targets, ({ stepIndex, to }): Hashed => {
    const position = contracts.indexOf(to)
    const [code, told] = [answers[position], outcomes[position]]
    if (told?._tag === "Refused") return Effect.fail(nodeRefused(told.code))
    return typeof code === "string" && told !== undefined && isTrue(told)
      ? Effect.succeed(codeHash(code))
      : Effect.fail(new ForwarderTargetUntrusted({ context: { stepIndex, target: to } }))
  })
})
