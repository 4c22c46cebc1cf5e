/** What binding a wallet means, and what the wallet is, in words: who signs for it and by which code. */
import type { WalletState } from "../smartaccounts/StateHash.ts"
import { exact, type Piece, type ReviewRow, row, words } from "./Words.ts"

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

const counted = (count: number): string => COUNTS[count] ?? String(count)

/** `two of its three owners sign`. */
export const thresholdText = (threshold: number, owners: number): string => {
  if (owners === 1) return "its one owner signs"
  const some = threshold === owners ? "all" : counted(threshold)
  return `${some} of its ${counted(owners)} owners ${threshold === 1 ? "signs" : "sign"}`
}

export const bindingSentence = (
  { address, owners, threshold }: WalletState,
  chain: string,
  accountId: string
): ReadonlyArray<Piece> => [
  words("The wallet "),
  exact(address),
  words(` on ${chain}, for which ${thresholdText(threshold, owners.length)}, is bound to the account `),
  exact(accountId),
  words(".")
]

export const BINDING_MEANS =
  "The account can then prepare plans and operations for it, and read what became of them. It can move nothing by that: each operation is signed by the wallet's owners."

const listed = (addresses: ReadonlyArray<string>): ReadonlyArray<Piece> =>
  addresses.length === 0
    ? [words("none")]
    : addresses.flatMap((each, index) => [...(index === 0 ? [] : [words(" ")]), exact(each)])

export const ownerRows = ({
  owners,
  threshold
}: Pick<WalletState, "owners" | "threshold">): ReadonlyArray<ReviewRow> => [
  row("signatures", words(thresholdText(threshold, owners.length))),
  ...owners.map(owner => row("owner", exact(owner)))
]

/** What else is bound beside owners and threshold. */
export const stateRows = (state: WalletState): ReadonlyArray<ReviewRow> => [
  row("manifest", exact(state.manifestId), words(" "), exact(state.manifestRevision)),
  row("singleton", exact(state.singleton)),
  row("adapter", exact(state.adapter)),
  row("entry point", exact(state.entryPoint)),
  row("fallback handler", exact(state.fallbackHandler)),
  row("transaction guard", exact(state.transactionGuard)),
  row("hook", exact(state.hook)),
  row("modules", ...listed(state.safeModules)),
  row("validators", ...listed(state.validators)),
  row("executors", ...listed(state.executors))
]
