/** Round trips to node, bundler and paymaster for wallets and their operations over a local chain, while the service's recovery rests. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { concatHex } from "viem"
import { localManifest } from "../sandbox/execution/Manifest.ts"
import { installedCodes } from "../sandbox/execution/Packages.ts"
import { placeStack } from "../sandbox/execution/place.ts"
import type { Plan } from "../src/plans/Plan.ts"
import { ownerEnvelope } from "../src/values/OwnerEnvelope.ts"
import type { Bytes32, Hex } from "../src/values/Scalars.ts"
import { fromHex } from "../src/values/TypedDataHash.ts"
import { type ScriptedBundler, startScriptedBundler } from "../test/bundler/scripted/Scripted.ts"
import { sign, testKey } from "../test/signatures/TestKeys.ts"
import { type Proxy, startProxy } from "./relayProxy.ts"
import type { BenchServer } from "./support/Database.ts"
import { say, sayBar } from "./support/Figures.ts"
import { type Outgoing, payment, planRequest } from "./support/RelayRequests.ts"
import { ask, type LocalChain, startLocalChain, terminalOf, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const CHAIN_ID = 31_337
const FUNDS = "0x8ac7230489e80000"
const WALLETS = "/api/v1/smart-accounts"

interface Counted {
  readonly chain: LocalChain
  readonly proxy: Proxy
  readonly script: ScriptedBundler
  readonly account: BenchAccount
}

type Key = ReturnType<typeof testKey>

const bar = (name: string, trips: number, most: number) =>
  sayBar(name, String(trips), trips <= most, `<= ${most}`)

const post = (target: string, body: unknown): Outgoing => ({ method: "POST", target, body })

const told = async <A>(account: BenchAccount, outgoing: Outgoing): Promise<A> => {
  const { status, body } = await ask(account, outgoing)
  if (status >= 300) throw new Error(`${outgoing.target} answered ${status}: ${JSON.stringify(body)}`)
  return JSON.parse(JSON.stringify(body))
}

/** Gas for the calls of the largest operation. */
const ENOUGH = {
  name: "enough",
  told: (estimated: unknown) => ({ ...Object(estimated), callGasLimit: "0x4c4b40" })
}

/** What the bundler serves is asked of it once in ten minutes, and not counted. */
const SERVING = ["eth_chainId", "eth_supportedEntryPoints"]

const askedOf = ({ asked }: ScriptedBundler, prefix: string) =>
  [...asked].reduce(
    (sum, [method, times]) => sum + (method.startsWith(prefix) && !SERVING.includes(method) ? times : 0),
    0
  )

const counted = async <A>({ proxy, script, account }: Counted, outgoing: Outgoing) => {
  const looks = () => [
    proxy.roundTrips(),
    askedOf(script, "pm_"),
    askedOf(script, "eth_") + askedOf(script, "pimlico_")
  ]
  const before = looks()
  const result = await told<A>(account, outgoing)
  const [node = 0, paymaster = 0, bundler = 0] = looks().map((now, index) => now - (before[index] ?? 0))
  return { result, node, paymaster, bundler }
}

const sortedOwners = (account: BenchAccount): ReadonlyArray<Key> =>
  [account.key, testKey("bench second owner"), testKey("bench third owner")].toSorted((a, b) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
  )

/** Created by whoever sends what the service plans. */
const created = async ({ chain, account }: Counted, owners: ReadonlyArray<Key>): Promise<string> => {
  const body = {
    manifestId: localManifest().id,
    owners: owners.map(({ address }) => address),
    threshold: 2,
    saltNonce: "1"
  }
  const { creation } = await told<{
    readonly creation: {
      readonly address: string
      readonly transaction: { readonly to: string; readonly data: Hex }
    }
  }>(account, post(`${WALLETS}/creation-plans`, body))
  const { to, data } = creation.transaction
  const [from] = JSON.parse(JSON.stringify(await chain.rpc("eth_accounts", [])))
  await chain.rpc("eth_sendTransaction", [{ from, to, data, gas: "0x1e8480" }])
  await chain.rpc("anvil_mine", ["0x2"])
  await chain.rpc("anvil_setBalance", [creation.address, FUNDS])
  return creation.address
}

const bound = async (world: Counted, owners: ReadonlyArray<Key>, address: string): Promise<string> => {
  const challenge = {
    manifestId: localManifest().id,
    address,
    nonce: `0x${"0".repeat(63)}1`,
    expiresAt: Math.floor(Date.now() / 1000) + 600
  }
  const asked = await counted<{ readonly digest: Bytes32; readonly stateHash: string }>(
    world,
    post(`${WALLETS}/binding-challenges`, challenge)
  )
  bar("binding challenge", asked.node, 3)
  const { digest, stateHash } = asked.result
  const signature = concatHex(owners.slice(0, 2).map(key => sign(key, fromHex(digest))))
  const body = { ...challenge, stateHash, signature }
  const { result, node } = await counted<{ readonly id: string }>(world, post(`${WALLETS}/bindings`, body))
  bar("binding", node, 3)
  return result.id
}

interface Prepared {
  readonly id: string
  readonly signing: { readonly digest: Bytes32; readonly validAfter: number; readonly validUntil: number }
}

const envelope = ({ signing }: Prepared, owners: ReadonlyArray<Key>): Hex =>
  ownerEnvelope(
    signing,
    owners.slice(0, 2).map(key => ({ signer: key.address, signature: sign(key, fromHex(signing.digest)) }))
  )

const operated = async (
  world: Counted,
  owners: ReadonlyArray<Key>,
  { address, id }: { readonly address: string; readonly id: string },
  calls: number
): Promise<void> => {
  const planned = Array.from({ length: calls }, () => payment(CHAIN_ID, terminalOf(world.chain), "2"))
  const input = { account: address, calls: planned }
  const name = calls === 1 ? "one call" : `${calls} calls`
  const ownPlan = await counted<Plan>(world, planRequest(world.account, planned))
  const plan = await counted<Plan>(
    world,
    post(`${WALLETS}/bindings/${id}/plans`, { operation: "contract_calls", input })
  )
  bar(`wallet plan of ${name} beyond an owner's (${ownPlan.node})`, plan.node - ownPlan.node, 1)
  const stepIndexes = planned.map((_, index) => index)
  const prepared = await counted<Prepared>(
    world,
    post("/api/v1/user-operations", { planId: plan.result.id, stepIndexes })
  )
  bar(`preparation of ${name}, node`, prepared.node, 3)
  bar(`preparation of ${name}, bundler`, prepared.bundler, 2)
  bar(`preparation of ${name}, paymaster`, prepared.paymaster, 2)
  const signature = envelope(prepared.result, owners)
  const sent = await counted<Prepared>(
    world,
    post(`/api/v1/user-operations/${prepared.result.id}/submissions`, { signature })
  )
  bar(`submission of ${name}, node`, sent.node, 3)
  sayBar(`sendings of ${name}`, String(sent.bundler), sent.bundler === 1, "1")
  await world.chain.rpc("anvil_mine", ["0x2"])
  const target = `/api/v1/user-operations/${prepared.result.id}`
  const shown = await counted<{ readonly state: string }>(world, { method: "GET", target })
  say(`    a look at it takes ${shown.node} of the node, and says: ${shown.result.state}`)
}

const measured = async (world: Counted): Promise<void> => {
  const owners = sortedOwners(world.account)
  const address = await created(world, owners)
  const id = await bound(world, owners, address)
  world.script.arm("eth_estimateUserOperationGas", ENOUGH, 2)
  for (const calls of [1, 16]) await operated(world, owners, { address, id }, calls)
}

export const operationTrips = async (postgres: BenchServer): Promise<void> => {
  say("round trips of wallets and user operations, JSON-RPC batches taken:")
  const codes = installedCodes()
  if (codes === undefined) throw new Error("the contracts of smart accounts are not installed")
  const chain = await startLocalChain()
  await placeStack(chain.url, codes)
  const script = await startScriptedBundler({ chainUrl: chain.url, companions: async () => [] })
  const proxy = await startProxy(chain.url)
  const directory = mkdtempSync(join(tmpdir(), "bench-operations-"))
  const manifests = join(directory, "manifests.json")
  writeFileSync(manifests, JSON.stringify({ manifests: [localManifest()] }))
  const chains = {
    SERVICE_RPC_31337: proxy.url,
    SERVICE_SANDBOX_MANIFEST: chain.overlay,
    SERVICE_SMART_MANIFESTS: manifests,
    SERVICE_BUNDLER_31337: script.url,
    SERVICE_PAYMASTER_31337: script.url
  }
  const accounts = benchAccounts(1)
  const [account] = accounts
  if (account === undefined) throw new Error("no account")
  try {
    await withService(postgres, "operation_trips", accounts, chains, () =>
      measured({ chain, proxy, script, account })
    )
  } finally {
    await script.stop()
    await proxy.stop()
    await chain.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
