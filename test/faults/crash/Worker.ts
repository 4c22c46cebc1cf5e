/** A client that prepares, signs, submits, repeats after silence, and watches until its transaction is confirmed. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { SandboxManifest } from "../../../sandbox/deploy.ts"
import { createClient } from "../../../src/client/Client.ts"
import { approveStep } from "../../../src/client/OwnerApproval.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Chance } from "./Chance.ts"
import { type Gate, makeSpeaker, newKey, type Speaker } from "./Speaker.ts"
import type { Notebook, Told } from "./Told.ts"
import type { Signed, Wallet } from "./Wallet.ts"

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const POLL_MILLIS = 60
const RIVALS = 0.15
const TWINS = 0.3
const REVOKED = 0.15
const BOTS = 0.4

const pause = () => new Promise(resolve => setTimeout(resolve, POLL_MILLIS))

export interface Surroundings {
  readonly url: string
  readonly manifest: SandboxManifest
  readonly gate: Gate
  readonly notebook: Notebook
  readonly chance: Chance
  readonly goesOn: () => boolean
  /** Told at the start of each submission. */
  readonly onSubmission: () => void
}

interface Round {
  readonly speaker: Speaker
  readonly grantId: string | undefined
}

const paymentOf = ({ manifest, chance }: Surroundings, wallet: Wallet) => {
  const contractId = manifest.deployments.find(item =>
    item.contractId.endsWith(":JBMultiTerminal")
  )?.contractId
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
  const calls = chance.happens(0.3) ? [call([]), call([0])] : [call([])]
  return { operation: "contract_calls", input: { account: beneficiary, calls } }
}

const stepOf = (told: Told, step: number) => told.plan?.steps[step]

export const makeWorker = (wallet: Wallet, around: Surroundings) => {
  const { url, gate, notebook, chance } = around
  const { account: owner } = wallet
  const accountId = `eip155:31337:${owner.address.toLowerCase()}`
  const ownSpeaker = makeSpeaker(url, owner, gate, notebook, chance)
  const client = createClient({
    baseUrl: url,
    account: accountId,
    signer: owner,
    retries: 1_000,
    audience: url
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

  const newBot = async (): Promise<Round> => {
    const key = privateKeyToAccount(generatePrivateKey())
    const scopes = ["read", "plan", "relay"] as const
    const terms = { bot: key, scopes, expiresAt: Math.floor(Date.now() / 1000) + 3600 }
    const grant = await insisting(() => client.bots.grant(terms))
    const speaker = makeSpeaker(url, owner, gate, notebook, chance, { key, grantId: grant.id })
    return { speaker, grantId: grant.id }
  }

  const bodyFor = async (plan: Plan, step: number, { raw }: Signed, { grantId }: Round) => {
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

  const submit = async (plan: Plan, step: number, signed: Signed, round: Round, key = newKey()) => {
    notebook.waiting.add(signed.hash)
    around.onSubmission()
    const target = `/api/v1/plans/${plan.id}/steps/${step}/submissions`
    const body = await bodyFor(plan, step, signed, round)
    const told = await round.speaker.ask({ route: "submit", method: "POST", target, key, body })
    notebook.waiting.delete(signed.hash)
    return told
  }

  const sign = async (plan: Plan, step: number, nonce: number, tip: bigint) => {
    const call = plan.calls[step]
    if (call === undefined) throw new Error("the plan has no such call")
    const signed = await wallet.sign(call, nonce, tip)
    const slot = `${call.chainId}/${owner.address}/${nonce}`
    notebook.signed.push({ planId: plan.id, step, hash: signed.hash, slot })
    return signed
  }

  const show = ({ speaker }: Round, plan: Plan) =>
    speaker.ask({ route: "show", method: "GET", target: `/api/v1/plans/${plan.id}?refresh=true` })

  /** The owner reads a revoked bot's plan; its transaction stays the wallet's own to send. */
  const finishRevoked = async (plan: Plan, step: number, candidates: ReadonlyArray<Signed>) => {
    const own: Round = { speaker: ownSpeaker, grantId: undefined }
    for (;;) {
      const seen = stepOf(await show(own, plan), step)
      if (seen === undefined || seen.transaction === undefined || seen.state === "confirmed") return
      const signed = candidates.find(({ hash }) => hash === seen.transaction?.hash)
      if (signed !== undefined && seen.state === "unknown" && !(await wallet.knows(signed.hash))) {
        notebook.direct.add(signed.hash)
        await wallet.sendDirectly(signed.raw).catch(() => undefined)
      }
      await pause()
    }
  }

  const watch = async (plan: Plan, step: number, candidates: ReadonlyArray<Signed>, round: Round) => {
    for (;;) {
      const told = await show(round, plan)
      if (told.code === "FORBIDDEN" || told.status === 401 || told.status === 403)
        return finishRevoked(plan, step, candidates)
      const seen = stepOf(told, step)
      if (seen?.state === "confirmed") return
      const signed = candidates.find(({ hash }) => hash === (seen?.transaction?.hash ?? candidates[0]?.hash))
      const isOpen = seen?.dispatch === undefined || seen.dispatch.status === "unknown"
      if (signed !== undefined && isOpen) await submit(plan, step, signed, round)
      await pause()
    }
  }

  const revokeSoon = async (grantId: string) => {
    await new Promise(resolve => setTimeout(resolve, chance.below(60)))
    await insisting(() => client.bots.revoke(grantId))
  }

  const relay = async (plan: Plan, step: number, round: Round) => {
    const nonce = await wallet.pendingNonce()
    const first = await sign(plan, step, nonce, 1_000_000_000n)
    const candidates = chance.happens(RIVALS)
      ? [first, await sign(plan, step, nonce, 2_000_000_000n)]
      : [first]
    const attempts = candidates.map(signed => submit(plan, step, signed, round))
    const twins = chance.happens(TWINS) ? [submit(plan, step, first, round)] : []
    const { grantId } = round
    const revocation = grantId !== undefined && chance.happens(REVOKED) ? [revokeSoon(grantId)] : []
    await Promise.all([...attempts, ...twins, ...revocation])
    await watch(plan, step, candidates, round)
  }

  const round = async () => {
    const by: Round = chance.happens(BOTS) ? await newBot() : { speaker: ownSpeaker, grantId: undefined }
    const key = newKey()
    const body = paymentOf(around, wallet)
    const request = { route: "create", method: "POST", target: "/api/v1/plans", key, body } as const
    const created = await by.speaker.ask(request)
    const { plan } = created
    if (plan === undefined) throw new Error(`a plan was refused: ${created.status} ${created.code}`)
    for (const step of plan.calls.keys()) await relay(plan, step, by)
  }

  const run = async () => {
    await client.accounts.enroll()
    while (around.goesOn()) await round()
  }
  return { run }
}
