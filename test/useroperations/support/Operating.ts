/** A service whose wallets act through the real bundler, which it reaches by a recording proxy alone. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { concatHex, type Hex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import type { RunningBundler } from "../../../sandbox/bundler/Run.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { startBundledChain, startBundler } from "../../bundler/support/Bundler.ts"
import { onSandbox, type Sandbox } from "../../sandbox/support/Sandbox.ts"
import { manifest as wallets } from "../../smartaccounts/support/Inspections.ts"
import { askWallets } from "../../smartaccounts/support/WalletService.ts"
import { createWallet } from "../../smartaccounts/support/Wallets.ts"
import { enroll } from "../../support/Bots.ts"
import { nativeKey } from "../../support/NativeKey.ts"
import { type CallInput, contractCalls, payment } from "../../support/PlannedCalls.ts"
import { type RecordingProxy, startRecordingProxy } from "../../support/RecordingProxy.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import type { RunningService } from "../../support/Service.ts"
import { testSettings } from "../../support/Settings.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { signedBy } from "./Signed.ts"

export interface OperatingBench extends RelayBench {
  readonly sandbox: Sandbox
  readonly bundler: RunningBundler
  /** Between the service and the bundler. */
  readonly bundling: RecordingProxy
}

const beside = async (rpcUrl: string) => {
  const bundler = await startBundler(rpcUrl)
  const bundling = await startRecordingProxy({ upstream: bundler.url })
  return { bundler, bundling }
}

export const startOperatingBench = async ({
  recovers = false,
  settings = {},
  ...others
}: {
  readonly recovers?: boolean
  readonly settings?: Partial<SettingsShape>
  /** Which outlives the service then. */
  readonly databaseUrl?: string
} = {}): Promise<OperatingBench> => {
  const directory = await mkdtemp(join(tmpdir(), "operating-"))
  const smartManifests = join(directory, "manifests.json")
  await writeFile(smartManifests, JSON.stringify({ manifests: [wallets] }))
  let standing: Awaited<ReturnType<typeof beside>> | undefined
  const bench = await startRelayBench({
    ...others,
    startChain: startBundledChain,
    recovers,
    settings: { ...settings, smartManifests },
    settingsOn: async chainUrl => {
      standing = await beside(chainUrl)
      const urls = [Redacted.make(standing.bundling.url)]
      return {
        userOperations: { ...testSettings().userOperations, bundlers: [{ chainId: 31_337, urls }] }
      }
    }
  })
  if (standing === undefined) return assert.fail("no bundler")
  const { bundler, bundling } = standing
  const stop = async () => {
    await bench.stop()
    await bundling.stop()
    await bundler.stop()
    await rm(directory, { recursive: true })
  }
  const sandbox = { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop }
  return { ...bench, sandbox, bundler, bundling, stop }
}

type Owners = ReadonlyArray<PrivateKeyAccount>

const threeOwners = (): Owners =>
  [nativeKey(), nativeKey(), nativeKey()].sort((a, b) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
  )

export const partyOf = (key: PrivateKeyAccount): Party => ({
  key,
  chainId: 31_337,
  accountId: `eip155:31337:${key.address.toLowerCase()}`
})

/** What a wallet is bound by, once its first two owners signed it. */
export const signedChallenge = async (
  service: RunningService,
  party: Party,
  owners: Owners,
  address: string,
  manifestId = wallets.id
) => {
  const challenge = {
    manifestId,
    address,
    nonce: freshNonce(),
    expiresAt: Math.floor(Date.now() / 1000) + 600
  }
  const asked = await askWallets(service, party, "binding-challenges", challenge)
  const { digest, stateHash } = await asked.json()
  const signatures = await Promise.all(owners.slice(0, 2).map(owner => owner.sign({ hash: digest })))
  return { ...challenge, stateHash, signature: concatHex(signatures) }
}

export const bindWallet = async (service: RunningService, party: Party, owners: Owners, address: string) => {
  const challenge = await signedChallenge(service, party, owners, address)
  const answer = await askWallets(service, party, "bindings", challenge)
  const binding: { readonly id: string } = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(binding))
  return binding
}

/** Of two of three owners, the first of whom has an account. */
export const newWallet = async ({ service, sandbox }: Pick<OperatingBench, "service" | "sandbox">) => {
  const owners = threeOwners()
  const [first = assert.fail("a wallet has no owner")] = owners
  const owner = partyOf(first)
  await enroll(service, owner)
  const wallet = await createWallet(sandbox, {
    owners: owners.map(({ address }) => address),
    saltNonce: BigInt(first.address)
  })
  return { owner, owners, wallet }
}

/** Such a wallet, which is bound to that account. */
export const boundWallet = async (bench: Pick<OperatingBench, "service" | "sandbox">) => {
  const made = await newWallet(bench)
  const { owner, owners, wallet } = made
  return { ...made, binding: await bindWallet(bench.service, owner, owners, wallet.address) }
}

export type BoundTestWallet = Awaited<ReturnType<typeof boundWallet>>

type Service = Pick<RunningService, "url" | "audience">

interface WalletPlanning {
  readonly calls?: ReadonlyArray<CallInput>
  readonly by?: Party
}

/** Asks for a plan of the wallet's; one payment to a project unless told otherwise. */
export const askWalletPlan = (
  bench: Pick<OperatingBench, "service" | "manifest">,
  { owner, wallet, binding }: Pick<BoundTestWallet, "owner" | "wallet" | "binding">,
  { calls, by = owner }: WalletPlanning = {}
) => {
  const own = contractCalls(owner, calls ?? [payment(bench, wallet.address)])
  const body = { ...own, input: { ...own.input, account: wallet.address } }
  const path = `/api/v1/smart-accounts/bindings/${binding.id}/plans`
  return signedFetch(bench.service, by, "POST", path, { body, idempotencyKey: freshNonce() })
}

export const walletPlan = async (
  bench: Pick<OperatingBench, "service" | "manifest">,
  bound: BoundTestWallet,
  planning: WalletPlanning = {}
): Promise<Plan> => {
  const answer = await askWalletPlan(bench, bound, planning)
  const plan = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(plan))
  return plan
}

/** Whose signing is the owners'. */
export type OwnersOperation = PublicUserOperation & {
  readonly signing: Extract<PublicUserOperation["signing"], { readonly scheme: "eip712-safe-operation" }>
}

/** What these tests read of the public record. */
export interface ShownOperation {
  readonly id: string
  readonly planId: string
  readonly state: string
  readonly revision: number
  readonly operationHash: Hex
  readonly operation: { readonly sender: Hex; readonly nonce: Hex }
  readonly signing: {
    readonly digest: Hex
    readonly validAfter: number
    readonly validUntil: number
    readonly threshold: number
  }
  readonly submission?: { readonly commitment: Hex; readonly startedAt: number }
  readonly observation?: {
    readonly transactionHash?: Hex
    readonly elsewhere?: string
    readonly reason?: string
  }
  readonly nextAction: { readonly kind: string; readonly retryAfterMs?: number; readonly reason?: string }
}

export const askOperation = (
  service: Service,
  party: Party,
  body: Readonly<Record<string, unknown>>,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", "/api/v1/user-operations", {
    body,
    idempotencyKey: freshNonce(),
    ...options
  })

export const preparedOperation = async (
  service: Service,
  by: Party,
  plan: Pick<Plan, "id">,
  stepIndexes: ReadonlyArray<number> = [0]
): Promise<ShownOperation> => {
  const answer = await askOperation(service, by, { planId: plan.id, stepIndexes })
  const operation = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(operation))
  return operation
}

/** By as many of the first of these owners as the wallet asks for. */
export const envelopeOf = ({ signing }: ShownOperation, owners: Owners): Promise<Hex> =>
  signedBy(signing.digest, signing, owners.slice(0, signing.threshold))

export const sendOperation = (
  service: Service,
  party: Party,
  { id }: Pick<ShownOperation, "id">,
  signature: Hex,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", `/api/v1/user-operations/${id}/submissions`, {
    body: { signature },
    idempotencyKey: freshNonce(),
    ...options
  })

export const shownOperation = async (
  service: Service,
  party: Party,
  { id }: Pick<ShownOperation, "id">
): Promise<ShownOperation> =>
  (await signedFetch(service, party, "GET", `/api/v1/user-operations/${id}`)).json()

/** How often the bundler was asked to carry the wallet's operation of this nonce. */
export const timesSent = (
  { bundling }: Pick<OperatingBench, "bundling">,
  { operation: { sender, nonce } }: ShownOperation
): number =>
  bundling.records.filter(({ operation }) => {
    const given = Object(operation)
    return String(given.sender).toLowerCase() === sender.toLowerCase() && given.nonce === nonce
  }).length
