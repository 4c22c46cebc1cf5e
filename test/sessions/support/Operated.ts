/** Wallets whose owners enabled a bot's session, and the operations that it makes through the service and the real bundler. */
import type { Hex } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { assert } from "vitest"
import { addressOf } from "../../../sandbox/addresses.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { owner as developer } from "../../sandbox/support/Sandbox.ts"
import { ownersDo } from "../../smartaccounts/support/Inspections.ts"
import { ENTRY_POINT, GUARD } from "../../smartaccounts/support/Wallets.ts"
import { inSeconds, newBot } from "../../support/Bots.ts"
import { payment } from "../../support/PlannedCalls.ts"
import { mine } from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { until } from "../../support/Until.ts"
import {
  askOperation,
  type BoundTestWallet,
  boundWallet,
  type OperatingBench,
  sendOperation,
  walletPlan
} from "../../useroperations/support/Operating.ts"
import { enableData, revokeData, sessionNonceKey } from "./Guarded.ts"

/** Whom these sessions may pay for, with nothing back. */
export const BENEFICIARY: Address = "0x00000000000000000000000000000000000000b0"

const DAY = 86_400
const GWEI = 10n ** 9n

export const terminal = checksummed(addressOf("JBMultiTerminal", developer.address).toLowerCase())

export type Bot = Awaited<ReturnType<typeof newBot>>

export const PER_CALL = 1_000n

/** Whatever carries its operations. */
export type SessionedBench = Omit<OperatingBench, "bundler" | "bundling" | "stop">

type Members = Readonly<Record<string, unknown>>

export const GAS_LIMITS = {
  paymaster: null,
  paymasterDataLength: 0,
  maxGasPerOperation: "3000000",
  maxFeePerGas: String(50n * GWEI),
  maxPriorityFeePerGas: String(5n * GWEI),
  totalGasLimit: "30000000",
  totalCostLimit: String(30_000_000n * 50n * GWEI)
}

const payAction = (over: Members = {}) => ({
  kind: "v6-pay",
  allocationId: "tips",
  beneficiary: BENEFICIARY,
  perCallLimit: String(PER_CALL),
  totalLimit: String(5n * PER_CALL),
  terminal,
  projectId: "2",
  minReturnedTokens: "0",
  ...over
})

/** A week of payments to one project. */
export const sessionInput = async (
  { sandbox }: Pick<OperatingBench, "sandbox">,
  { binding }: Pick<BoundTestWallet, "binding">,
  bot: Bot,
  { action = {}, gas = {}, ...over }: { readonly action?: Members; readonly gas?: Members } & Members = {}
) => {
  const { timestamp } = await sandbox.client.getBlock()
  const limit = String(5n * PER_CALL)
  return {
    bindingId: binding.id,
    grantId: bot.grantId,
    generation: "1",
    nonce: freshNonce(),
    validAfter: Number(timestamp) - 30,
    durationDays: 7,
    maximumCalls: 100,
    gasBudget: { ...GAS_LIMITS, ...gas },
    allocations: [
      {
        id: "all",
        total: limit,
        allocations: [{ id: "tips", chainId: 31_337, asset: NATIVE_TOKEN, limit }]
      }
    ],
    actions: [payAction(action)],
    ...over
  }
}

export const sessionBot = ({ service }: Pick<OperatingBench, "service">, owner: Party): Promise<Bot> =>
  newBot(service, owner, { scopes: ["read", "plan", "relay"], expiresAt: inSeconds(40 * DAY) })

const SESSIONS = "/api/v1/smart-accounts/sessions"

export const preparedSession = async (
  bench: Pick<OperatingBench, "sandbox" | "service">,
  bound: BoundTestWallet,
  bot: Bot,
  changes: Parameters<typeof sessionInput>[3] = {}
): Promise<PublicSession> => {
  const body = await sessionInput(bench, bound, bot, changes)
  const answer = await signedFetch(bench.service, bound.owner, "POST", SESSIONS, {
    body,
    idempotencyKey: freshNonce()
  })
  const session = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(session))
  return session
}

export const shownSession = async (
  { service }: Pick<OperatingBench, "service">,
  party: Party,
  { id }: Pick<PublicSession, "id">
): Promise<PublicSession> => {
  const answer = await signedFetch(service, party, "GET", `${SESSIONS}/${id}`)
  const session = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(session))
  return session
}

/** By a transaction of the wallet's own, as its owners can make it without the service. */
export const ownersTell = (
  { sandbox }: Pick<OperatingBench, "sandbox">,
  { wallet, owners }: BoundTestWallet,
  data: Hex
) => ownersDo(sandbox, wallet, data, owners, GUARD)

export interface LiveSession extends BoundTestWallet {
  readonly bot: Bot
  readonly session: PublicSession
}

/** A wallet with a session that is active. */
export const liveSession = async (
  bench: SessionedBench,
  changes: Parameters<typeof sessionInput>[3] = {}
): Promise<LiveSession> => {
  const bound = await boundWallet(bench)
  const bot = await sessionBot(bench, bound.owner)
  const prepared = await preparedSession(bench, bound, bot, changes)
  await ownersTell(bench, bound, enableData(prepared.compiled.encodedPolicy))
  const session = await shownSession(bench, bot, prepared)
  assert.strictEqual(session.state, "active", JSON.stringify(session))
  return { ...bound, bot, session }
}

export const revokedByOwners = (bench: SessionedBench, live: LiveSession) =>
  ownersTell(bench, live, revokeData(live.session.compiled.permissionId))

export interface Paying {
  readonly amount?: bigint
  readonly by?: Party
  /** In place of the call that the session has. */
  readonly call?: Members
}

export const paymentPlan = (
  bench: SessionedBench,
  live: LiveSession,
  { amount = PER_CALL, by = live.bot, call = {} }: Paying = {}
): Promise<Plan> => {
  const args = ["2", NATIVE_TOKEN, String(amount), BENEFICIARY, "0", "", "0x"]
  const pay = payment(bench, BENEFICIARY, { args, value: String(amount), ...call })
  return walletPlan(bench, live, { by, calls: [pay] })
}

export const askSessionOperation = (
  { service }: Pick<OperatingBench, "service">,
  { bot, session }: Pick<LiveSession, "bot" | "session">,
  plan: Pick<Plan, "id">,
  { by = bot, ...over }: { readonly by?: Party } & Members = {},
  options: RequestOptions = {}
) => askOperation(service, by, { planId: plan.id, stepIndexes: [0], sessionId: session.id, ...over }, options)

export const sessionOperationOf = async (
  bench: SessionedBench,
  live: LiveSession,
  paying: Paying = {}
): Promise<PublicUserOperation> => {
  const plan = await paymentPlan(bench, live, paying)
  const answer = await askSessionOperation(
    bench,
    live,
    plan,
    paying.by === undefined ? {} : { by: paying.by }
  )
  const operation = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(operation))
  return operation
}

/** As the session's key signs it. */
export const signedByKey = async (
  { signing }: PublicUserOperation,
  { key }: Pick<Party, "key">
): Promise<Hex> => {
  if (signing.scheme !== "eip191-session-operation") return assert.fail("no session's operation")
  const signature = await key.signMessage({ message: signing.message })
  return `${signing.signaturePrefix}${signature.slice(2)}` as const
}

export const sendByKey = async (
  bench: Pick<OperatingBench, "service">,
  { bot }: Pick<LiveSession, "bot">,
  operation: PublicUserOperation,
  options: RequestOptions & { readonly by?: Party } = {}
) => {
  const { by = bot, ...others } = options
  return sendOperation(bench.service, by, operation, await signedByKey(operation, bot), others)
}

export const sentByKey = async (
  bench: Pick<OperatingBench, "service">,
  live: Pick<LiveSession, "bot">,
  operation: PublicUserOperation
): Promise<PublicUserOperation> => {
  const answer = await sendByKey(bench, live, operation)
  const told = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(told))
  return told
}

/** Until the bundler has it executed; blocks are mined meanwhile. */
export const executedByBundler = async (
  bench: OperatingBench,
  { operation: { sender, nonce } }: PublicUserOperation
) => {
  const { client } = bench.sandbox
  await until(
    async () => {
      await mine(bench, 1)
      return client.readContract({
        address: ENTRY_POINT,
        abi: entryPoint07Abi,
        functionName: "getNonce",
        args: [sender, sessionNonceKey()]
      })
    },
    next => next > BigInt(nonce)
  )
}

export const shownOperationOf = async (
  { service }: Pick<OperatingBench, "service">,
  party: Party,
  { id }: Pick<PublicUserOperation, "id">
): Promise<PublicUserOperation> =>
  (await signedFetch(service, party, "GET", `/api/v1/user-operations/${id}`)).json()

/** Prepared, signed, sent and executed. */
export const used = async (bench: OperatingBench, live: LiveSession, paying: Paying = {}) => {
  const operation = await sessionOperationOf(bench, live, paying)
  await sentByKey(bench, live, operation)
  await executedByBundler(bench, operation)
  return operation
}

/** Keeps back what is asked, or what is answered. */
export const held = (through: OperatingBench["proxy"], method: string, phase: "before" | "after") => {
  const gate = { reach: () => {}, open: () => {} }
  const reached = new Promise<void>(resolve => {
    gate.reach = resolve
  })
  const released = new Promise<void>(resolve => {
    gate.open = resolve
  })
  through.fault({ method, phase, act: { kind: "hold", reached: () => gate.reach(), released } })
  return { reached, letGo: () => gate.open() }
}

/** How often a bundler was asked to carry an operation of the wallet's. */
export const timesCarried = ({ bundling }: Pick<OperatingBench, "bundling">, wallet: string): number =>
  bundling.records.filter(
    ({ operation }) => String(Object(operation).sender).toLowerCase() === wallet.toLowerCase()
  ).length
