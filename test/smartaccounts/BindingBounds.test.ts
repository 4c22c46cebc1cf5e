/** How much of bindings an account may keep, the clock that ends challenges, and replicas that bind and unlink at once. */
import { encodeFunctionData } from "viem"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { runClock } from "../support/DatabaseTime.ts"
import { assertProblem } from "../support/Problem.ts"
import { times } from "../support/Replicas.ts"
import type { RunningService } from "../support/Service.ts"
import { freshNonce, newOwner } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { bind, bound, inSeconds, prepareBinding, shown, unlink } from "./support/Bindings.ts"
import { controlAbi, ownersDo } from "./support/Inspections.ts"
import { startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet } from "./support/Wallets.ts"

let bench: WalletBench
let second: RunningService
let salt = 50_000n

beforeAll(async () => {
  bench = await startWalletBench()
  second = await bench.replica()
})
afterAll(async () => {
  await second.stop()
  await bench.stop()
})

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })
const newWallet = () => createWallet(sandbox(), { saltNonce: ++salt })
const sql = (text: string) => sqlOn(bench.service.databaseUrl, text)
const replica = (index: number) => ({ ...bench, service: index % 2 === 0 ? bench.service : second })

afterEach(async () => {
  await sql("DELETE FROM binding_nonces")
  await sql("DELETE FROM bindings")
})

/** Rows that stand for wallets bound before, of which nothing else is asked. */
const fill = async (count: number, nonces: number) => {
  const account = `(SELECT number FROM accounts WHERE id = '${bench.owner.accountId}')`
  const address = "'0x' || lpad(to_hex(n), 40, '0')"
  await sql(
    `INSERT INTO wallets SELECT 1, ${address} FROM generate_series(1, ${count}) n ON CONFLICT DO NOTHING`
  )
  await sql(`INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
    SELECT '0x' || lpad(to_hex(n), 64, '0'), ${account}, 1, ${address}, 'm', '0x', '{}', '0x', '0x', 1, 1 FROM generate_series(1, ${count}) n`)
  await sql(`INSERT INTO binding_nonces SELECT ${account}, 'nonce ' || n, '0x' || lpad('1', 64, '0'), '0x', ${inSeconds(600)}
    FROM generate_series(1, ${nonces}) n`)
}

describe("an account", () => {
  it("keeps sixteen wallets, and one more once another is unlinked", async () => {
    await fill(15, 0)
    const last = await bound(bench, await newWallet())
    const { body } = await prepareBinding(bench, await newWallet())
    const { context } = await assertProblem(await bind(bench, body), "STORAGE_LIMIT")
    assert.deepEqual(context, { limit: "wallets" })
    assert.equal((await unlink(bench, last.id)).status, 200)
    assert.equal((await bind(bench, body)).status, 201)
  })

  it("binds a wallet anew however many it keeps", async () => {
    const wallet = await newWallet()
    await bound(bench, wallet)
    await fill(15, 0)
    assert.equal((await bound(bench, wallet)).revision, 1)
  })

  it("keeps 256 nonces that have not run out", async () => {
    await fill(1, 255)
    await bound(bench, await newWallet())
    const { body } = await prepareBinding(bench, await newWallet())
    await sql(`UPDATE binding_nonces SET expires_at = ${inSeconds(60)} WHERE nonce = 'nonce 1'`)
    const answer = await bind(bench, body)
    const { context } = await assertProblem(answer, "STORAGE_LIMIT")
    assert.deepEqual(context, { limit: "unexpired binding nonces" })
    const seconds = Number(answer.headers.get("retry-after"))
    assert.isTrue(seconds > 0 && seconds <= 60, "until the first of them has run out")
    await sql("UPDATE binding_nonces SET expires_at = 1 WHERE nonce = 'nonce 1'")
    assert.equal((await bind(bench, body)).status, 201)
    const [row] = await sql("SELECT count(*)::int AS kept FROM binding_nonces WHERE nonce = 'nonce 1'")
    assert.equal(row?.kept, 0)
  })

  it("keeps a nonce for a minute after it ran out, for a clock that is set back", async () => {
    await fill(1, 2)
    await sql(
      "UPDATE binding_nonces SET expires_at = extract(epoch FROM now())::bigint - 30 WHERE nonce = 'nonce 1'"
    )
    await sql(
      "UPDATE binding_nonces SET expires_at = extract(epoch FROM now())::bigint - 90 WHERE nonce = 'nonce 2'"
    )
    await bound(bench, await newWallet())
    const kept = await sql("SELECT nonce FROM binding_nonces WHERE nonce IN ('nonce 1', 'nonce 2')")
    assert.deepEqual(kept, [{ nonce: "nonce 1" }])
  })
})

describe("two replicas", () => {
  it("bind what was signed once", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    const answers = await times(8, index => bind(replica(index), body))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201)
    )
    const replayed = answers.filter(({ headers }) => headers.has("idempotent-replayed"))
    assert.equal(replayed.length, 7)
    const bindings = await Promise.all(answers.map(answer => answer.json()))
    for (const binding of bindings) assert.deepEqual([binding.revision, binding.id], [0, bindings[0].id])
  })

  it("count each of several challenges of a wallet once", async () => {
    const wallet = await newWallet()
    const bodies = await times(6, async () => (await prepareBinding(bench, wallet)).body)
    const answers = await Promise.all(bodies.map((body, index) => bind(replica(index), body)))
    const revisions = await Promise.all(answers.map(async answer => (await answer.json()).revision))
    assert.sameMembers(revisions, [0, 1, 2, 3, 4, 5])
  })

  it("take two challenges of one nonce for one", async () => {
    const nonce = freshNonce()
    const bodies = []
    for (const wallet of [await newWallet(), await newWallet(), await newWallet()])
      bodies.push((await prepareBinding(bench, wallet, { nonce })).body)
    const answers = await Promise.all(bodies.map((body, index) => bind(replica(index), body)))
    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 2)
    for (const answer of refused) await assertProblem(answer, "BINDING_NONCE_REUSED")
  })

  it("leave a wallet bound or unlinked, whichever came last, with nothing of a challenge that was ended", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    const { id } = await bound(bench, wallet)
    const [again, gone] = await Promise.all([bind(replica(0), body), unlink(replica(1), id)])
    assert.deepEqual([again.status, gone.status], [201, 200])
    const found = await shown(bench, id)
    if (found.status === 404) await assertProblem(await bind(bench, body), "BINDING_REVOKED")
    else assert.equal((await found.json()).authorization.nonce, body.nonce)
  })

  it("never bind a wallet in a state that its owners changed before they were asked for it", async () => {
    const wallet = await newWallet()
    const { body } = await prepareBinding(bench, wallet)
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "addOwnerWithThreshold",
      args: [newOwner().key.address, 2n]
    })
    const changing = ownersDo(sandbox(), wallet, data)
    const answers = await times(4, index => bind(replica(index), body))
    await changing
    for (const answer of answers) assert.include([201, 409], answer.status)
    await assertProblem(await bind(bench, { ...body, nonce: freshNonce() }), "SMART_ACCOUNT_CHANGED")
  })
})

describe("the database's clock", () => {
  afterEach(() => runClock(bench.service.databaseUrl))

  it("ends a challenge at its storage, and forgets none that a binding rests on", async () => {
    const expiresAt = inSeconds(50)
    const { body } = await prepareBinding(bench, await newWallet(), { expiresAt })
    const { body: late } = await prepareBinding(bench, await newWallet(), { expiresAt })
    assert.equal((await bind(bench, body)).status, 201)
    await runClock(bench.service.databaseUrl, 55)
    await assertProblem(await bind(bench, late), "BINDING_EXPIRED")
    const again = await bind(bench, body)
    assert.equal(again.headers.get("idempotent-replayed"), "true")
    assert.equal(again.status, 201)
  })
})
