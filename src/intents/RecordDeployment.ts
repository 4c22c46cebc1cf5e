/** Records that an intent was deployed: whoever tells of it, only what the chain proves is stored. */
import { Effect } from "effect"
import { AccountLock } from "../accounts/AccountLock.ts"
import { Principal } from "../accounts/Principal.ts"
import { currentIntent } from "./CurrentIntent.ts"
import { launchOn } from "./DeploymentProof.ts"
import { DeploymentStore } from "./DeploymentStore.ts"
import type { ToldDeployment } from "./Intent.ts"
import { proveDeployment } from "./ProveDeployment.ts"
import { InvalidIntent } from "./refusals.ts"

const foreign = new InvalidIntent({
  context: { path: "chainId", expected: "a chain of the intent" }
})

export const recordDeployment = Effect.fn("RecordDeployment.record")(function* (
  id: string,
  { chainId, transactionHash }: ToldDeployment
) {
  const actor = yield* Principal
  const locks = yield* AccountLock
  const deployments = yield* DeploymentStore
  const intent = yield* currentIntent(id)
  const launch = launchOn(chainId, intent.envelope)
  if (launch === undefined) return yield* foreign
  const isTold = (known: ToldDeployment) =>
    known.chainId === chainId && known.transactionHash === transactionHash
  if (intent.deployments.some(isTold)) return { intent, replayed: true }
  const proven = yield* proveDeployment(launch, transactionHash)
  const grantId = actor.kind === "bot" ? actor.grantId : undefined
  const replayed = yield* locks.with(actor.accountId)(deployments.record({ intentId: id, grantId, proven }))
  return { intent: yield* currentIntent(id), replayed }
})
