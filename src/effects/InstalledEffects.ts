/** The predicates that this process judges effects by. */
import { Context, Effect, Layer } from "effect"
import type { Predicate } from "./Predicate.ts"
import { type VerifyEffects, verifierOf } from "./Verify.ts"

export class InstalledEffects extends Context.Tag("effects/InstalledEffects")<
  InstalledEffects,
  { readonly verify: VerifyEffects }
>() {
  static readonly layer = (predicates: ReadonlyArray<Predicate>) =>
    Layer.effect(
      InstalledEffects,
      Effect.gen(function* () {
        return { verify: yield* verifierOf(predicates) }
      })
    ).pipe(Layer.orDie)
}
