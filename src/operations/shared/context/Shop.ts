/** Whether an address is a clone of the canonical 721 hook that belongs to a project. */
import { Effect } from "effect"
import { minimalProxyOf } from "../../../protocol/MinimalProxy.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { Invalid721Identity, Unsupported721Hook } from "./refusals.ts"

const CONTRACT = "JB721TiersHook"

const questions = ({ code, readAt }: PinnedSnapshot, hook: Address) => ({
  code: code(hook),
  store: readAt(CONTRACT, hook, "STORE", [], Address),
  directory: readAt(CONTRACT, hook, "DIRECTORY", [], Address),
  projectId: readAt(CONTRACT, hook, "projectId", [], Uint256),
  metadataIdTarget: readAt(CONTRACT, hook, "METADATA_ID_TARGET", [], Address)
})

export interface Verified721 {
  readonly hook: Address
  readonly store: Address
  readonly metadataIdTarget: Address
}

/** One round trip. */
export const verify721 = Effect.fn("Context.verify721")(function* (
  snapshot: PinnedSnapshot,
  projectId: string,
  hook: Address
) {
  const [answers, implementation, store, directory] = yield* Effect.all(
    [
      eachAtOnce(questions(snapshot, hook)),
      snapshot.addressOf(CONTRACT),
      snapshot.addressOf("JB721TiersHookStore"),
      snapshot.addressOf("JBDirectory")
    ],
    { concurrency: "unbounded" }
  )
  const proxy = minimalProxyOf(yield* answers.code)
  if (proxy?.standard !== "solady" || proxy.implementation !== implementation)
    return yield* new Unsupported721Hook({ context: { hook } })
  const identity = [
    ["STORE()", yield* answers.store, store],
    ["DIRECTORY()", yield* answers.directory, directory],
    ["projectId()", yield* answers.projectId, projectId],
    ["METADATA_ID_TARGET()", yield* answers.metadataIdTarget, implementation]
  ] as const
  for (const [getter, actual, expected] of identity) {
    if (actual !== expected)
      return yield* new Invalid721Identity({ context: { hook, getter, actual, expected } })
  }
  const verified: Verified721 = { hook, store, metadataIdTarget: implementation }
  return verified
})
