/** What the parts of the editor of a session are given. */
import type { OfferedWallet } from "../wallets/WalletWords.ts"
import type { Faults } from "./Reading.ts"
import type { SessionDraft } from "./SessionDraft.ts"

export interface Editing {
  readonly draft: SessionDraft
  readonly change: (over: Partial<SessionDraft>) => void
  readonly faults: Faults
  readonly manifest: OfferedWallet["manifest"]
}

export const replaced = <A>(all: ReadonlyArray<A>, at: number, over: Partial<A>): ReadonlyArray<A> =>
  all.map((each, index) => (index === at ? { ...each, ...over } : each))

export const without = <A>(all: ReadonlyArray<A>, at: number): ReadonlyArray<A> =>
  all.filter((_, index) => index !== at)
