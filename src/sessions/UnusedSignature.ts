/** What a key signed under an earlier session of a wallet: its signature names the operation and no permission, so that it counts under the key's next session too while its nonce is not used. */
import { Effect, Option } from "effect"
import { ENTRY_POINT } from "../catalog/ExecutionContracts.ts"
import type { ChainSession } from "../chain/ChainClient.ts"
import { invocation } from "../protocol/Answers.ts"
import type { BoundWallet } from "../smartaccounts/BoundWallet.ts"
import { entryPointNumber, nonceQuestion } from "../useroperations/EntryPointNumber.ts"
import { guardNonceKey } from "./Compile.ts"
import { LifecycleStore } from "./LifecycleStore.ts"
import { SessionRetirementRequired } from "./refusals.ts"
import type { StoredSession } from "./SessionRow.ts"

const SEQUENCE_BITS = 64n

const USE_UP =
  "An operation that this key signed under an earlier session was sent, or may have been, and its nonce is not used: by this session its signature would count again. Have the wallet make the call in context.call, which uses the nonce up, by a plan of contract calls or by any interface for such wallets, and ask once more when it is in a block."

const SIGNATURE = "incrementNonce(uint192)"

/** One round trip, and none where the key signed nothing under another session; what enabled that one may have left its chain. */
export const refuseUnusedSignature = Effect.fnUntraced(function* (
  session: ChainSession,
  wallet: BoundWallet,
  stored: StoredSession
) {
  const { sentUnder } = yield* LifecycleStore
  const key = guardNonceKey(stored.compiled.guard)
  const [first, to] = [key << SEQUENCE_BITS, ((key + 1n) << SEQUENCE_BITS) - 1n]
  if (Option.isNone(yield* sentUnder(stored, { from: first, to }))) return
  const { address, manifest, inspection } = wallet
  const entryPoint = manifest.pins.entryPoint.address
  const question = nonceQuestion(entryPoint, address, key)
  const from = yield* entryPointNumber(session, question, inspection.evidence.blockHash)
  const unused = yield* sentUnder(stored, { from, to })
  if (Option.isNone(unused)) return
  const call = {
    chainId: stored.chainId,
    to: entryPoint,
    data: invocation(entryPoint, SIGNATURE, key).data,
    value: "0",
    contractId: ENTRY_POINT,
    function: SIGNATURE,
    args: [String(key)]
  }
  return yield* new SessionRetirementRequired({
    detail: USE_UP,
    context: { operationId: unused.value, call }
  })
})
