/** Who is at the page: the wallet, its account, and a client whose every signature is asked for in words first. */
import { type Client, createClient } from "../client/Client.ts"
import { eip1193Signer, type Signer } from "../client/Signer.ts"
import type { ReviewRow } from "../review/Words.ts"
import { agreed } from "./Prompt.ts"
import { questionFor } from "./RequestWords.ts"
import type { Provider } from "./Wallet.ts"

/** Long enough for a person who reads before confirming. */
const WINDOW_SECONDS = 240

export interface Desk {
  readonly provider: Provider
  readonly wallet: string
  readonly signer: Signer
  readonly client: Client
  /** What the wallet was found to lack by asking it. */
  readonly lacks: Set<"eth_signTransaction">
  /** Runs what asks for a signature, telling beforehand what it is about. */
  readonly about: <Result>(rows: ReadonlyArray<ReviewRow>, work: () => Promise<Result>) => Promise<Result>
}

export const deskFor = (provider: Provider, wallet: string, account: string): Desk => {
  let rows: ReadonlyArray<ReviewRow> = []
  const inner = eip1193Signer(provider, wallet)
  const signer: Signer = {
    ...inner,
    signTypedData: async payload => {
      await agreed(questionFor(payload, rows))
      return inner.signTypedData(payload)
    }
  }
  const baseUrl = location.origin
  const client = createClient({ baseUrl, account, signer, windowSeconds: WINDOW_SECONDS, retries: 0 })
  return {
    provider,
    wallet,
    signer,
    client,
    lacks: new Set(),
    about: async (told, work) => {
      rows = told
      try {
        return await work()
      } finally {
        rows = []
      }
    }
  }
}
