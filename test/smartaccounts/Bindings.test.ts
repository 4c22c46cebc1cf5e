/** Wallets are bound to accounts, shown, bound anew and unlinked, over HTTP and the real contracts. */
import { encodeFunctionData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bindingId } from "../../src/smartaccounts/BindingId.ts"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { newSession, newToken, revokeData, toldGuard } from "../sessions/support/Guarded.ts"
import { enroll, newBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { freshNonce, newOwner, signedFetch } from "../support/SignedFetch.ts"
import { bind, bound, inSeconds, prepareBinding, shown, unlink } from "./support/Bindings.ts"
import { changed, controlAbi, manifest, ownersDo, withCode } from "./support/Inspections.ts"
import { manifestFile, startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet, type Wallet, walletOwners } from "./support/Wallets.ts"

let bench: WalletBench
let salt = 30_000n

const ownershipOnly = changed({ id: "ownership-only", mode: "ownership-only" })

beforeAll(async () => {
  bench = await startWalletBench([manifest, ownershipOnly])
})
afterAll(() => bench.stop())

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })
const newWallet = (threshold = 2) => createWallet(sandbox(), { saltNonce: ++salt, threshold })

const trips = async (work: () => Promise<unknown>): Promise<number> => {
  const before = bench.proxy.roundTrips()
  await work()
  return bench.proxy.roundTrips() - before
}

const ownersSet = (wallet: Wallet, owner: string) =>
  ownersDo(
    sandbox(),
    wallet,
    encodeFunctionData({
      abi: controlAbi,
      functionName: "addOwnerWithThreshold",
      args: [`0x${owner.slice(2)}`, BigInt(wallet.threshold)]
    })
  )

const told = async (answer: Response, status = 200) => {
  const body = await answer.json()
  assert.strictEqual(answer.status, status, JSON.stringify(body))
  return body
}

describe("a wallet whose owners signed", () => {
  it("is bound in the state that they were shown, and is found by its id", async () => {
    const wallet = await newWallet()
    const { body, digest } = await prepareBinding(bench, wallet)
    const answer = await bind(bench, body)
    const binding = await told(answer, 201)
    const { accountId, key } = bench.owner
    assert.equal(binding.id, bindingId(accountId, { chainId: 31_337, address: wallet.address }))
    assert.equal(answer.headers.get("location"), `/api/v1/smart-accounts/bindings/${binding.id}`)
    const { state, createdAt, ...rest } = binding
    assert.isNumber(createdAt)
    assert.deepEqual(rest, {
      id: binding.id,
      wallet: { chainId: 31_337, address: wallet.address },
      manifestId: manifest.id,
      ownerAccountId: accountId,
      ownerAddress: key.address,
      authorization: {
        digest,
        nonce: body.nonce,
        expiresAt: body.expiresAt,
        method: "safe-current-owner-threshold"
      },
      stateHash: body.stateHash,
      status: "linked",
      revision: 0
    })
    const { safeNonce, evidence, codeHashes, moduleConfigurationVerified, ...hashed } = state
    assert.equal(stateHash(hashed), body.stateHash)
    assert.deepEqual([safeNonce, moduleConfigurationVerified], ["0", true])
    assert.isNotEmpty(codeHashes)
    assert.equal(evidence.chainId, 31_337)
    const found = await told(await shown(bench, binding.id))
    assert.deepEqual({ ...found, state: undefined }, { ...binding, state: undefined })
  })

  it("takes three round trips", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    assert.isAtMost(await trips(() => bind(bench, body)), 3)
  })

  it("is bound again by the same challenge without a look at the chain, and by another under the same id", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    const first = await told(await bind(bench, body), 201)
    await ownersSet(wallet, newOwner().key.address)
    const spent = await trips(async () => {
      const again = await bind(bench, body)
      assert.equal(again.headers.get("idempotent-replayed"), "true")
      assert.deepEqual(await told(again, 201), first)
    })
    assert.equal(spent, 0)
    const anew = await bound(bench, wallet)
    assert.deepEqual([anew.id, anew.createdAt, anew.revision], [first.id, first.createdAt, 1])
    assert.notEqual(anew.stateHash, first.stateHash)
  })

  it("is of a manifest that only binds, too", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet, { manifestId: ownershipOnly.id })
    assert.equal((await told(await bind(bench, body), 201)).manifestId, ownershipOnly.id)
  })

  it("may have one owner of three for a threshold, or all", async () => {
    for (const threshold of [1, 3]) {
      const { state } = await bound(bench, await newWallet(threshold))
      assert.equal(state.threshold, threshold)
    }
  })

  it("is bound to each of its owners' accounts by itself", async () => {
    const wallet = await newWallet()
    const [, key] = walletOwners
    if (key === undefined) assert.fail("no second owner")
    const second = { key, chainId: 31_337, accountId: `eip155:31337:${key.address.toLowerCase()}` }
    await enroll(bench.service, second)
    const ours = await bound(bench, wallet)
    const theirs = await bound(bench, wallet, second)
    assert.notEqual(ours.id, theirs.id)
    await assertProblem(await shown(bench, theirs.id), "BINDING_NOT_FOUND")
    await assertProblem(await unlink(bench, theirs.id), "BINDING_NOT_FOUND")
    await told(await unlink(bench, ours.id))
    assert.equal((await told(await shown(bench, theirs.id, second))).status, "linked")
  })
})

describe("a bound wallet", () => {
  it("is changed once its owners are others, and linked again once they are the same", async () => {
    const wallet = await newWallet()
    const { id, stateHash: before } = await bound(bench, wallet)
    const added = newOwner().key.address
    await ownersSet(wallet, added)
    const now = await told(await shown(bench, id))
    assert.deepEqual([now.status, now.stateHash, now.changes], ["changed", before, ["owners"]])
    assert.include(now.state.owners, added)
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "removeOwner",
      args: ["0x0000000000000000000000000000000000000001", added, 2n]
    })
    await ownersDo(sandbox(), wallet, data)
    assert.equal((await told(await shown(bench, id))).status, "linked")
  })

  it("that fails a check is changed, and says which", async () => {
    const { id } = await bound(bench, await newWallet())
    const look = () => shown(bench, id)
    const seen = await withCode(sandbox(), manifest.pins.adapter.address, "0x00", look)
    const { status, failedCheck, state } = await told(seen)
    assert.deepEqual([status, failedCheck, state], ["changed", "pin:adapter", undefined])
    assert.equal((await told(await look())).status, "linked")
  })

  it("whose manifest is configured no more is changed, and says so", async () => {
    const { id } = await bound(bench, await newWallet())
    const { smartManifests, remove } = await manifestFile([ownershipOnly])
    const service = await bench.replica({ smartManifests })
    const { status, failedCheck } = await told(await shown({ ...bench, service }, id))
    assert.deepEqual([status, failedCheck], ["changed", "manifest"])
    await service.stop()
    await remove()
  })

  it("is listed as it is stored, page by page, and seen by the account's bots", async () => {
    const ids = [await bound(bench, await newWallet()), await bound(bench, await newWallet())].map(
      ({ id }) => id
    )
    const bot = await newBot(bench.service, bench.owner)
    const page = async (query: string, party = bench.owner) =>
      told(await signedFetch(bench.service, party, "GET", `/api/v1/smart-accounts/bindings${query}`))
    const spent = await trips(async () => {
      const first = await page("?limit=1")
      assert.deepEqual(
        first.items.map(({ id }: { readonly id: string }) => id),
        [ids[1]]
      )
      assert.deepInclude(first.items[0], { status: "linked", observation: "stored-binding-snapshot" })
      assert.notProperty(first.items[0], "state")
      const second = await page(`?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)
      assert.equal(second.items[0].id, ids[0])
      assert.isAbove((await page("", bot)).items.length, 1)
    })
    assert.equal(spent, 0)
    const refused = await signedFetch(bench.service, bot, "GET", "/api/v1/smart-accounts/bindings?cursor=x")
    await assertProblem(refused, "INVALID_PARAMETER")
    assert.equal((await told(await shown(bench, ids[0], bot))).status, "linked")
  })

  it("is unlinked for whoever asks again, and its challenges bind it no more", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    const { id } = await told(await bind(bench, body), 201)
    const gone = { id, status: "unlinked", onchainAuthorityRevoked: false, liveSession: false }
    assert.deepEqual(await told(await unlink(bench, id)), gone)
    assert.deepEqual(await told(await unlink(bench, id)), gone)
    await assertProblem(await shown(bench, id), "BINDING_NOT_FOUND")
    await assertProblem(await bind(bench, body), "BINDING_REVOKED")
    const anew = await bound(bench, wallet)
    assert.equal(anew.id, id)
    await assertProblem(await bind(bench, body), "BINDING_REVOKED")
  })

  it("says of its end whether a session goes on, and that one may where the chain does not tell", async () => {
    const acting = sandbox()
    const session = await newSession(acting, await newToken(acting))
    const { id } = await bound(bench, session.wallet)
    assert.equal((await told(await unlink(bench, id))).liveSession, true)
    await toldGuard(acting, session.wallet, revokeData(session.permissionId))
    assert.equal((await told(await unlink(bench, id))).liveSession, false)
    const act = { kind: "error", code: -32_000, message: "not today" } as const
    bench.proxy.fault({ method: "eth_getStorageAt", phase: "before", times: 1_000, act })
    const blind = await told(await unlink(bench, id))
    bench.proxy.clearFaults()
    assert.equal(blind.liveSession, true)
  })

  it("is not there for who has none", async () => {
    const absent = freshNonce()
    await assertProblem(await shown(bench, absent), "BINDING_NOT_FOUND")
    await assertProblem(await unlink(bench, absent), "BINDING_NOT_FOUND")
    await assertProblem(await shown(bench, "0x01"), "INVALID_PARAMETER")
    await assertProblem(await shown(bench, absent.toUpperCase()), "INVALID_PARAMETER")
  })
})

describe("a binding is refused", () => {
  it("where the wallet's owners changed since they were asked", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    await ownersSet(wallet, newOwner().key.address)
    await assertProblem(await bind(bench, body), "SMART_ACCOUNT_CHANGED")
  })

  it("where its manifest's code was replaced since, with the check's name", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    const answer = await withCode(sandbox(), manifest.pins.entryPoint.address, "0x00", () =>
      bind(bench, body)
    )
    const { context } = await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")
    assert.deepEqual(context, { check: "pin:entryPoint" })
  })

  it("to who owns no part of the wallet", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    const other = newOwner()
    await enroll(bench.service, other)
    await assertProblem(await bind(bench, body, other), "SMART_OWNER_NOT_MEMBER")
  })

  it("to the account's bots", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    const bot = await newBot(bench.service, bench.owner, { scopes: ["read", "plan", "relay"] })
    await assertProblem(await bind(bench, body, bot), "FORBIDDEN")
  })

  it("of a nonce that another challenge used", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    await told(await bind(bench, body), 201)
    for (const over of [{ expiresAt: body.expiresAt - 1 }, { stateHash: freshNonce() }])
      await assertProblem(await bind(bench, { ...body, ...over }), "BINDING_NONCE_REUSED")
    const { body: other } = await prepareBinding(bench, await newWallet(), { nonce: body.nonce })
    await assertProblem(await bind(bench, other), "BINDING_NONCE_REUSED")
  })

  it("after its challenge ran out, or where that would live too long", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    await assertProblem(await bind(bench, { ...body, expiresAt: inSeconds(-1) }), "BINDING_EXPIRED")
    await assertProblem(await bind(bench, { ...body, expiresAt: inSeconds(960) }), "INVALID_INPUT")
  })
})
