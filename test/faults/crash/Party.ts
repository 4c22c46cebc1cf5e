/** A wallet's owner and its bots: they prepare, sign, submit, repeat after silence, and see each step through. */
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { createClient } from "../../../src/client/Client.ts"
import { approveStep } from "../../../src/client/OwnerApproval.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Chance } from "./Chance.ts"
import { type Gate, makeSpeaker, newKey, type Speaker } from "./Speaker.ts"
import type { Notebook, Told } from "./Told.ts"
import type { Signed, Wallet } from "./Wallet.ts"
import type { World } from "./World.ts"

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const POLL_MILLIS = 30
/** Longer than any run. */
const DAY = 86_400
const KNOWN = ["submitted", "confirming", "confirmed"]

const pause = () => new Promise(resolve => setTimeout(resolve, POLL_MILLIS))

export interface Surroundings {
  readonly world: World
  readonly gate: Gate
  readonly notebook: Notebook
  readonly chance: Chance
  /** Any living process. */
  readonly anyone: () => string
}

/** Who acts. */
export interface Role {
  readonly speaker: Speaker
  readonly grantId: string | undefined
  /** What it signs with. */
  readonly key: PrivateKeyAccount
}

export interface Draft {
  readonly key: string
  readonly target: string
  readonly body: unknown
}

/** A step with the transactions that were signed for it, of which one may be bound. */
export interface Work {
  readonly plan: Plan
  readonly step: number
  readonly candidates: ReadonlyArray<Signed>
}

const paymentsOf = ({ world, chance }: Surroundings, wallet: Wallet, calls: number) => {
  const { contractId } =
    world.manifest.deployments.find(item => item.contractId.endsWith(":JBMultiTerminal")) ?? {}
  const value = String(1 + chance.below(1_000_000))
  const beneficiary = wallet.account.address
  const call = (dependsOn: ReadonlyArray<number>) => ({
    chainId: 31337,
    contractId,
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, value, beneficiary, "0", "thanks", "0x"],
    value,
    dependsOn
  })
  const planned = Array.from({ length: calls }, (_, index) => call(index === 0 ? [] : [index - 1]))
  const body = { operation: "contract_calls", input: { account: beneficiary, calls: planned } }
  return { target: "/api/v1/plans", body }
}

/** One payment that the service works out by itself. */
const operationPayment = ({ chance }: Surroundings, { account: { address } }: Wallet) => ({
  target: "/api/v1/operations/prepare_pay/plans",
  body: {
    project: { chainId: 31337, projectId: "2" },
    account: address,
    beneficiary: address,
    token: NATIVE_TOKEN,
    amount: String(1_000_000 + chance.below(1_000_000))
  }
})

/** The step as one answer showed it. */
export const stepIn = (told: Told, { step }: Pick<Work, "step">) => told.plan?.steps[step]

/** Of the plans with a single call. */
const BY_OPERATION = 0.3

/** Leaves room for those whose grant was not answered. */
const BOTS = 60

const isShut = ({ status }: Told) => status === 401 || status === 403

export const makeParty = (wallet: Wallet, around: Surroundings) => {
  const { world, gate, notebook, chance } = around
  const { account: owner } = wallet
  const { url } = world
  const accountId = `eip155:31337:${owner.address.toLowerCase()}`
  const reach = around.anyone
  const self: Role = {
    speaker: makeSpeaker(url, owner, gate, notebook, chance, undefined, reach),
    grantId: undefined,
    key: owner
  }
  const client = createClient({
    baseUrl: url,
    account: accountId,
    signer: owner,
    audience: url,
    fetch: (address, init) => fetch(address.replace(url, around.anyone()), init)
  })

  /** Asks again after silence, which may leave a grant that nobody uses. */
  const insisting = async <A>(ask: () => Promise<A>): Promise<A> => {
    for (;;) {
      await gate.open()
      const answer = await ask().catch(() => undefined)
      if (answer !== undefined) return answer
      await pause()
    }
  }

  const grantBot = async (seconds = DAY): Promise<Role> => {
    const key = privateKeyToAccount(generatePrivateKey())
    const scopes = ["read", "plan", "relay"] as const
    const expiresAt = Math.floor(Date.now() / 1000) + seconds
    const grant = await insisting(() => client.bots.grant({ bot: key, scopes, expiresAt }))
    const bot = { key, grantId: grant.id }
    return { speaker: makeSpeaker(url, owner, gate, notebook, chance, bot, reach), grantId: grant.id, key }
  }

  let granted = 0
  const bots: Array<Role> = []

  /** An account keeps a hundred grants, revoked ones too, so that a long campaign goes on with the bots that it has. */
  const newBot = async (): Promise<Role> => {
    const [first, ...others] = bots
    if (granted >= BOTS) return first === undefined ? self : chance.pick([first, ...others])
    granted += 1
    const bot = await grantBot()
    bots.push(bot)
    return bot
  }

  const revoke = async (grantId: string) => {
    const place = bots.findIndex(bot => bot.grantId === grantId)
    if (place >= 0) bots.splice(place, 1)
    await insisting(() => client.bots.revoke(grantId))
  }

  /** The same key and body, however often it is asked for. */
  const draft = (calls: number): Draft => ({
    key: newKey(),
    ...(calls === 1 && chance.happens(BY_OPERATION)
      ? operationPayment(around, wallet)
      : paymentsOf(around, wallet, calls))
  })

  const create = async ({ speaker }: Role, { key, target, body }: Draft, to?: string): Promise<Plan> => {
    const request = { route: "create", method: "POST", target, key, body } as const
    const { plan, status, code } = await speaker.ask({ ...request, to })
    if (plan === undefined) throw new Error(`a plan was refused: ${status} ${code}`)
    return plan
  }

  const bodyFor = async ({ plan, step }: Work, { raw }: Signed, { grantId }: Role) => {
    if (grantId === undefined) return { rawSignedTransaction: raw }
    const issuedAt = Math.floor(Date.now() / 1000)
    const approval = {
      audience: url,
      accountId,
      grantId,
      plan,
      stepIndex: step,
      rawSignedTransaction: raw,
      issuedAt
    }
    return {
      rawSignedTransaction: raw,
      ownerApproval: await approveStep(owner, { ...approval, windowSeconds: 300 })
    }
  }

  const submit = async (work: Work, signed: Signed, role: Role, key = newKey(), to?: string) => {
    const target = `/api/v1/plans/${work.plan.id}/steps/${work.step}/submissions`
    const body = await bodyFor(work, signed, role)
    return role.speaker.ask({ route: "submit", method: "POST", target, key, body, to })
  }

  const sign = async (plan: Plan, step: number, rivals: number): Promise<Work> => {
    const call = plan.calls[step]
    if (call === undefined) throw new Error("the plan has no such call")
    const nonce = await wallet.pendingNonce()
    const slot = `${call.chainId}/${owner.address}/${nonce}`
    const tips = Array.from({ length: 1 + rivals }, (_, index) => BigInt(index + 1) * 1_000_000_000n)
    const candidates = await Promise.all(tips.map(tip => wallet.sign(call, nonce, tip)))
    for (const { hash } of candidates) notebook.signed.push({ planId: plan.id, step, hash, slot })
    return { plan, step, candidates }
  }

  const show = ({ speaker }: Role, { plan }: Pick<Work, "plan">, to?: string) =>
    speaker.ask({ route: "show", method: "GET", target: `/api/v1/plans/${plan.id}?refresh=true`, to })

  const sendPast = async ({ raw, hash }: Signed) => {
    notebook.direct.add(hash)
    await wallet.sendDirectly(raw).catch(() => undefined)
  }

  /** A claim that a held process has just made and not committed is passed over. */
  const expireLease = ({ plan }: Pick<Work, "plan">) =>
    world.sql(
      `UPDATE dispatch_leases SET expires_at = least(expires_at, unix_millis()) WHERE (plan, step) IN (
         SELECT plan, step FROM dispatch_leases WHERE outcome IS NULL AND plan = $1 FOR UPDATE SKIP LOCKED)`,
      [plan.id]
    )

  const bound = ({ candidates }: Work, hash: string | undefined) =>
    candidates.find(signed => signed.hash === hash)

  /** The owner reads a plan that admits nothing more, a revoked bot's or one past its time; its transaction stays the wallet's own to send. */
  const inherit = async (work: Work) => {
    for (;;) {
      const seen = stepIn(await show(self, work), work)
      if (seen?.transaction === undefined || KNOWN.includes(seen.state)) return
      const signed = bound(work, seen.transaction.hash)
      if (signed !== undefined && !(await wallet.knows(signed.hash))) await sendPast(signed)
      await pause()
    }
  }

  /** Until the chain knows one of its transactions; until it is confirmed, where others wait for it. */
  const finish = async (work: Work, role: Role, states = KNOWN): Promise<void> => {
    for (;;) {
      const told = await show(role, work)
      if (isShut(told)) return inherit(work)
      const seen = stepIn(told, work)
      if (seen !== undefined && states.includes(seen.state)) return
      const isOpen = seen?.dispatch === undefined || ["unknown", "in-flight"].includes(seen.dispatch.status)
      if (isOpen && !KNOWN.includes(seen?.state ?? "")) {
        await expireLease(work)
        const signed = bound(work, seen?.transaction?.hash) ?? work.candidates[0]
        const answer = signed && (await submit(work, signed, role))
        if (answer?.code === "PLAN_EXPIRED") return inherit(work)
      }
      await pause()
    }
  }

  return {
    self,
    grantBot,
    newBot,
    draft,
    create,
    sign,
    submit,
    show,
    finish,
    expireLease,
    sendPast,
    revoke,
    enroll: () => insisting(() => client.accounts.enroll())
  }
}

export type Party = ReturnType<typeof makeParty>
