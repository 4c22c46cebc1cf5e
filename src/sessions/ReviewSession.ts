/** Says what a session would allow, at one block; nothing is stored. */
import { Effect } from "effect"
import { ZERO_ADDRESS } from "../values/Scalars.ts"
import { visible } from "../values/UntrustedText.ts"
import { type AskedSession, askedSession } from "./AskedSession.ts"
import { ZERO_HASH } from "./Compile.ts"
import { compileSession, policyTerms } from "./CompileSession.ts"
import { NATIVE_ASSET } from "./KnownRights.ts"
import { encodePolicy } from "./Policy.ts"
import type { SessionPolicy } from "./PolicyShape.ts"
import { policySentences } from "./PolicyWords.ts"
import type { SessionReview } from "./Session.ts"
import { type SessionGround, sessionGround } from "./SessionGround.ts"
import type { SessionReviewInput } from "./SessionInput.ts"
import { unlistedGuard } from "./UnlistedGuard.ts"

const NO_GAS: SessionPolicy["gas"] = {
  paymaster: ZERO_ADDRESS,
  paymasterCodeHash: ZERO_HASH,
  paymasterDataLength: 0,
  maxGasPerOperation: "0",
  maxFeePerGas: "0",
  maxPriorityFeePerGas: "0",
  totalGas: "0",
  totalCost: "0"
}

type Terms = ReturnType<typeof policyTerms>

/** From the bytes that would be enabled; of a policy without a gas budget nothing is said of gas. */
const wordsOf = (
  { manifest, allocations }: AskedSession,
  terms: Terms,
  gas: SessionPolicy["gas"] | undefined
): ReadonlyArray<string> => {
  const names = { assets: manifest.reviewed.assets, allocationIds: allocations.map(({ id }) => id) }
  const sentences = policySentences(encodePolicy({ ...terms, gas: gas ?? NO_GAS }), names) ?? []
  return sentences
    .filter(({ about }) => gas !== undefined || (about !== "gas" && about !== "payer"))
    .map(({ text }) => text)
}

/** Tokens that a terminal takes from the wallet only where that allows it. */
const allowances = ({ input, allocations, manifest }: AskedSession): ReadonlyArray<string> =>
  input.actions.flatMap(action => {
    if (action.kind !== "v6-pay") return []
    const asset = allocations.find(({ id }) => id === action.allocationId)?.asset
    if (asset === undefined || asset === NATIVE_ASSET) return []
    const symbol = manifest.reviewed.assets.find(({ address }) => address === asset)?.symbol ?? asset
    return [
      `Payments in ${visible(symbol, 42).text} need an allowance of the wallet's for the terminal ${action.terminal}, which the wallet's owners give by an ordinary plan.`
    ]
  })

const INSTALLS =
  "The wallet does not have the guard: enabling the session installs it, which changes the state that the wallet is bound in, so that it has to be bound anew then."

const ofInstallation = (
  { guard }: AskedSession,
  { wallet, administration }: SessionGround
): ReadonlyArray<string> => {
  const unlisted = unlistedGuard(guard.address, wallet, administration)
  if (unlisted !== undefined) return [unlisted]
  return administration.installed ? [] : [INSTALLS]
}

const warningsOf = (asked: AskedSession, ground: SessionGround): ReadonlyArray<string> => [
  ...(asked.input.gasBudget === undefined
    ? ["There is no gas budget: nothing of this can be enabled before there is one."]
    : []),
  ...(ground.administration.live === null
    ? []
    : [
        `The permission ${ground.administration.live} lives at the wallet's guard: no other session is prepared or enabled before it is revoked.`
      ]),
  ...ofInstallation(asked, ground),
  ...allowances(asked),
  ...(asked.input.allocations.some(({ allocations }) =>
    allocations.some(({ chainId }) => chainId !== asked.manifest.chainId)
  )
    ? ["Allocations on other chains are not enforced by this session: each chain has its own."]
    : [])
]

export const reviewedSession = Effect.fn("ReviewSession.review")(function* (input: SessionReviewInput) {
  const asked = yield* askedSession(input)
  const ground = yield* sessionGround(asked)
  const { wallet, evidence } = ground
  const { gasBudget } = input
  const compiled = gasBudget === undefined ? undefined : yield* compileSession(asked, ground, gasBudget)
  const terms = policyTerms(asked)
  const review: SessionReview = {
    status: "reviewable-not-activated",
    policy: compiled?.policy ?? terms,
    words: wordsOf(asked, terms, compiled?.policy.gas),
    ...(compiled === undefined ? {} : { compiled }),
    walletStateHash: wallet.stateHash,
    manifestRevision: asked.manifest.revision,
    evidence,
    warnings: warningsOf(asked, ground),
    ownerApproval: { required: true, signer: "wallet-owner-threshold", action: "enable-exact-policy" }
  }
  return review
})
