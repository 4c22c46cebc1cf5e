/** The code of the contracts that providers are paid through, at the heads of their chains; those who ask at the same moment share one look. */
import { Context, Effect, Layer, Option } from "effect"
import { atSteadyHead, notedSnapshot } from "../chain/AtSteadyHead.ts"
import type { Snapshot } from "../chain/ChainClient.ts"
import { code } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import { sharing } from "../chain/Sharing.ts"
import type { SnapshotFailure } from "../protocol/ResolveContract.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { type PaymentContract, Settings } from "../settings/Settings.ts"

const codeAtHead = ({ chainId, address }: PaymentContract) => {
  const codeAt = ({ session, block }: Snapshot) =>
    Effect.map(session.all([code(address, block.hash)]), ([found]) => found)
  return Effect.flatMap(
    atSteadyHead(chainId, codeAt),
    Option.match({
      onSome: Effect.succeed,
      onNone: () => Effect.flatMap(notedSnapshot(chainId), codeAt)
    })
  )
}

export class PaymentCodes extends Context.Tag("sponsorship/PaymentCodes")<
  PaymentCodes,
  {
    /** Whether the chain's contract, which the settings name, has the code that it is known by. */
    readonly holds: (chainId: number) => Effect.Effect<boolean, SnapshotFailure | RpcFailure>
  }
>() {
  static readonly layer = Layer.scoped(
    PaymentCodes,
    Effect.gen(function* () {
      const looks = new Map<number, Effect.Effect<boolean, SnapshotFailure | RpcFailure>>()
      const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof codeAtHead>>>()
      for (const contract of (yield* Settings).sponsorship.payments) {
        const look = Effect.map(codeAtHead(contract), code => codeHash(code) === contract.runtimeCodeHash)
        looks.set(contract.chainId, yield* sharing(Effect.provide(look, context)))
      }
      return { holds: chainId => looks.get(chainId) ?? new RpcUnavailable() }
    })
  )
}
