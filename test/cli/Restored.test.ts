/** What `doctor --restored` says of a database and of chains that went on. */
import { afterAll, assert, describe, it } from "vitest"
import { restoredChecks } from "../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import {
  carriedOperations,
  executedRequests,
  livePermissions,
  ownTransactions,
  unconfirmed
} from "../../src/cli/restored/Differences.ts"
import { openRestored } from "../../src/cli/restored/Stored.ts"
import { instantChain, rpcServer } from "../support/InstantChain.ts"
import { LedgerSession } from "../support/Ledger.ts"
import { close, listen } from "../support/Listening.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { connected, sqlOn } from "../support/Sql.ts"

const WALLET = `0x${"a1".repeat(20)}`
const TARGET = `0x${"b2".repeat(20)}`
const HASH = `0x${"c3".repeat(32)}`

const told = (checks: ReadonlyArray<{ readonly name: string; readonly verdict: string }>) =>
  checks.map(({ name, verdict }) => `${verdict} ${name}`)

describe("what a chain shows and a restored database does not", () => {
  const open = { plan: "p", step: 0, wallet: WALLET, chainId: 1, to: TARGET, value: "5", data: "0x01" }
  const sent = { hash: HASH, from: WALLET, to: TARGET, nonce: 7, value: "5", data: "0x01" }

  it("is the planned call of an open step, once", () => {
    const twice = { ...sent, hash: `0x${"d4".repeat(32)}`, nonce: 8 }
    assert.deepStrictEqual(told(ownTransactions([sent, twice], [open], [])), [
      "degraded found again: plan p step 0",
      `failed lost: nonce 8 of ${WALLET}`
    ])
  })

  it("is nothing new where the step has it, and lost where the call is another", () => {
    const bound = { plan: "p", step: 0, hash: HASH, chainId: 1, observed: null }
    assert.deepStrictEqual(ownTransactions([sent], [], [bound]), [])
    assert.deepStrictEqual(told(ownTransactions([{ ...sent, value: "6" }], [open], [])), [
      `failed lost: nonce 7 of ${WALLET}`
    ])
  })

  it("is where an admitted step stands", () => {
    const bound = { plan: "p", step: 0, hash: HASH, chainId: 1, observed: "unknown" }
    const [check] = unconfirmed([bound, { ...bound, observed: "confirmed" }], new Set([HASH]))
    assert.include(check?.detail, "on the chain: included")
  })

  it("is a request that nobody published here, or that nothing here has", () => {
    const request = {
      ...{ sponsorship: "s", plan: "p", step: 1, chainId: 1, forwarder: TARGET },
      ...{ signer: WALLET, nonce: "3", published: false }
    }
    const seen = (nonce: string) => ({ name: `${WALLET}/${nonce}`, by: TARGET, transaction: HASH })
    assert.deepStrictEqual(told(executedRequests([seen("3"), seen("4")], [request])), [
      "degraded found again: sponsorship s step 1",
      `failed lost: request ${WALLET}/4`
    ])
    assert.deepStrictEqual(executedRequests([seen("3")], [{ ...request, published: true }]), [])
  })

  it("is an operation that nobody sent here, or that nothing here has", () => {
    const operation = {
      ...{ operation: "o", plan: "p", chainId: 1, entryPoint: TARGET, sender: WALLET },
      ...{ hash: HASH, claimed: false }
    }
    const other = `0x${"e5".repeat(32)}`
    const seen = [HASH, other].map(name => ({ name, by: TARGET, transaction: HASH }))
    assert.deepStrictEqual(told(carriedOperations(seen, [operation])), [
      "degraded found again: user operation o",
      `failed lost: operation ${other}`
    ])
    assert.deepStrictEqual(carriedOperations(seen.slice(0, 1), [{ ...operation, claimed: true }]), [])
  })

  it("is a permission that is live and no session's", () => {
    const live = { chainId: 1, address: WALLET, permission: HASH }
    assert.deepStrictEqual(told(livePermissions([live], [])), [`failed lost: session of ${WALLET}`])
    assert.deepStrictEqual(livePermissions([live], [`1:${WALLET}:${HASH}`]), [])
  })
})

describe("a restored database", async () => {
  const database = await migratedDatabase()
  const chain = instantChain(31_337)
  const server = rpcServer(async questions => questions.map(chain.answer))
  const node = rpcAt(`http://127.0.0.1:${await listen(server)}`)

  afterAll(async () => {
    await close(server)
    await database.drop()
  })

  const look = (marks: boolean) =>
    restoredChecks({
      ...{ database: database.url, nodes: [node], since: Date.now() },
      ...{ marks, keepsGrants: false }
    })

  it("is not to be served from before it is marked, and keeps its mark", async () => {
    assert.deepStrictEqual(told(await look(false)), ["failed mark", "ok since", "ok chain 31337"])
    assert.deepStrictEqual(told(await look(true)), ["ok mark", "ok since", "ok chain 31337"])
    assert.deepStrictEqual(told(await look(false)), ["ok mark", "ok since", "ok chain 31337"])
  })

  it("whose tables are in another schema is not said to be of an older version", async () => {
    const url = new URL(database.url)
    url.searchParams.set("options", "-c search_path=second")
    const restored = await openRestored(url.href)
    const failure = await restored.moments().catch(cause => cause)
    await restored.close()
    assert.strictEqual(
      failure.message,
      "The service's tables are in schema public of this database, and this role's search_path is second."
    )
    assert.include(failure.advice, "?options=-c%20search_path%3Dpublic")
  })

  it("is to be marked again once a process noticed that it is behind", async () => {
    await sqlOn(
      database.url,
      "UPDATE history SET behind_since = (SELECT max(restored_at) FROM restorations) + 1"
    )
    const [found] = await look(false)
    assert.strictEqual(found?.verdict, "failed")
    assert.include(found?.detail, "lost what it had committed")
    assert.deepStrictEqual(told(await look(true)), ["ok mark", "ok since", "ok chain 31337"])
    assert.strictEqual((await look(false))[0]?.verdict, "ok")
  })

  it("says which of its chains it was not compared with", async () => {
    const client = await connected(database.url)
    const account = await new LedgerSession(client).enroll()
    await client.query(
      `WITH known AS (INSERT INTO wallets (chain_id, address) VALUES (10, '${WALLET}'))
       INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
       VALUES ('${HASH}', $1, 10, '${WALLET}', 'm', 's', '{}', 'd', 'n', 0, 0)`,
      [account]
    )
    await client.end()
    assert.deepStrictEqual(told(await look(false)).slice(3), ["degraded chain 10"])
  })

  const openStep = async (wallet: string, expiresAt: number, args: ReadonlyArray<string> = []) => {
    const call = { chainId: 31_337, to: TARGET, value: "5", data: "0x01", decoded: { args } }
    const ledger = await LedgerSession.open(database.url)
    const account = await ledger.enroll(wallet)
    await ledger.client.query(
      `WITH made AS (INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
        VALUES (gen_random_uuid(), $1, 'owner', 'contract_calls', $2, $3, '0x', 5, $4) RETURNING id)
      INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM made`,
      [account, wallet, JSON.stringify({ calls: [call] }), expiresAt]
    )
    await ledger.client.end()
  }

  const storedSince = async (from: number) => {
    const restored = await openRestored(database.url)
    try {
      return await restored.stored(from)
    } finally {
      await restored.close()
    }
  }

  it("is read whatever the arguments of its plans say", async () => {
    await openStep(`0x${"c3".repeat(20)}`, 6, ["a\u0000\\u0000"])
    const [open] = (await storedSince(0)).open
    assert.deepStrictEqual([open?.chainId, open?.to, open?.value, open?.data], [31_337, TARGET, "5", "0x01"])
  })

  it("is read for what may have left since its backup alone: a plan that was over by then is none of it", async () => {
    const from = 2_000_000_000_000
    const other = `0x${"d4".repeat(20)}`
    await openStep(other, from)
    const { open } = await storedSince(from)
    assert.deepStrictEqual(
      open.map(({ wallet }) => wallet),
      [other]
    )
  })
})
