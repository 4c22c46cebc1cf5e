/** Whom a payout reaches: who of a project's splits and its owner owes the protocol's fee, and whom the terminal cannot pay now. */
import { Effect, Schema } from "effect"
import type { FunctionArguments, FunctionName } from "../../protocol/ContractFunction.ts"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import type { Split } from "../../protocol/ProjectRecords.ts"
import { known, type Observed, unknown } from "../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "../shared/context/Core.ts"

export interface Paying {
  readonly project: { readonly projectId: string }
  readonly account: Address
  readonly token: Address
  readonly terminal: Address
}

/** Why a part cannot be paid, null where it can. */
export type Failure = Observed<string | null>

export interface Fate {
  readonly isFeeless: boolean
  readonly failure: Failure
}

/** Of each part, of which there are many. */
const GAS = 3_000_000n
/** Of a part that fails with less; not much more fits into a transaction beside the others. */
const MOST_GAS = 15_000_000n
const PRIMARY_TERMINAL = "primaryTerminalOf(uint256,address)"
const IS_FEELESS = "isFeelessFor(address,uint256,address)"

export const isToProject = ({ hook, projectId }: Split): boolean => hook === ZERO_ADDRESS && projectId !== "0"

/** Which terminal a split's project takes the token by, and whether that is feeless, in one round trip. */
const foreseeTerminal = (snapshot: PinnedSnapshot, { project, account, token }: Paying, split: Split) => {
  const [directory, feeless] = (["JBDirectory", "JBFeelessAddresses"] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  if (directory === undefined || feeless === undefined) return Effect.void
  const terminal = { call: 0, index: 0 }
  return snapshot.foresee([
    { to: directory, signature: PRIMARY_TERMINAL, words: [split.projectId, token] },
    { to: feeless, signature: IS_FEELESS, words: [terminal, project.projectId, account] }
  ])
}

const isFeelessOf = ({ read }: PinnedSnapshot, { project, account }: Paying, recipient: Address) =>
  read("JBFeelessAddresses", "isFeelessFor", [recipient, project.projectId, account], Schema.Boolean)

/** What is known of a recipient without running its payout. */
interface Standing {
  readonly isFeeless: boolean
  /** Why it cannot be paid, whatever the call would say. */
  readonly barred: string | null
}

const projectStanding = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, paying: Paying, split: Split) {
  const found = snapshot.read("JBDirectory", "primaryTerminalOf", [split.projectId, paying.token], Address)
  yield* foreseeTerminal(snapshot, paying, split)
  const terminal = yield* found
  const barred =
    terminal === ZERO_ADDRESS ? `Project ${split.projectId} has no terminal for the token.` : null
  const isHere = barred !== null || terminal === paying.terminal
  const standing: Standing = {
    isFeeless: isHere || (yield* isFeelessOf(snapshot, paying, terminal)),
    barred
  }
  return standing
})

const standingOf = (snapshot: PinnedSnapshot, paying: Paying, split: Split) => {
  if (isToProject(split)) return projectStanding(snapshot, paying, split)
  const beneficiary = split.beneficiary === ZERO_ADDRESS ? paying.account : split.beneficiary
  const recipient = split.hook === ZERO_ADDRESS ? beneficiary : split.hook
  return Effect.map(
    isFeelessOf(snapshot, paying, recipient),
    (isFeeless): Standing => ({ isFeeless, barred: null })
  )
}

const failureOf = <A>(run: Effect.Effect<A, ReadFailure>): Effect.Effect<Failure> =>
  Effect.match(run, {
    onSuccess: () => known(null),
    onFailure: failure =>
      failure._tag === "CALL_REVERTED" ? known(failure.detail ?? "The call reverts.") : unknown(failure)
  })

/** The terminal pays each part by calling itself, so that the same call shows beforehand how it ends. */
const ownCall = <Name extends FunctionName<"JBMultiTerminal">, A, I>(
  { simulate }: PinnedSnapshot,
  { terminal }: Paying,
  call: { readonly function: Name; readonly args: FunctionArguments<"JBMultiTerminal", Name> },
  as: Schema.Schema<A, I>
) => {
  const run = (gas: bigint) => simulate({ contract: "JBMultiTerminal", ...call, from: terminal, gas }, as)
  return Effect.catchTag(run(GAS), "CALL_REVERTED", () => run(MOST_GAS))
}

const NOTHING_TO_SEND: Failure = known(null)
const Paid = Schema.Struct({ netPayoutAmount: Uint256, feeEligibleAmount: Uint256 })

const splitFailure = (snapshot: PinnedSnapshot, paying: Paying, split: Split, amount: bigint) => {
  if (amount === 0n) return Effect.succeed(NOTHING_TO_SEND)
  const { project, token, account } = paying
  const args = [{ ...split }, project.projectId, token, amount, account]
  return failureOf(ownCall(snapshot, paying, { function: "executePayout", args }, Paid))
}

export const splitFate = (
  snapshot: PinnedSnapshot,
  paying: Paying,
  split: Split,
  amount: bigint
): Effect.Effect<Fate, ReadFailure> => {
  const standing = standingOf(snapshot, paying, split)
  const run = splitFailure(snapshot, paying, split, amount)
  return Effect.map(Effect.all({ standing, run }, AT_ONCE), ({ standing: { isFeeless, barred }, run }) => ({
    isFeeless,
    failure: run.status === "unknown" && barred !== null ? known(barred) : run
  }))
}

export const ownerFate = (
  snapshot: PinnedSnapshot,
  paying: Paying,
  owner: Address,
  amount: bigint
): Effect.Effect<Fate, ReadFailure> => {
  const call = { function: "executeTransferTo", args: [owner, paying.token, amount] } as const
  const sent = ownCall(snapshot, paying, call, Schema.Undefined)
  return Effect.all(
    {
      isFeeless: isFeelessOf(snapshot, paying, owner),
      failure: amount === 0n ? Effect.succeed(NOTHING_TO_SEND) : failureOf(sent)
    },
    AT_ONCE
  )
}
