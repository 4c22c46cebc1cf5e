import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HDNodeWallet } from "ethers"
import { ChainClient, type ChainSession } from "../../src/chain/ChainClient.ts"
import { transactionByHash, transactionReceipt } from "../../src/chain/Reads.ts"
import { parseSignedTransaction } from "../../src/direct/SignedTransaction.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { anvil } from "./Anvil.ts"
import { type RecordingProxy, recordingProxy } from "./RecordingProxy.ts"
import { spawnRecordingProxy } from "./RecordingProxyProcess.ts"

const PHRASE = "test test test test test test test test test test test junk"

const signed = Effect.promise(async (): Promise<Hex> => {
  const fees = { gasLimit: 21_000, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0 }
  const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
  const wallet = HDNodeWallet.fromPhrase(PHRASE)
  const raw = await wallet.signTransaction({ type: 2, chainId: 31337, nonce: 0, to, value: 1, ...fees })
  return `0x${raw.slice(2)}`
})

const sessionThrough = (url: string) =>
  Effect.provide(
    Effect.flatMap(ChainClient, client => client.session(31337)),
    clientOver({ chainId: 31337, urls: [url] })
  )

const throughProxy = <A, E>(
  body: (proxy: RecordingProxy, session: ChainSession, raw: Hex) => Effect.Effect<A, E>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* anvil()
      const proxy = yield* recordingProxy({ upstream: url })
      const raw = yield* signed
      const client = Effect.flatMap(ChainClient, client => client.session(31337))
      const used = Effect.flatMap(client, session => body(proxy, session, raw))
      return yield* Effect.provide(used, clientOver({ chainId: 31337, urls: [proxy.url] }))
    })
  )

describe("the recording proxy", () => {
  it.effect("records the exact bytes and hash that left, and the node mines them", () =>
    throughProxy((proxy, session, raw) =>
      Effect.gen(function* () {
        const answer = yield* session.sendRaw(raw)
        const { hash, sender } = yield* parseSignedTransaction(raw, 1_000)
        assert.deepStrictEqual(answer, { _tag: "Accepted", hash })
        assert.deepStrictEqual(
          proxy.sent().map(({ raw, forwarded }) => ({ ...raw, forwarded })),
          [{ bytes: raw, hash, forwarded: true }]
        )
        // The node answers before it has mined.
        const [receipt, known] = yield* session
          .all([transactionReceipt(hash), transactionByHash(hash)])
          .pipe(Effect.repeat({ until: ([found]) => found !== null }))
        assert.deepInclude(receipt, { status: "success", from: sender })
        assert.deepInclude(known, { hash, from: sender, nonce: 0n })
        const again = yield* session.sendRaw(raw)
        assert.strictEqual(again._tag, "Refused")
      })
    )
  )

  it.effect("resets before the node sees the bytes, or after", () =>
    throughProxy((proxy, session, raw) =>
      Effect.gen(function* () {
        const { hash } = yield* parseSignedTransaction(raw, 1_000)
        const method = "eth_sendRawTransaction"
        proxy.fault({ method, phase: "before", act: { kind: "reset" } })
        assert.strictEqual((yield* Effect.flip(session.sendRaw(raw)))._tag, "RPC_UNAVAILABLE")
        assert.deepStrictEqual(yield* session.all([transactionByHash(hash)]), [null])
        proxy.fault({ method, phase: "after", act: { kind: "reset" } })
        assert.strictEqual((yield* Effect.flip(session.sendRaw(raw)))._tag, "RPC_UNAVAILABLE")
        assert.isNotNull((yield* session.all([transactionByHash(hash)]))[0])
        assert.deepStrictEqual(
          proxy.sent().map(({ forwarded }) => forwarded),
          [false, true]
        )
      })
    )
  )

  it.effect("lies about the hash, drops what it accepted, and answers errors after success", () =>
    throughProxy((proxy, session, raw) =>
      Effect.gen(function* () {
        const { hash } = yield* parseSignedTransaction(raw, 1_000)
        const method = "eth_sendRawTransaction"
        proxy.fault({ method, phase: "before", act: { kind: "drop" } })
        assert.strictEqual((yield* session.sendRaw(raw))._tag, "Accepted")
        assert.deepStrictEqual(yield* session.all([transactionByHash(hash)]), [null])
        proxy.fault({ method, phase: "before", act: { kind: "result", result: `0x${"77".repeat(32)}` } })
        assert.strictEqual((yield* Effect.flip(session.sendRaw(raw)))._tag, "RPC_INVALID_RESPONSE")
        proxy.fault({
          method,
          phase: "after",
          act: { kind: "error", code: -32000, message: "nonce too low" }
        })
        assert.deepStrictEqual(yield* session.sendRaw(raw), { _tag: "Refused", code: -32000 })
        // The node answers before it has mined.
        const [receipt] = yield* Effect.repeat(session.all([transactionReceipt(hash)]), {
          until: ([found]) => found !== null
        })
        assert.isNotNull(receipt)
      })
    )
  )

  it.effect("runs in a process of its own and keeps its records in a file", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* anvil()
        const directory = mkdtempSync(join(tmpdir(), "proxy-test-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true })))
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => spawnRecordingProxy(url, join(directory, "records.jsonl"))),
          running => Effect.promise(running.stop)
        )
        const method = "eth_chainId"
        yield* Effect.promise(() => proxy.fault({ method, phase: "after", act: { kind: "html" } }))
        assert.strictEqual((yield* Effect.flip(sessionThrough(proxy.url)))._tag, "RPC_INVALID_RESPONSE")
        yield* sessionThrough(proxy.url)
        const proved = proxy.records().filter(record => record.method === method)
        assert.deepStrictEqual(
          proved.map(({ roundTrip }) => roundTrip),
          [1, 2]
        )
      })
    )
  )
})
