/** Operations of real wallets that were sent, and the many ways in which they come to be executed. */
import { randomUUID } from "node:crypto"
import { encodeFunctionData, type Hex, keccak256, parseEther } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { assert } from "vitest"
import type { ExternalState, Plan } from "../../../src/plans/Plan.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { operationHash, packedOperation } from "../../../src/values/PackedOperation.ts"
import { safeOperationDigest } from "../../../src/values/SafeOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { quantity } from "../../bundler/support/Bundler.ts"
import { unsponsored } from "../../bundler/support/Operations.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import {
  contracts,
  createWallet,
  ENTRY_POINT,
  type Wallet,
  walletOwners
} from "../../smartaccounts/support/Wallets.ts"
import { ANYBODY, send } from "../../sponsorship/support/Executing.ts"
import { type CallInput, payment, planned, stepOf } from "../../support/PlannedCalls.ts"
import { mine, newPayer, type RelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import { refreshed } from "../../support/Submissions.ts"
import { until } from "../../support/Until.ts"

const CHAIN_ID = 31_337
const PLACE = { chainId: CHAIN_ID, entryPoint: ENTRY_POINT }
/** Enough for any of them, and for several in one block. */
const GAS = { callGasLimit: "0x1e8480", preVerificationGas: "0xc350" } as const
const VERIFICATION_GAS = 500_000

type Bench = Pick<RelayBench, "service" | "chain" | "manifest">

let wallets = 0n
/** So that no two of them are the same. */
let operations = 0

const sandboxOf = ({ chain, manifest }: Bench) => ({ ...onSandbox(chain.url, manifest), stop: chain.stop })

export const newWallet = (bench: Bench, funds = parseEther("10")): Promise<Wallet> =>
  createWallet(sandboxOf(bench), { saltNonce: 1_000n + wallets++, funds })

/** An owner's plan whose calls are the wallet's. */
export const walletPlan = async (
  bench: Bench,
  owner: Party,
  wallet: Wallet,
  calls: ReadonlyArray<CallInput> = [payment(bench, owner.key.address)]
): Promise<Plan> => {
  const plan = await planned(bench, owner, { calls })
  await sqlOn(
    bench.service.databaseUrl,
    "UPDATE plans SET wallet = $2::text, terms = jsonb_set(terms::jsonb, '{account}', to_jsonb($2::text))::json WHERE id = $1",
    [plan.id, wallet.address]
  )
  return { ...plan, account: wallet.address }
}

interface Signing {
  readonly validFor?: number
  /** In place of the wallet's next one. */
  readonly nonce?: bigint
}

export interface SignedOperation {
  readonly operation: UserOperation
  readonly hash: Hex
  /** What the owners signed. */
  readonly digest: Hex
  readonly validAfter: number
  readonly validUntil: number
}

export const signedOperation = async (
  bench: Bench,
  wallet: Wallet,
  calls: ReadonlyArray<Pick<Plan["calls"][number], "to" | "value" | "data">>,
  { validFor = 300, nonce }: Signing = {}
): Promise<SignedOperation> => {
  const sandbox = sandboxOf(bench)
  const walletCalls = calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))
  const plain = await unsponsored({ sandbox }, wallet, walletCalls)
  const own = nonce === undefined ? {} : { nonce: quantity(nonce) }
  const verificationGasLimit = quantity(BigInt(VERIFICATION_GAS + operations++))
  const operation: UserOperation = { ...plain, ...GAS, verificationGasLimit, ...own }
  const { timestamp } = await sandbox.client.getBlock()
  const validity = { validAfter: Number(timestamp) - 30, validUntil: Number(timestamp) + validFor }
  const digest = safeOperationDigest({ ...PLACE, adapter: contracts.adapter, operation, ...validity })
  const parts = await Promise.all(
    walletOwners
      .slice(0, wallet.threshold)
      .map(async owner => ({ signer: owner.address, signature: await owner.sign({ hash: digest }) }))
  )
  return {
    operation: { ...operation, signature: ownerEnvelope(validity, parts) },
    hash: operationHash(operation, PLACE),
    digest,
    ...validity
  }
}

const termsOf = ({ operation, digest, validAfter, validUntil }: SignedOperation, { threshold }: Wallet) => ({
  entryPoint: ENTRY_POINT,
  adapter: contracts.adapter,
  manifestId: "local",
  gasPolicyId: "local",
  providerId: `bundler:${CHAIN_ID}`,
  operation: { ...operation, signature: "0x" },
  signing: {
    digest,
    validAfter,
    validUntil,
    threshold,
    owners: walletOwners.map(({ address }) => address)
  }
})

export interface SentOperation extends SignedOperation {
  readonly id: string
  readonly owner: Party
  readonly wallet: Wallet
  readonly plan: Plan
}

const STORE = `INSERT INTO user_operations (id, account, principal, plan, steps, chain_id, entry_point, sender, nonce, binding, state_hash,
    terms, operation_hash, commitment, created_at, expires_at, valid_until, since_block, maximum_cost, wallet_code_hash,
    entry_point_code_hash, claimed)
  SELECT $2, p.account, p.principal, p.id, $3::smallint[], ${CHAIN_ID}, $4, $5, $6::numeric, $7, $7, $13::json, $7, $7, p.created_at,
    p.expires_at, $8, $9, $10::numeric, $11, $12, true FROM plans p WHERE p.id = $1`

const BIND = `INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at)
  SELECT $1, step, 'eip4337-user-operation', $2, unix_millis() FROM unnest($3::smallint[]) step`

const SEND = `INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at, outcome, answered_at)
  VALUES ($1, $2, $3, gen_random_uuid(), unix_millis(), unix_millis() + 60000, $4::text, CASE WHEN $4::text IS NOT NULL THEN unix_millis() END)`

interface Sending extends Signing {
  readonly owner?: Party
  readonly wallet?: Wallet
  readonly calls?: ReadonlyArray<CallInput>
  readonly plan?: Plan
  readonly steps?: ReadonlyArray<number>
  readonly outcome?: "accepted" | "unknown" | null
  /** At most what the event may say. */
  readonly maximumCost?: bigint
}

/** As its claim and its one sending leave it; no bundler has it. */
export const sentOperation = async (bench: Bench, options: Sending = {}): Promise<SentOperation> => {
  const owner = options.owner ?? (await newPayer(bench))
  const wallet = options.wallet ?? (await newWallet(bench))
  const plan = options.plan ?? (await walletPlan(bench, owner, wallet, options.calls))
  const steps = options.steps ?? plan.calls.map((_, step) => step)
  const calls = steps.map(step => plan.calls[step] ?? assert.fail("no such call"))
  const signed = await signedOperation(bench, wallet, calls, options)
  const id = randomUUID()
  const { databaseUrl } = bench.service
  const [head, walletCode, entryPointCode] = await Promise.all([
    rpc(bench.chain.url, "eth_blockNumber", []),
    rpc(bench.chain.url, "eth_getCode", [wallet.address, "latest"]),
    rpc(bench.chain.url, "eth_getCode", [ENTRY_POINT, "latest"])
  ])
  const place = [ENTRY_POINT.toLowerCase(), wallet.address.toLowerCase(), BigInt(signed.operation.nonce)]
  const facts = [signed.hash, signed.validUntil, Number(head), options.maximumCost ?? parseEther("1")]
  const codes = [keccak256(walletCode), keccak256(entryPointCode)]
  await sqlOn(databaseUrl, STORE, [
    plan.id,
    id,
    steps,
    ...place,
    ...facts,
    ...codes,
    JSON.stringify(termsOf(signed, wallet))
  ])
  await sqlOn(databaseUrl, BIND, [plan.id, id, steps])
  const { outcome = "accepted" } = options
  await sqlOn(databaseUrl, SEND, [id, signed.operation.signature, signed.hash, outcome])
  await sqlOn(
    databaseUrl,
    "UPDATE plans SET revision = revision + 1, sweep_at = unix_millis() + 3600000, pending_since = unix_millis() WHERE id = $1",
    [plan.id]
  )
  return { ...signed, id, owner, wallet, plan }
}

export const bundleOf = (operations: ReadonlyArray<SignedOperation>): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: "handleOps",
    args: [operations.map(({ operation }) => packedOperation(operation)), ANYBODY]
  })

/** By anybody, in one bundle. */
export const execute = (bench: Bench, operations: ReadonlyArray<SignedOperation>, gas = 25_000_000) =>
  send(bench, { to: ENTRY_POINT, data: bundleOf(operations), gas })

const word = (value: number): string => value.toString(16).padStart(8, "0")

/** PUSH4 size, PUSH4 offset, PUSH0, CODECOPY; PUSH0 twice, PUSH4 size, PUSH0 twice, PUSH20 to, GAS, CALL, POP. */
const STEP_BYTES = 45
const STOP = "00"

/** Creation code that makes these calls of the entry point, one after the other. */
const creationOf = (calls: ReadonlyArray<Hex>): Hex => {
  const texts = calls.map(data => data.slice(2))
  const start = calls.length * STEP_BYTES + 1
  const steps = texts.map((text, at) => {
    const before = texts.slice(0, at).reduce((sum, other) => sum + other.length / 2, 0)
    const size = word(text.length / 2)
    const copy = `63${size}63${word(start + before)}5f39`
    return `${copy}5f5f63${size}5f5f73${ENTRY_POINT.slice(2).toLowerCase()}5af150`
  })
  return `0x${[...steps, STOP, ...texts].join("")}`
}

/** Several bundles in one transaction, which only creates a contract. */
export const executeInCreation = (bench: Bench, bundles: ReadonlyArray<ReadonlyArray<SignedOperation>>) =>
  send(bench, { data: creationOf(bundles.map(bundleOf)), gas: 25_000_000 })

/** As its chain has it now. */
export const look = (bench: Bench, { owner, plan }: SentOperation): Promise<Plan> =>
  refreshed(bench.service, owner, plan)

export const stateOf = async (bench: Bench, made: SentOperation) =>
  stepOf(await look(bench, made)).externalExecution?.state

/** Once a look shows this state. */
export const comesTo = (bench: Bench, made: SentOperation, state: ExternalState) =>
  until(
    () => stateOf(bench, made),
    shown => shown === state
  )

/** As clients see it, looked for on its chain. */
export const shownOperation = async (
  { service }: Pick<RelayBench, "service">,
  { owner, id }: Pick<SentOperation, "owner" | "id">
): Promise<PublicUserOperation> => {
  const answer = await signedFetch(service, owner, "GET", `/api/v1/user-operations/${id}`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}

export const record = async (bench: Bench, { id }: SentOperation) => {
  const [row] = await sqlOn(bench.service.databaseUrl, "SELECT * FROM user_operations WHERE id = $1", [id])
  return row ?? assert.fail("no such operation")
}

/** The chain's time passes what the operation is valid until, and that becomes final. */
export const passValidity = async (
  bench: RelayBench,
  { validUntil }: SignedOperation,
  blocks: number
): Promise<void> => {
  await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [validUntil + 1])
  await mine(bench, blocks)
}

/** The next sweep of any worker takes the plan, and what was proved of it at a final block. */
export const makeDue = async ({ service }: Bench, { plan, id }: SentOperation): Promise<void> => {
  const due = "SET sweep_at = unix_millis() WHERE id = $1 AND sweep_at IS NOT NULL"
  await sqlOn(service.databaseUrl, `UPDATE plans ${due}`, [plan.id])
  await sqlOn(service.databaseUrl, `UPDATE user_operations ${due}`, [id])
}
