/** A service whose only way to a local chain is a recording proxy, and the steps of a relay in short words. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Hex, keccak256, stringToBytes } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import type { SandboxManifest } from "../../sandbox/deploy.ts"
import type { Call, Dispatch, Plan } from "../../src/plans/Plan.ts"
import type { Anvil } from "./Anvil.ts"
import { enroll, newBot } from "./Bots.ts"
import { type RecordingProxy, startRecordingProxy } from "./RecordingProxy.ts"
import { rpc } from "./Rpc.ts"
import { chainSettings, contractId, NATIVE_TOKEN } from "./Sandbox.ts"
import { startSandboxChain } from "./SandboxChain.ts"
import { type RunningService, type ServiceOptions, startService } from "./Service.ts"
import { freshNonce, newOwner, type Party, type RequestOptions, signedFetch } from "./SignedFetch.ts"

export interface RelayBench {
  readonly service: RunningService
  readonly chain: Anvil
  readonly proxy: RecordingProxy
  readonly manifest: SandboxManifest
  readonly overlay: string
  readonly replica: () => Promise<RunningService>
  readonly stop: () => Promise<void>
}

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

export const startRelayBench = async (options: ServiceOptions = {}): Promise<RelayBench> => {
  const chain = await startSandboxChain()
  const { manifest } = chain
  const directory = await mkdtemp(join(tmpdir(), "relay-"))
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(manifest))
  const proxy = await startRecordingProxy({ upstream: chain.url })
  const log = { level: "error", format: "json" } as const
  const settings = { chains: chainSettings(proxy.url), quotas, log, ...options.settings }
  const service = await startService({ ...options, overlays: [overlay], settings })
  const { databaseUrl, audience } = service
  const replica = () =>
    startService({ overlays: [overlay], databaseUrl, settings: { ...settings, audience } })
  const stop = async () => {
    await service.stop()
    await proxy.stop()
    await chain.stop()
    await rm(directory, { recursive: true })
  }
  return { service, chain, proxy, manifest, overlay, replica, stop }
}

export const mine = async ({ chain }: Pick<RelayBench, "chain">, blocks = 2): Promise<void> => {
  await rpc(chain.url, "anvil_mine", [`0x${blocks.toString(16)}`])
}

/** A new enrolled owner whose wallet can pay. */
export const newPayer = async ({ service, chain }: Pick<RelayBench, "service" | "chain">): Promise<Party> => {
  const owner = newOwner()
  await rpc(chain.url, "anvil_setBalance", [owner.key.address, `0x${(10n ** 21n).toString(16)}`])
  assert.strictEqual((await enroll(service, owner)).status, 200)
  return owner
}

export const newRelayBot = ({ service }: Pick<RelayBench, "service">, owner: Party) =>
  newBot(service, owner, { scopes: ["read", "plan", "relay"] })

export type CallInput = Readonly<Record<string, unknown>>

export const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

export const payment = (
  { manifest }: Pick<RelayBench, "manifest">,
  beneficiary: string,
  over: CallInput = {}
): CallInput => ({
  chainId: 31337,
  contractId: contractId(manifest, "JBMultiTerminal"),
  function: PAY,
  args: ["2", NATIVE_TOKEN, "1000", beneficiary, "0", "thanks", "0x"],
  value: "1000",
  ...over
})

export const contractCalls = (owner: Party, calls: ReadonlyArray<CallInput>) => ({
  operation: "contract_calls",
  input: { account: owner.key.address, calls }
})

type Service = Pick<RunningService, "url" | "audience">

export const requestPlan = (service: Service, party: Party, body: unknown, options: RequestOptions = {}) =>
  signedFetch(service, party, "POST", "/api/v1/plans", { body, idempotencyKey: freshNonce(), ...options })

/** A stored plan of these calls; one payment when none are given. */
export const planned = async (
  bench: Pick<RelayBench, "service" | "manifest">,
  owner: Party,
  options: { readonly by?: Party; readonly calls?: ReadonlyArray<CallInput> } = {}
): Promise<Plan> => {
  const calls = options.calls ?? [payment(bench, owner.key.address)]
  const answer = await requestPlan(bench.service, options.by ?? owner, contractCalls(owner, calls))
  const plan = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(plan))
  return plan
}

export const callOf = (plan: Plan, step = 0): Call => plan.calls[step] ?? assert.fail("no such call")
export const stepOf = (plan: Plan, step = 0) => plan.steps[step] ?? assert.fail("no such step")

export interface TransactionOver {
  readonly nonce?: number
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly chainId?: number
}

export const pendingNonce = async ({ chain }: Pick<RelayBench, "chain">, address: string): Promise<number> =>
  Number(await rpc(chain.url, "eth_getTransactionCount", [address, "pending"]))

export const signCall = async (
  bench: Pick<RelayBench, "chain">,
  signer: Pick<Party, "key">,
  call: Call,
  over: TransactionOver = {}
): Promise<Hex> =>
  signer.key.signTransaction({
    type: "eip1559",
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce: over.nonce ?? (await pendingNonce(bench, signer.key.address)),
    gas: 1_000_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...over
  })

export const submit = (
  service: Service,
  party: Party,
  plan: Pick<Plan, "id">,
  body: Readonly<Record<string, unknown>>,
  options: RequestOptions & { readonly step?: number } = {}
) => {
  const { step = 0, ...request } = options
  const target = `/api/v1/plans/${plan.id}/steps/${step}/submissions`
  return signedFetch(service, party, "POST", target, { body, idempotencyKey: freshNonce(), ...request })
}

export interface Submission {
  readonly plan: Plan
  readonly dispatch: Dispatch
}

export const submitted = async (...parameters: Parameters<typeof submit>): Promise<Submission> => {
  const answer = await submit(...parameters)
  const body = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(body))
  return body
}

export const shown = async (service: Service, party: Party, plan: Pick<Plan, "id">): Promise<Plan> => {
  const answer = await signedFetch(service, party, "GET", `/api/v1/plans/${plan.id}`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}

export const refreshed = async (service: Service, party: Party, plan: Pick<Plan, "id">): Promise<Plan> => {
  const answer = await signedFetch(service, party, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}

export const hashOf = (raw: Hex): Hex => keccak256(raw)

/** How often exactly these bytes left. */
export const timesSent = ({ proxy }: Pick<RelayBench, "proxy">, raw: string): number =>
  proxy.sent().filter(sent => sent.raw.bytes === raw).length

export const TRANSACTION_APPROVAL = [
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "principalId", type: "string" },
  { name: "planId", type: "string" },
  { name: "commitment", type: "bytes32" },
  { name: "stepIndex", type: "uint32" },
  { name: "transactionHash", type: "bytes32" },
  { name: "issuedAt", type: "uint64" },
  { name: "expiresAt", type: "uint64" },
  { name: "nonce", type: "bytes32" }
] as const

export interface Approved {
  readonly accountId: string
  readonly principalId: string
  readonly planId: string
  readonly commitment: Hex
  readonly stepIndex: number
  readonly transactionHash: Hex
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: Hex
}

export const approvedStep = (bot: Party, plan: Plan, raw: Hex, over: Partial<Approved> = {}): Approved => {
  const issuedAt = over.issuedAt ?? Math.floor(Date.now() / 1000)
  return {
    accountId: bot.accountId,
    principalId: `bot:${bot.grantId}`,
    planId: plan.id,
    commitment: plan.commitment,
    stepIndex: 0,
    transactionHash: keccak256(raw),
    issuedAt,
    expiresAt: issuedAt + 120,
    nonce: freshNonce(),
    ...over
  }
}

/** The approval signed by this key, over this audience and chain. */
export const signApproval = async (
  key: PrivateKeyAccount,
  domain: { readonly audience: string; readonly chainId?: number },
  approved: Approved
) => {
  const { audience, chainId = 31337 } = domain
  const signature = await key.signTypedData({
    domain: { name: "Service REST", version: "1", chainId, salt: keccak256(stringToBytes(audience)) },
    types: { ServiceTransactionApproval: TRANSACTION_APPROVAL },
    primaryType: "ServiceTransactionApproval",
    message: {
      ...approved,
      audience,
      issuedAt: BigInt(approved.issuedAt),
      expiresAt: BigInt(approved.expiresAt)
    }
  })
  return { ...approved, signature }
}

const POLL_MILLIS = 25
const PATIENCE_MILLIS = 20_000

/** Asks until the answer fits, for a bounded time. */
export const until = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  const end = performance.now() + PATIENCE_MILLIS
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    if (performance.now() > end) return assert.fail(`not in time: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
  }
}
