/** A wallet that is asked for each signature in words first. */
import { eip1193Signer, type Signer } from "../client/Signer.ts"
import type { ReviewRow } from "../review/Words.ts"
import { agreed } from "./Prompt.ts"
import { questionFor } from "./RequestWords.ts"
import type { Provider } from "./Wallet.ts"

/** `about` is what is known of what its signatures are for. */
export const askingSigner = (provider: Provider, wallet: string, about: ReadonlyArray<ReviewRow>): Signer => {
  const inner = eip1193Signer(provider, wallet)
  return {
    ...inner,
    signTypedData: async payload => {
      await agreed(await questionFor(payload, about))
      return inner.signTypedData(payload)
    }
  }
}
