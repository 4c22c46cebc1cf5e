/** A service with the pilot: a wallet that its owner's key and a passkey own, an app's bot, and the real bundler. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { type Address, concatHex } from "viem"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"
import type { RunningBundler } from "../../../sandbox/bundler/Run.ts"
import type { SandboxManifest } from "../../../sandbox/deploy.ts"
import { sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import type { PaymentReview } from "../../../src/payments/PaymentReview.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import { revised, type SmartManifest } from "../../../src/smartaccounts/Manifest.ts"
import { startBundledChain, startBundler } from "../../bundler/support/Bundler.ts"
import { holder, onSandbox, type Sandbox } from "../../sandbox/support/Sandbox.ts"
import { manifest as wallets } from "../../smartaccounts/support/Inspections.ts"
import { askWallets } from "../../smartaccounts/support/WalletService.ts"
import { createWallet, type Wallet } from "../../smartaccounts/support/Wallets.ts"
import { enroll, newBot } from "../../support/Bots.ts"
import { type CallInput, contractCalls, payment } from "../../support/PlannedCalls.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { testSettings } from "../../support/Settings.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import { preparedOperation, type ShownOperation } from "../../useroperations/support/Operating.ts"
import { type PlacedOwner, placeOwner } from "./Owners.ts"
import { type HeldPasskey, newPasskey } from "./Passkeys.ts"

export const CALLBACK = "https://app.example/paid?from=wallet"
const ISSUER = "https://wallet.example"
export const RP_ID = "localhost"

export interface PilotBench extends RelayBench {
  readonly sandbox: Sandbox
  readonly bundler: RunningBundler
  /** Those of the contracts that may own wallets. */
  readonly passkeys: ReadonlyArray<readonly [passkey: HeldPasskey, owner: PlacedOwner]>
  readonly botKeys: ReadonlyArray<PrivateKeyAccount>
  readonly usd: Address
  /** What a process of it is told besides. */
  readonly pilot: Pick<SettingsShape, "smartManifests" | "walletPayments">
}

const reviewId = "sandbox"

const assetsOf = (usd: Address): SmartManifest["reviewed"]["assets"] => [
  { address: NATIVE_TOKEN, symbol: "ETH", decimals: 18, assetIdentity: "eth", reviewId },
  { address: usd, symbol: "USD", decimals: 6, assetIdentity: "usd", reviewId }
]

const newKeys = (count: number) =>
  Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))

const pilotOn = async (url: string, manifest: SandboxManifest, passkeys: number) => {
  const sandbox = onSandbox(url, manifest)
  const usd = sandboxUsdOf({ holder: holder.address })
  const placed: Array<readonly [HeldPasskey, PlacedOwner]> = []
  for (let each = 0; each < passkeys; each++) {
    const passkey = newPasskey()
    placed.push([passkey, await placeOwner(sandbox, passkey)])
  }
  const { revision: _, ...terms } = wallets
  const pilot = revised({
    ...terms,
    reviewed: { targets: [], assets: assetsOf(usd) },
    contractOwners: placed.map(([, owner]) => owner)
  })
  const bundler = await startBundler(url)
  return { sandbox, usd, placed, pilot, bundler }
}

/** With as many passkeys and apps as there are to be wallets and bots. */
export const startPilotBench = async (
  own: Partial<SettingsShape> = {},
  { passkeys = 12, apps = 2 } = {}
): Promise<PilotBench> => {
  const directory = await mkdtemp(join(tmpdir(), "pilot-"))
  const smartManifests = join(directory, "manifests.json")
  const botKeys = newKeys(apps)
  let standing: Awaited<ReturnType<typeof pilotOn>> | undefined
  let walletPayments: SettingsShape["walletPayments"]
  const bench = await startRelayBench({
    startChain: startBundledChain,
    settingsOn: async (chainUrl, manifest) => {
      standing = await pilotOn(chainUrl, manifest, passkeys)
      await writeFile(smartManifests, JSON.stringify({ manifests: [standing.pilot] }))
      const urls = [Redacted.make(standing.bundler.url)]
      walletPayments = {
        issuer: ISSUER,
        rpId: RP_ID,
        manifestIds: [standing.pilot.id],
        apps: botKeys.map(({ address: bot }) => ({
          bot,
          origin: "https://app.example",
          callbackUri: CALLBACK
        }))
      }
      return {
        smartManifests,
        walletPayments,
        /** So that each request of a test can be another client's. */
        trustedProxies: ["127.0.0.1"],
        userOperations: { ...testSettings().userOperations, bundlers: [{ chainId: 31_337, urls }] },
        ...own
      }
    }
  })
  if (standing === undefined) return assert.fail("no pilot")
  const { bundler, placed, usd } = standing
  const stop = async () => {
    await bench.stop()
    await bundler.stop()
    await rm(directory, { recursive: true })
  }
  const sandbox = { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop }
  return {
    ...bench,
    sandbox,
    bundler,
    passkeys: placed,
    botKeys,
    usd,
    pilot: { smartManifests, walletPayments },
    stop
  }
}

export interface PilotWallet {
  readonly owner: Party
  readonly wallet: Wallet
  readonly passkey: HeldPasskey
  readonly passkeyOwner: Address
  readonly binding: { readonly id: string }
}

const bind = async ({ service }: PilotBench, owner: Party, { address }: Wallet) => {
  const asked = {
    manifestId: wallets.id,
    address,
    nonce: freshNonce(),
    expiresAt: Math.floor(Date.now() / 1000) + 600
  }
  const told = await askWallets(service, owner, "binding-challenges", asked)
  const { digest, stateHash } = await told.json()
  const signature = concatHex([await owner.key.sign({ hash: digest })])
  const answer = await askWallets(service, owner, "bindings", { ...asked, stateHash, signature })
  const binding: { readonly id: string } = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(binding))
  return binding
}

/** Of a new account's owner and the passkey of this number, bound. */
export const boundPilotWallet = async (bench: PilotBench, number: number): Promise<PilotWallet> => {
  const [passkey, placed] = bench.passkeys[number] ?? assert.fail("too few passkeys")
  const key = privateKeyToAccount(generatePrivateKey())
  const owner: Party = { key, chainId: 31_337, accountId: `eip155:31337:${key.address.toLowerCase()}` }
  await enroll(bench.service, owner)
  const owners = [key.address, placed.address].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  const wallet = await createWallet(bench.sandbox, { owners, threshold: 1, saltNonce: BigInt(key.address) })
  const binding = await bind(bench, owner, wallet)
  return { owner, wallet, passkey, passkeyOwner: placed.address, binding }
}

export const registerPasskey = (
  { service }: PilotBench,
  { owner, binding, passkey }: PilotWallet,
  over: Readonly<Record<string, unknown>> = {},
  by: Party = owner
) =>
  signedFetch(service, by, "POST", "/api/v1/wallet/credentials", {
    body: {
      bindingId: binding.id,
      credentialId: passkey.credentialId,
      publicKey: { x: passkey.x, y: passkey.y },
      ...over
    }
  })

/** Such a wallet whose passkey is known. */
export const pilotWallet = async (bench: PilotBench, number: number): Promise<PilotWallet> => {
  const made = await boundPilotWallet(bench, number)
  const answer = await registerPasskey(bench, made)
  assert.strictEqual(answer.status, 201, await answer.clone().text())
  return made
}

/** The bot of the app of this number, granted by the wallet's owner. */
export const appBot = (bench: PilotBench, { owner }: PilotWallet, number = 0) =>
  newBot(bench.service, owner, {
    key: bench.botKeys[number] ?? assert.fail("too few apps"),
    scopes: ["read", "plan", "relay"]
  })

let payments = 0

/** Of a thousand wei to the local chain's project. */
export const payArgs = ({ address }: Wallet, memo: string): ReadonlyArray<string> => [
  "2",
  NATIVE_TOKEN,
  "1000",
  address,
  "0",
  memo,
  "0x"
]

/** No two are alike. */
export const planBy = async (
  bench: PilotBench,
  { owner, wallet, binding }: PilotWallet,
  by: Party,
  calls: ReadonlyArray<CallInput> = [
    payment(bench, wallet.address, { args: payArgs(wallet, `payment ${++payments}`) })
  ]
): Promise<Plan> => {
  const own = contractCalls(owner, calls)
  return planOf(bench, binding, by, { ...own, input: { ...own.input, account: wallet.address } })
}

export const planOf = async (
  { service }: PilotBench,
  binding: PilotWallet["binding"],
  by: Party,
  body: object
): Promise<Plan> => {
  const path = `/api/v1/smart-accounts/bindings/${binding.id}/plans`
  const answer = await signedFetch(service, by, "POST", path, { body, idempotencyKey: freshNonce() })
  const plan = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(plan))
  return plan
}

export const inOneOperation = (bench: PilotBench, by: Party, plan: Plan): Promise<ShownOperation> =>
  preparedOperation(
    bench.service,
    by,
    plan,
    plan.calls.map((_, index) => index)
  )

export const operationBy = async (
  bench: PilotBench,
  pilot: PilotWallet,
  by: Party,
  calls?: ReadonlyArray<CallInput>
): Promise<ShownOperation> => {
  return inOneOperation(bench, by, await planBy(bench, pilot, by, calls))
}

export const newState = (): string => Buffer.from(freshNonce().slice(2), "hex").toString("base64url")

export const askReview = (
  { service }: Pick<PilotBench, "service">,
  by: Party,
  operationId: string,
  options: RequestOptions & { readonly state?: string } = {}
) =>
  signedFetch(service, by, "POST", "/api/v1/wallet/payment-reviews", {
    body: { operationId, state: options.state ?? newState() },
    idempotencyKey: freshNonce(),
    ...options
  })

export const reviewed = async (
  bench: Pick<PilotBench, "service">,
  by: Party,
  operationId: string
): Promise<PaymentReview> => {
  const answer = await askReview(bench, by, operationId)
  const review = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(review))
  return review
}

export const shownReview = ({ service }: Pick<PilotBench, "service">, by: Party, id: string) =>
  signedFetch(service, by, "GET", `/api/v1/wallet/payment-reviews/${id}`)
