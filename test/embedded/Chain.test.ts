import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Schema, TestClock } from "effect"
import { createPublicClient, createWalletClient, type Hex, http } from "viem"
import { mnemonicToAccount } from "viem/accounts"
import { DEVELOPMENT_PHRASE } from "../../sandbox/DevelopmentAccounts.ts"
import { deploySandbox } from "../../sandbox/deploy.ts"
import { EmbeddedChain } from "../../src/embedded/Chain.ts"
import { chainFiles } from "../../src/embedded/ChainState.ts"
import { temporaryDirectory } from "./support/Directories.ts"
import { hosting } from "./support/Host.ts"

/** Starting a chain and putting the contracts on it takes as long as the machine is slow. */
const PATIENCE = { timeout: 120_000 }

const sender = mnemonicToAccount(DEVELOPMENT_PHRASE, { addressIndex: 5 })

const Told = Schema.Struct({ url: Schema.String, deployments: Schema.Int })

const noDeployment = (): Promise<string> => Promise.resolve("nothing deployed")

/** Mined when it returns: what only waits in a killed node's pool is nowhere. */
const send = async (url: string): Promise<Hex> => {
  const hash = await createWalletClient({ account: sender, transport: http(url) }).sendTransaction({
    chain: null,
    to: sender.address,
    value: 1n
  })
  await createPublicClient({ transport: http(url), pollingInterval: 20 }).waitForTransactionReceipt({ hash })
  return hash
}

const receiptOf = (url: string, hash: Hex) =>
  createPublicClient({ transport: http(url) }).getTransactionReceipt({ hash })

const headOf = (url: string) => createPublicClient({ transport: http(url), cacheTime: 0 }).getBlockNumber()

it.scopedLive(
  "keeps blocks, receipts and deployments over an orderly stop",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url, manifest, chainId } = yield* EmbeddedChain.start(directory, deploySandbox)
          const hash = yield* Effect.promise(() => send(url))
          const receipt = yield* Effect.promise(() => receiptOf(url, hash))
          return { manifest, chainId, hash, receipt }
        })
      )
      const { url, manifest } = yield* EmbeddedChain.start(directory, deploySandbox)
      assert.strictEqual(first.chainId, 31337)
      assert.deepStrictEqual(manifest, first.manifest)
      assert.deepStrictEqual(yield* Effect.promise(() => receiptOf(url, first.hash)), first.receipt)
    }),
  PATIENCE
)

it.scopedLive(
  "keeps them when the service is killed",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const host = yield* hosting(Told, ["chain", directory])
      const hash = yield* Effect.promise(() => send(host.told.url))
      yield* host.end("SIGKILL")
      const { url, manifest } = yield* EmbeddedChain.start(directory, deploySandbox)
      const receipt = yield* Effect.promise(() => receiptOf(url, hash))
      assert.strictEqual(receipt.status, "success")
      assert.strictEqual(manifest.deployments.length, host.told.deployments)
    }),
  PATIENCE
)

const blocksBehind = (url: string, number: bigint) =>
  TestClock.adjust("1 second").pipe(
    Effect.zipRight(Effect.promise(() => headOf(url))),
    Effect.map(head => head - number),
    Effect.repeat({ until: behind => behind >= 3n, times: 200 })
  )

it.scoped(
  "lets a transaction confirm without any other traffic",
  () =>
    Effect.gen(function* () {
      const { url } = yield* EmbeddedChain.start(yield* temporaryDirectory, noDeployment)
      const hash = yield* Effect.promise(() => send(url))
      const { blockNumber } = yield* Effect.promise(() => receiptOf(url, hash))
      assert.isAtLeast(Number(yield* blocksBehind(url, blockNumber)), 3)
    }),
  PATIENCE
)

it.scopedLive(
  "serves this machine only, and says what it cannot do",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { url } = yield* EmbeddedChain.start(directory, noDeployment)
      assert.match(url, /^http:\/\/127\.0\.0\.1:[0-9]+$/)
      const second = yield* Effect.flip(EmbeddedChain.start(directory, noDeployment))
      assert.match(
        second.message,
        /^The local chain \(process [0-9]+\) already works on .*; stop the service/
      )
    }),
  PATIENCE
)

it.scopedLive(
  "says in one sentence why it cannot start",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.promise(() => writeFile(join(directory, "chain"), ""))
      const blocked = yield* Effect.flip(EmbeddedChain.start(directory, noDeployment))
      assert.strictEqual(
        blocked.message,
        `The data directory ${directory} cannot be written (EEXIST); make it writable or set SERVICE_DATA_DIR to another one.`
      )
      const other = yield* temporaryDirectory
      const failing = () => Promise.reject(new Error("no compiler"))
      const undeployed = yield* Effect.flip(EmbeddedChain.start(other, failing))
      assert.strictEqual(
        undeployed.message,
        `The sandbox contracts could not be deployed: no compiler. The local chain is kept in ${join(other, "chain")}; without it the next start makes a fresh one.`
      )
    }),
  PATIENCE
)

it.scopedLive(
  "tells when the chain ends by itself",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { ended } = yield* EmbeddedChain.start(directory, noDeployment)
      const pid = yield* Effect.promise(() => readFile(chainFiles(directory).pid, "utf8"))
      yield* Effect.sync(() => process.kill(Number(pid), "SIGKILL"))
      const { sentence } = yield* ended
      assert.match(sentence, /^The local chain ended \(SIGKILL\)/)
    }),
  PATIENCE
)
