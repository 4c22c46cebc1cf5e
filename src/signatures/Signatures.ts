/** Whether a signature is the claimed signer's: recovery first, then the owner's contract; every doubt is a no. */
import { Context, Effect, Layer } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import type { RpcBudget } from "../chain/refusals.ts"
import type { Address } from "../values/Scalars.ts"
import { type ContractQuestion, contractAccepts, isOutOfQuestion } from "./ContractWallet.ts"
import { recover } from "./Recover.ts"
import { InvalidSignature, VerifierUnavailable } from "./refusals.ts"

export interface SignatureClaim extends ContractQuestion {
  readonly role: "owner" | "bot"
}

export interface Verified {
  readonly signer: Address
  readonly by: "key" | "contract"
}

export const CONTRACT_DEADLINE_MS = 5_000

/** Disconnected, so that a node that ignores interruption cannot hold the answer past the deadline. */
const askContract = (claim: SignatureClaim) =>
  contractAccepts(claim).pipe(
    Effect.catchTag("UNSUPPORTED_CHAIN", () => Effect.succeed(false)),
    Effect.mapError(failure => (failure._tag === "RPC_BUDGET" ? failure : new VerifierUnavailable())),
    Effect.disconnect,
    Effect.timeoutFail({ duration: CONTRACT_DEADLINE_MS, onTimeout: () => new VerifierUnavailable() })
  )

/** Lets the owner's contract be asked, or refuses that. */
export type Asking<E> = <A, E1>(ask: Effect.Effect<A, E1>) => Effect.Effect<A, E1 | E>

export class Signatures extends Context.Tag("signatures/Signatures")<
  Signatures,
  {
    readonly verify: <E = never>(
      claim: SignatureClaim,
      asking?: Asking<E>
    ) => Effect.Effect<Verified, InvalidSignature | VerifierUnavailable | RpcBudget | E>
  }
>() {
  static readonly layer = Layer.effect(
    Signatures,
    Effect.gen(function* () {
      const chains = yield* ChainClient
      const askOwner = Effect.fnUntraced(function* <E>(
        claim: SignatureClaim,
        recovered: Address | undefined,
        asking: Asking<E>
      ) {
        if (claim.role === "bot" || isOutOfQuestion(claim)) return yield* new InvalidSignature(recovered)
        const accepted = yield* asking(askContract(claim).pipe(Effect.provideService(ChainClient, chains)))
        if (!accepted) return yield* new InvalidSignature(recovered)
        return { signer: claim.signer, by: "contract" } as const
      })
      return {
        verify: (claim, asking = ask => ask) => {
          const recovered = recover(claim.digest, claim.signature)
          return recovered === claim.signer.toLowerCase()
            ? Effect.succeed({ signer: claim.signer, by: "key" })
            : askOwner(claim, recovered, asking)
        }
      }
    })
  )
}
