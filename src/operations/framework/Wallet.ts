/** What the planned wallet has of what the plan takes; gas comes on top. */
import { Effect } from "effect"
import type { Call } from "../../plans/Plan.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type Observed, observed } from "../../values/Observed.ts"
import type { Address } from "../../values/Scalars.ts"
import { readTokenBalance, type Spending } from "../shared/Allowance.ts"
import type { WalletView } from "./PlanSummary.ts"
import { InsufficientBalance } from "./refusals.ts"

const nativeOf = (calls: ReadonlyArray<Call>) => calls.reduce((sum, { value }) => sum + BigInt(value), 0n)

const AT_ONCE = { concurrency: "unbounded" } as const

const tokenView = (snapshot: PinnedSnapshot, account: Address, spends: Spending) =>
  Effect.map(observed(readTokenBalance(snapshot, spends.token, account)), balance => ({
    token: spends.token,
    spender: spends.spender,
    balance,
    allowance: String(spends.allowance),
    needed: String(spends.needed)
  }))

const nativeView = (snapshot: PinnedSnapshot, account: Address, calls: ReadonlyArray<Call>) =>
  Effect.map(observed(Effect.map(snapshot.balance(account), String)), balance => ({
    balance,
    needed: String(nativeOf(calls))
  }))

/** Two reads at most. */
export const readWallet = (
  snapshot: PinnedSnapshot,
  account: Address,
  calls: ReadonlyArray<Call>,
  spends: Spending | undefined
): Effect.Effect<WalletView> =>
  spends === undefined
    ? Effect.map(nativeView(snapshot, account, calls), native => ({ native }))
    : Effect.all(
        { native: nativeView(snapshot, account, calls), token: tokenView(snapshot, account, spends) },
        AT_ONCE
      )

interface Pocket {
  readonly balance: Observed<string>
  readonly needed: string
}

/** A balance that could not be read refuses nothing. */
const check = ({ balance, needed }: Pocket, token: Address | undefined) =>
  balance.status === "known" && BigInt(balance.value) < BigInt(needed)
    ? new InsufficientBalance({
        detail: "The wallet has less than the plan's calls take.",
        context: { ...(token === undefined ? {} : { token }), balance: balance.value, needed }
      })
    : Effect.void

export const requireFunds = ({ native, token }: WalletView) =>
  Effect.zipRight(check(native, undefined), token === undefined ? Effect.void : check(token, token.token))
