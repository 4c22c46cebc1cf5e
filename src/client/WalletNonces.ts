/** No nonce is signed for twice while what was signed first may still be sent. */
import type { Plan } from "../plans/Plan.ts"
import { isRefusedBy, StepHeld } from "./Errors.ts"
import { isOnChain } from "./StepStanding.ts"
import { type HeldNonce, keptNonces, keptStep, type Store } from "./Store.ts"

export interface WalletNonces {
  readonly store: Store
  readonly chainId: number
  readonly wallet: string
  /** Who the plans are of, and at which service. */
  readonly principal: () => Promise<string>
  readonly show: (planId: string) => Promise<Plan>
  readonly hasExpired: (plan: Plan) => boolean
}

const keptIn = ({ store, chainId, wallet }: WalletNonces) => keptNonces(store, chainId, wallet)

const isSame = (left: HeldNonce, right: Pick<HeldNonce, "planId" | "step">): boolean =>
  left.planId === right.planId && left.step === right.step

const shown = ({ show }: WalletNonces, planId: string): Promise<Plan | undefined> =>
  show(planId).catch((failure: unknown) => {
    if (isRefusedBy(failure, "PLAN_NOT_FOUND")) return undefined
    throw failure
  })

/** Undefined where it was executed. A plan of another principal, or at another service, cannot be looked at: then it may be sent as long as its bytes are here. */
const maySend = async (nonces: WalletNonces, held: HeldNonce): Promise<boolean | undefined> => {
  const kept = keptStep(nonces.store, held.planId, held.step)
  const isHere = (await kept.recall())?.submission !== undefined
  if (held.principal !== (await nonces.principal())) return isHere
  const plan = await shown(nonces, held.planId)
  const step = plan?.steps[held.step]
  if (plan !== undefined && step?.transaction !== undefined) return !isOnChain(step) || undefined
  if (isHere && plan !== undefined && !nonces.hasExpired(plan)) return true
  if (!plan?.restoredAt) await kept.forget()
  return false
}

/** Rejects with `StepHeld` where another step holds the nonce; false where one was executed with it or a later one, which the node that gave it does not see yet. */
export const isFree = async (
  nonces: WalletNonces,
  nonce: number,
  planned: Pick<HeldNonce, "planId" | "step">
): Promise<boolean> => {
  const all = (await keptIn(nonces).recall()) ?? []
  for (const held of all) {
    const isOpen = held.nonce >= nonce && !isSame(held, planned) && (await maySend(nonces, held))
    if (isOpen === undefined) return false
    if (isOpen && held.nonce === nonce)
      throw new StepHeld(
        "nonce",
        `Nonce ${nonce} of ${nonces.wallet} was signed for step ${held.step} of the plan ${held.planId}, which may still be sent.`,
        held.planId,
        held.step
      )
  }
  return true
}

const without = async (nonces: WalletNonces, gone: Pick<HeldNonce, "planId" | "step">) =>
  ((await keptIn(nonces).recall()) ?? []).filter(held => !isSame(held, gone))

/** Kept before the bytes are. */
export const holdNonce = async (nonces: WalletNonces, held: Omit<HeldNonce, "principal">): Promise<void> => {
  const principal = await nonces.principal()
  const others = (await without(nonces, held)).filter(({ nonce }) => nonce !== held.nonce)
  await keptIn(nonces).keep([...others, { ...held, principal }])
}

export const releaseNonce = async (
  nonces: WalletNonces,
  of: Pick<HeldNonce, "planId" | "step">
): Promise<void> => {
  const others = await without(nonces, of)
  await (others.length === 0 ? keptIn(nonces).forget() : keptIn(nonces).keep(others))
}

const turns = new Map<string, Promise<unknown>>()

/** One after the other for each wallet on a chain, in this process. */
export const inTurn = <A>({ chainId, wallet }: WalletNonces, work: () => Promise<A>): Promise<A> => {
  const name = `${chainId}:${wallet.toLowerCase()}`
  const before = turns.get(name) ?? Promise.resolve()
  const now = before.then(work, work)
  const ended = now.then(
    () => undefined,
    () => undefined
  )
  turns.set(name, ended)
  return now
}
