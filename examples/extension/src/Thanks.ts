/** The usual tip, which another deployment may set otherwise. */
import { Context, Layer } from "effect"

export class Thanks extends Context.Tag("x/tip-jar/Thanks")<
  Thanks,
  { readonly amount: string; readonly words: string }
>() {
  static readonly layer = Layer.succeed(Thanks, { amount: "1000000000000000", words: "Thanks!" })
}
