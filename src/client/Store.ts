/** What was signed and has no known outcome, kept before it leaves so that a second call goes on with the same bytes. */
import { ClientMisuse } from "./Errors.ts"

/** Where it is kept, by names that may be those of files. Several processes may share one, one at a time for each wallet. */
export interface Store {
  readonly recall: (name: string) => MaybePromise<string | null | undefined>
  /** Resolves once the text outlives this process. */
  readonly keep: (name: string, text: string) => MaybePromise<unknown>
  readonly forget: (name: string) => MaybePromise<unknown>
}

type MaybePromise<A> = A | Promise<A>

export const memoryStore = (): Store => {
  const kept = new Map<string, string>()
  return {
    recall: name => kept.get(name),
    keep: (name, text) => kept.set(name, text),
    forget: name => kept.delete(name)
  }
}

/** A step's: `submission` and its `idempotencyKey`, or for a wallet that sends by itself `asked`, and then `hash`. */
export type StepRecord = Readonly<Record<string, string>>

/** One thing that is kept. */
export interface Kept<Record> {
  readonly recall: () => Promise<Record | undefined>
  readonly keep: (record: Record) => Promise<void>
  readonly forget: () => Promise<void>
}

/** A plan's id is the service's word, and no place. */
const NAME = /^[A-Za-z0-9._-]{1,128}$/

const keptAs = <Record>(store: Store, name: string): Kept<Record> => {
  if (!NAME.test(name)) throw new ClientMisuse(`Nothing is kept as ${name}.`)
  return {
    recall: async () => {
      const text = (await store.recall(name)) ?? undefined
      return text === undefined ? undefined : JSON.parse(text)
    },
    keep: async record => {
      await store.keep(name, JSON.stringify(record))
    },
    forget: async () => {
      await store.forget(name)
    }
  }
}

/** Of a plan that is sponsored: under which keys it is prepared, published and funded, and what was signed. */
export const keptSponsorship = (store: Store, planId: string): Kept<StepRecord> =>
  keptAs(store, `${planId}.sponsorship`)

export const keptStep = (store: Store, planId: string, step: number): Kept<StepRecord> =>
  keptAs(store, `${planId}.${step}`)

/** A nonce that was signed for, and for what. */
export interface HeldNonce {
  readonly nonce: number
  readonly principal: string
  readonly planId: string
  readonly step: number
}

export const keptNonces = (store: Store, chainId: number, wallet: string): Kept<ReadonlyArray<HeldNonce>> =>
  keptAs(store, `nonces.${chainId}.${wallet.toLowerCase()}`)
