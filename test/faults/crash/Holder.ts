/** A wallet's owners and the bot that they give a session: it is prepared, enabled, looked at, used and revoked, each request again until it is answered. */
import type { Hex } from "viem"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { enableData, revokeData } from "../../sessions/support/Guarded.ts"
import { ownersDo } from "../../smartaccounts/support/Inspections.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { paymentArguments, paymentRights } from "../operating/Rights.ts"
import { type Operations, operationsBy } from "./Operations.ts"
import { newOperator, sendersTurn } from "./Operator.ts"
import type { Draft, Surroundings } from "./Party.ts"
import { newKey } from "./Speaker.ts"
import type { Told } from "./Told.ts"

const SESSIONS = "/api/v1/smart-accounts/sessions"
const BINDINGS = "/api/v1/smart-accounts/bindings"
const MONTH_SECONDS = 30 * 86_400
const PAST_SECONDS = 30
const POLL_MILLIS = 50
const PER_CALL = 2_000
const TOTAL = "20000"

export type Lifecycle = "activation" | "revocation"

const sleep = () => new Promise<void>(resolve => setTimeout(resolve, POLL_MILLIS))

type Operator = Awaited<ReturnType<typeof newOperator>>

/** As its owners tell the guard without the service. */
const telling = ({ world }: Surroundings, { wallet, owners }: Operator) => {
  const sandbox = onSandbox(world.chainUrl, world.manifest)
  const tell = (data: Hex) => sendersTurn(() => ownersDo(sandbox, wallet, data, owners, GUARD))
  return ({ compiled }: PublicSession, kind: Lifecycle) =>
    tell(
      kind === "activation"
        ? enableData(compiled.encodedPolicy, BigInt(compiled.enableNonce))
        : revokeData(compiled.permissionId)
    )
}

export const newHolder = async (around: Surroundings) => {
  const operator = await newOperator(around)
  const { party, wallet } = operator
  const { ask } = party.self.speaker
  const bindingId = await operator.bind()
  const bot = await party.grantBot(MONTH_SECONDS)
  const sandbox = onSandbox(around.world.chainUrl, around.world.manifest)
  const rights = paymentRights({
    terminal: sandbox.at("JBMultiTerminal"),
    perCallLimit: String(PER_CALL),
    totalLimit: TOTAL
  })

  /** The same key, names and rights, however often it is asked for. */
  const draft = async (generation = "1"): Promise<Draft> => {
    const { timestamp } = await sandbox.client.getBlock()
    const names = { bindingId, grantId: bot.grantId, generation, nonce: freshNonce(realSystem) }
    const body = { ...names, validAfter: Number(timestamp) - PAST_SECONDS, ...rights }
    return { key: newKey(), target: SESSIONS, body }
  }

  const propose = ({ key, target, body }: Draft, to?: string): Promise<Told> =>
    ask({ route: "session", method: "POST", target, key, body, to })

  const prepare = async (wanted: Draft): Promise<PublicSession> => {
    const { session, status, code } = await propose(wanted)
    if (session === undefined) throw new Error(`a session was refused: ${status} ${code}`)
    return session
  }

  const admit = (
    kind: Lifecycle,
    { id, compiled }: PublicSession,
    key: string,
    to?: string
  ): Promise<Told> => {
    const { compiledHash } = compiled
    const target = `${SESSIONS}/${id}/${kind}-plans`
    return ask({ route: "admit", method: "POST", target, key, body: { compiledHash }, to })
  }

  const look = async ({ id }: PublicSession, to?: string, query = ""): Promise<PublicSession> => {
    for (;;) {
      const target = `${SESSIONS}/${id}${query}`
      const { session, status, code } = await ask({ route: "observe", method: "GET", target, to })
      if (session !== undefined) return session
      if (code !== "CONCURRENT_UPDATE") throw new Error(`a session is not shown: ${status} ${code}`)
      await sleep()
    }
  }

  /** That is admitted now, whoever asked for it. */
  const planOf = async (kind: Lifecycle, session: PublicSession): Promise<Plan> => {
    const { [kind]: admitted } = await look(session, undefined, "?refresh=false")
    if (admitted === undefined) throw new Error(`no ${kind} of ${session.id} is admitted`)
    const { plan } = await ask({ route: "show", method: "GET", target: `/api/v1/plans/${admitted.planId}` })
    if (plan === undefined) throw new Error(`the ${kind} of ${session.id} is not shown`)
    return plan
  }

  /** What the bot is to pay. */
  const payment = (): Promise<Plan> => {
    const { contractId } =
      around.world.manifest.deployments.find(item => item.contractId.endsWith(":JBMultiTerminal")) ?? {}
    const value = String(1 + around.chance.below(PER_CALL))
    const call = {
      chainId: 31_337,
      contractId,
      function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
      args: paymentArguments(value),
      value
    }
    const body = { operation: "contract_calls", input: { account: wallet.address, calls: [call] } }
    return party.create(bot, { key: newKey(), target: `${BINDINGS}/${bindingId}/plans`, body })
  }

  /** Signed by the session's key. */
  const using = ({ id }: PublicSession): Operations =>
    operationsBy(
      bot.speaker,
      async ({ signing }): Promise<Hex> => {
        if (signing.scheme !== "eip191-session-operation")
          throw new Error("a session's operation says not what its key signs")
        const signature = await bot.key.sign({ hash: signing.digest })
        return `${signing.signaturePrefix}${signature.slice(2)}`
      },
      { sessionId: id }
    )

  /** How an attempt to use it is answered. */
  const tryUse = async ({ id }: PublicSession, plan: Plan): Promise<Told> => {
    const body = { planId: plan.id, stepIndexes: [0], sessionId: id }
    const target = "/api/v1/user-operations"
    return bot.speaker.ask({ route: "operate", method: "POST", target, key: newKey(), body })
  }
  const tell = telling(around, operator)
  return { operator, draft, propose, prepare, admit, look, planOf, payment, using, tryUse, tell }
}

export type Holder = Awaited<ReturnType<typeof newHolder>>
