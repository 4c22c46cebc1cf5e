/** One session as its page has it: read by the owner, computed anew from what was asked for, and compared with the bytes that would be enabled. */
import { checkSession } from "../../client/CheckSession.ts"
import { AlteredPlan } from "../../client/Errors.ts"
import { policyAskedFor } from "../../client/SessionPolicy.ts"
import { pagePath } from "../../review/PagePath.ts"
import { exact, row, words } from "../../review/Words.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { SmartAccountCapabilities } from "../../smartaccounts/SmartAccount.ts"
import type { Seat } from "../app/Seat.ts"
import type { Desk } from "../Desk.ts"
import type { OfferedWallet } from "../wallets/WalletWords.ts"
import { botWith } from "./BotsOfAccount.ts"
import { policyDifferences } from "./PolicyDifferences.ts"

export interface CheckedSession {
  readonly session: PublicSession
  readonly manifest: OfferedWallet["manifest"] | undefined
  /** What is not as it is computed here: nothing is enabled then. */
  readonly dangers: ReadonlyArray<string>
}

type LifecycleKind = "activation" | "revocation"

/** What the parts of its page act on. */
export interface Acting {
  readonly checked: CheckedSession
  readonly desk: SessionDesk
  readonly seat: Seat
  readonly show: (checked: CheckedSession) => void
}

const prepared = new WeakMap<Desk, PublicSession>()

/** What was prepared a moment ago is not asked for again. */
export const handOver = (desk: Desk, session: PublicSession): void => {
  prepared.set(desk, session)
}

/** Several of a chain may pin one guard, and review other contracts: the one by which the session is compiled, else the first. */
const guardedBy = (
  session: PublicSession,
  { deployments }: SmartAccountCapabilities
): CheckedSession["manifest"] => {
  const { chainId, compiled } = session
  const manifests = deployments
    .map(({ manifest }) => manifest)
    .filter(manifest => manifest.chainId === chainId && manifest.pins.guard?.address === compiled.guard)
  const own = manifests.find(
    manifest => policyDifferences(policyAskedFor(session, manifest), compiled.encodedPolicy).length === 0
  )
  return own ?? manifests[0]
}

const UNKNOWN_KEY = "The account knows no bot of the grant that the session is of."
const OTHER_KEY = "The session's key is not the address of the bot whose grant it names."
const UNKNOWN_GUARD = "No kind of wallet that the service tells of has the session's guard."
const OTHER_SESSION = "It is another session than the one that was asked for."

export class SessionDesk {
  readonly #seat: Seat
  readonly #id: string
  #kinds: SmartAccountCapabilities | undefined

  constructor(seat: Seat, id: string) {
    this.#seat = seat
    this.#id = id
  }

  nowMillis(): number {
    return this.#seat.desk.owner.clock.seconds() * 1000
  }

  async read(): Promise<CheckedSession> {
    const { desk } = this.#seat
    const before = prepared.get(desk)
    prepared.delete(desk)
    return this.#checked(before?.id === this.#id ? before : await desk.owner.sessions.show(this.#id))
  }

  /** By the guard's counters, which are looked at for it. */
  async count(checked: CheckedSession): Promise<CheckedSession> {
    const { state, observation, reservationReleased } = await this.#seat.desk.owner.sessions.quota(this.#id)
    const seen = observation === null ? {} : { observation }
    return { ...checked, session: { ...checked.session, state, reservationReleased, ...seen } }
  }

  /** To the page of the plan by which the owners enable or revoke it. */
  async plan(kind: LifecycleKind, { session }: CheckedSession): Promise<CheckedSession> {
    const { desk, go } = this.#seat
    const { owner } = desk
    const about = [
      row("wallet", exact(session.wallet), words(` on chain ${session.chainId}`)),
      row("key", exact(session.sessionKey)),
      row("compiled hash", exact(session.compiled.compiledHash))
    ]
    const planned = await desk.about(about, ({ owner: { sessions } }) =>
      kind === "activation" ? sessions.planActivation(session) : sessions.planRevocation(session)
    )
    if (planned.plan !== null) go(pagePath(planned.plan.id, owner.account, owner.principalId))
    return this.#checked(planned.session)
  }

  /** Asked for once, so that each look at the session costs one question. */
  async #kindsOfWallets(): Promise<SmartAccountCapabilities> {
    this.#kinds ??= await this.#seat.desk.client.smartAccounts.capabilities()
    return this.#kinds
  }

  async #alteredKey({ grantId, sessionKey }: PublicSession): Promise<ReadonlyArray<string>> {
    const bot = await botWith(this.#seat.desk, grantId)
    if (bot === undefined) return [UNKNOWN_KEY]
    return bot.botAddress.toLowerCase() === sessionKey.toLowerCase() ? [] : [OTHER_KEY]
  }

  /** What owners, guard and operations go by beside the policy's own bytes. */
  async #altered(session: PublicSession): Promise<ReadonlyArray<string>> {
    const { account } = this.#seat.desk.owner
    const smartAccounts = { capabilities: () => this.#kindsOfWallets() }
    try {
      await checkSession({ client: { account, smartAccounts }, session })
      return []
    } catch (failure) {
      if (failure instanceof AlteredPlan) return [failure.message]
      throw failure
    }
  }

  async #checked(session: PublicSession): Promise<CheckedSession> {
    const manifest = guardedBy(session, await this.#kindsOfWallets())
    const dangers = [
      ...(session.id === this.#id ? [] : [OTHER_SESSION]),
      ...(manifest === undefined
        ? [UNKNOWN_GUARD]
        : policyDifferences(policyAskedFor(session, manifest), session.compiled.encodedPolicy)),
      ...(await this.#altered(session)),
      ...(await this.#alteredKey(session))
    ]
    return { session, manifest, dangers }
  }
}
