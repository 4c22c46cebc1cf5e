/** The routes of smart accounts, over HTTP and the real contracts. */
import { hashTypedData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { onSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { freshNonce, newOwner } from "../support/SignedFetch.ts"
import { changed, manifest, withCode } from "./support/Inspections.ts"
import { published } from "./support/Vectors.ts"
import { askWallets, startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet, GUARD, walletOwners } from "./support/Wallets.ts"

const CREATION = "creation-plans"
const CHALLENGE = "binding-challenges"
const owners = walletOwners.map(({ address }) => address)
const elsewhere = changed({ id: "elsewhere", chainId: 1 })
const { guard: _, ...withoutGuard } = manifest.pins
const unguarded = changed({ id: "unguarded", pins: withoutGuard })

let bench: WalletBench
let salt = 20_000n

beforeAll(async () => {
  bench = await startWalletBench([manifest, elsewhere, unguarded])
})
afterAll(() => bench.stop())

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })

const ask = (path: string, body?: unknown) => askWallets(bench.service, bench.owner, path, body)

const answered = async (path: string, body?: unknown) => {
  const answer = await ask(path, body)
  const told = await answer.json()
  assert.isTrue(answer.ok, JSON.stringify(told))
  return told
}

/** How many round trips to the node this took. */
const trips = async (work: () => Promise<unknown>): Promise<number> => {
  const before = bench.proxy.roundTrips()
  await work()
  return bench.proxy.roundTrips() - before
}

const newWallet = (over: Readonly<Record<string, unknown>> = {}) => ({
  manifestId: manifest.id,
  owners,
  threshold: 2,
  saltNonce: String(++salt),
  ...over
})

const inSeconds = (ahead: number) => Math.floor(Date.now() / 1000) + ahead

const challenge = (address: string, over: Readonly<Record<string, unknown>> = {}) => ({
  manifestId: manifest.id,
  address,
  nonce: freshNonce(),
  expiresAt: inSeconds(600),
  ...over
})

describe("the capabilities", () => {
  it("tell each manifest, and whether its chain has the code that it pins", async () => {
    const drifted = await withCode(sandbox(), manifest.pins.adapter.address, "0x00", () =>
      answered("capabilities")
    )
    assert.deepEqual(
      drifted.deployments.map(({ state }: { readonly state: string }) => state),
      ["drifted", "unverified", "drifted"]
    )
    const { deployments, ...told } = await answered("capabilities")
    const [{ checkedAt, ...first }] = deployments
    assert.isNumber(checkedAt)
    const { id: manifestId, mode, chainId, revision } = manifest
    assert.deepEqual(first, { manifestId, mode, chainId, revision, state: "verified", manifest })
    assert.deepInclude(told, {
      accountOwnershipVerification: "safe-current-eoa-owner-threshold",
      sessionDurationsDays: [7, 30],
      walletCreation: "stateless-factory-calldata"
    })
  })

  it("ask a chain that is verified no more within a minute", async () => {
    await answered("capabilities")
    assert.equal(await trips(() => answered("capabilities")), 0)
  })

  it("are told of in short to everyone", async () => {
    const { smartAccounts } = await (await fetch(`${bench.service.url}/api/v1/capabilities`)).json()
    assert.deepEqual(smartAccounts, {
      manifests: [manifest, elsewhere, unguarded].map(({ id, chainId, mode, revision }) => ({
        id,
        chainId,
        mode,
        revision
      })),
      walletPayments: { state: "unavailable" }
    })
  })
})

describe("a service without manifests", () => {
  let service: RunningService
  const party = newOwner()

  beforeAll(async () => {
    service = await startService()
    await enroll(service, party)
  })
  afterAll(() => service.stop())

  it.each([
    ["capabilities", undefined],
    [CREATION, newWallet()],
    [CHALLENGE, challenge(ZERO_ADDRESS)]
  ])("has none: %s", async (path, body) => {
    await assertProblem(await askWallets(service, party, path, body), "SMART_ACCOUNTS_UNAVAILABLE")
  })

  it("says so to everyone, and has all else", async () => {
    const { smartAccounts, transactions } = await (await fetch(`${service.url}/api/v1/capabilities`)).json()
    assert.deepEqual(smartAccounts, { state: "unavailable" })
    assert.deepEqual(transactions.transports, ["signed-eoa-transaction"])
  })
})

describe("a creation plan", () => {
  it("is of the published wallet, whatever the order of its owners", async () => {
    const vector = published.creation.vectors.find(({ name }) => name === "no-validator") ?? assert.fail()
    const { saltNonce } = vector
    const asked = { manifestId: unguarded.id, owners: [...owners].reverse(), saltNonce }
    const { creation } = await answered(CREATION, newWallet(asked))
    const { number, hash } = await sandbox().client.getBlock()
    const { evidence, ...plan } = creation
    assert.deepInclude(evidence, { blockNumber: String(number), blockHash: hash })
    assert.deepEqual(plan, {
      chainId: 31_337,
      manifestId: unguarded.id,
      manifestRevision: unguarded.revision,
      address: vector.address,
      owners,
      threshold: 2,
      saltNonce,
      initializer: vector.initializer,
      initializerHash: vector.initializerHash,
      transaction: { to: manifest.pins.factory.address, value: "0", data: vector.calldata },
      initialAuthority: { validators: [], executors: [], hook: ZERO_ADDRESS, enabledSessions: 0 },
      deploymentConfirmed: false
    })
  })

  it("has the manifest's guard for the wallet's one validator, with nothing enabled", async () => {
    const { creation } = await answered(CREATION, newWallet())
    const none = { executors: [], hook: ZERO_ADDRESS, enabledSessions: 0 }
    assert.deepEqual(creation.initialAuthority, { validators: [GUARD], ...none })
    const { transaction, address } = creation
    const { client, mined } = sandbox()
    await mined(client.sendTransaction({ account: stranger, to: transaction.to, data: transaction.data }))
    const { state } = await answered(CHALLENGE, challenge(address))
    assert.deepEqual(state.validators, [GUARD])
    assert.deepInclude(state.session, { installed: true, epoch: "0", live: null })
  })

  it("creates a wallet that can be bound, once", async () => {
    const body = newWallet()
    const answer = await ask(CREATION, body)
    assert.equal(answer.status, 201)
    assert.isNull(answer.headers.get("location"))
    const { transaction, address } = (await answer.json()).creation
    const { client, mined } = sandbox()
    await assertProblem(await ask(CHALLENGE, challenge(address)), "SMART_ACCOUNT_UNDEPLOYED")
    await mined(client.sendTransaction({ account: stranger, to: transaction.to, data: transaction.data }))
    const { state } = await answered(CHALLENGE, challenge(address))
    assert.deepEqual([state.address, state.threshold], [address, 2])
    const { context } = await assertProblem(await ask(CREATION, body), "SMART_ACCOUNT_ALREADY_DEPLOYED")
    assert.deepEqual(context, { address })
  })

  it("takes three round trips", async () => {
    await answered(CREATION, newWallet())
    assert.isAtMost(await trips(() => answered(CREATION, newWallet())), 3)
  })

  it.each([
    ["factory", manifest.pins.factory.address, "pin:factory"],
    ["adapter", manifest.pins.adapter.address, "pin:adapter"],
    ["owner", owners[1] ?? ZERO_ADDRESS, "contract-owner"]
  ])("is refused where the %s has other code", async (_, address, check) => {
    const answer = await withCode(sandbox(), address, "0x00", () => ask(CREATION, newWallet()))
    assert.deepEqual((await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")).context, { check })
  })

  it("is refused by a manifest that is not there, or of a chain that is not served", async () => {
    await assertProblem(await ask(CREATION, newWallet({ manifestId: "unknown" })), "MANIFEST_NOT_FOUND")
    const answer = await ask(CREATION, newWallet({ manifestId: elsewhere.id }))
    const { context } = await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")
    assert.deepEqual(context, { check: "chain" })
  })

  it.each([
    ["no owner", { owners: [] }],
    ["an owner twice", { owners: [owners[0], owners[0]?.toLowerCase()] }],
    ["nobody for an owner", { owners: [ZERO_ADDRESS] }],
    ["the end of a list for an owner", { owners: [`${ZERO_ADDRESS.slice(0, -1)}1`] }],
    ["too many owners", { owners: Array.from({ length: 17 }, () => newOwner().key.address) }],
    ["a threshold of none", { threshold: 0 }],
    ["a threshold of more than all", { threshold: 4 }],
    ["half a threshold", { threshold: 1.5 }],
    ["a negative salt", { saltNonce: "-1" }],
    ["a salt beyond 256 bits", { saltNonce: (2n ** 256n).toString() }],
    ["a salt that is a number", { saltNonce: 1 }],
    ["a name that is none", { manifestId: "../manifest" }],
    ["a member too many", { guard: ZERO_ADDRESS }]
  ])("is refused with %s", async (_, over) => {
    await assertProblem(await ask(CREATION, newWallet(over)), "INVALID_INPUT")
  })
})

describe("a binding challenge", () => {
  it("is what the wallet's owners sign, in the state that it is in", async () => {
    const { address } = await createWallet(sandbox(), { saltNonce: ++salt })
    const asked = challenge(address)
    const told = await answered(CHALLENGE, asked)
    const { safeNonce, evidence, codeHashes, moduleConfigurationVerified, ...state } = told.state
    assert.equal(stateHash(state), told.stateHash)
    assert.deepEqual([safeNonce, moduleConfigurationVerified], ["0", true])
    assert.isNotEmpty(codeHashes)
    assert.equal(evidence.blockHash, (await sandbox().client.getBlock()).hash)
    assert.deepEqual(told.typedData.message, {
      accountId: bench.owner.accountId,
      owner: bench.owner.key.address,
      stateHash: told.stateHash,
      nonce: asked.nonce,
      expiresAt: asked.expiresAt
    })
    assert.equal(told.typedData.domain.verifyingContract, address)
    assert.equal(hashTypedData(told.typedData), told.digest)
  })

  it("takes three round trips", async () => {
    const { address } = await createWallet(sandbox(), { saltNonce: ++salt })
    await answered(CHALLENGE, challenge(address))
    assert.isAtMost(await trips(() => answered(CHALLENGE, challenge(address))), 3)
  })

  it("is refused to who owns no part of the wallet", async () => {
    const { address } = await createWallet(sandbox(), { saltNonce: ++salt })
    const other = newOwner()
    await enroll(bench.service, other)
    const answer = await askWallets(bench.service, other, CHALLENGE, challenge(address))
    await assertProblem(answer, "SMART_OWNER_NOT_MEMBER")
  })

  it("is refused with the name of the check that fails", async () => {
    const answer = await ask(CHALLENGE, challenge(manifest.pins.adapter.address))
    const { context } = await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")
    assert.deepEqual(context, { check: "account-code" })
  })

  it.each([
    ["an end that is now", () => ({ expiresAt: inSeconds(0) })],
    ["an end of long ago", () => ({ expiresAt: 0 })],
    ["an end too far ahead", () => ({ expiresAt: inSeconds(960) })],
    ["half a second", () => ({ expiresAt: inSeconds(60) + 0.5 })],
    ["no nonce", () => ({ nonce: `0x${"00".repeat(32)}` })],
    ["a short nonce", () => ({ nonce: "0x01" })],
    ["an address that is none", () => ({ address: "0x01" })],
    ["a member too many", () => ({ stateHash: freshNonce() })]
  ])("is refused with %s", async (_, over) => {
    await assertProblem(await ask(CHALLENGE, challenge(owners[0] ?? "", over())), "INVALID_INPUT")
  })
})
