/** The contracts of smart accounts on the local chain, against the hashes that are kept of them. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { erc20Abi, getAddress, isHex, keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { installedCodes } from "../../../sandbox/execution/Packages.ts"
import { placeStack } from "../../../sandbox/execution/place.ts"
import stack from "../../../schema/execution/stack.json" with { type: "json" }
import { localStack } from "../../../src/main/LocalStack.ts"
import { ManifestFile } from "../../../src/smartaccounts/Manifest.ts"
import { startAnvil } from "../../support/Anvil.ts"
import { rpc } from "../../support/Rpc.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { until } from "../../support/Until.ts"
import { owner, type Sandbox, startSandbox } from "../support/Sandbox.ts"

/** Of EIP-1967. */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const codes = installedCodes() ?? assert.fail("the packages are not installed")

const hashAt = async (url: string, address: string) => {
  const code = await rpc(url, "eth_getCode", [address, "latest"])
  return isHex(code) ? keccak256(code) : assert.fail(code)
}

const assertPlaced = async (url: string) => {
  for (const { address, runtimeCodeHash, source } of [...Object.values(stack.pins), ...stack.paymasters]) {
    assert.equal(address, getAddress(address))
    assert.equal(await hashAt(url, address), runtimeCodeHash, source)
  }
}

describe("the stack of smart accounts", () => {
  it("stands on each chain of the sandbox, code for code", () => assertPlaced(sandbox.url))

  it("stands beside what sessions may call, code for code, which is none that can be exchanged", async () => {
    for (const { kind, address, runtimeCodeHash } of stack.reviewed.targets) {
      assert.equal(address, getAddress(address))
      assert.equal(await hashAt(sandbox.url, address), runtimeCodeHash, kind)
      const slot = await rpc(sandbox.url, "eth_getStorageAt", [address, IMPLEMENTATION_SLOT, "latest"])
      assert.equal(slot, `0x${"00".repeat(32)}`, kind)
    }
    for (const { address, symbol, decimals } of stack.reviewed.assets) {
      if (address === NATIVE_TOKEN) continue
      const read = { address: getAddress(address), abi: erc20Abi } as const
      assert.equal(await sandbox.client.readContract({ ...read, functionName: "symbol" }), symbol)
      assert.equal(await sandbox.client.readContract({ ...read, functionName: "decimals" }), decimals)
    }
  })

  it("is placed once, and moves no development account", async () => {
    const head = await sandbox.client.getBlockNumber()
    await placeStack(sandbox.url, () => assert.fail("read again"))
    assert.equal(await sandbox.client.getBlockNumber(), head)
  })

  it("is completed where a start was cut short", async () => {
    const chain = await startAnvil()
    try {
      await placeStack(chain.url, codes)
      await rpc(chain.url, "anvil_rollback", [2])
      await placeStack(chain.url, codes)
      await assertPlaced(chain.url)
      assert.equal(await rpc(chain.url, "eth_getTransactionCount", [owner.address, "latest"]), "0x0")
    } finally {
      await chain.stop()
    }
  })

  it("refuses other code, at its addresses or from the packages", async () => {
    const chain = await startAnvil()
    try {
      await rpc(chain.url, "anvil_setCode", [stack.pins.adapter.address, "0x00"])
      assert.match(String(await placeStack(chain.url, codes).catch(String)), /not that of the adapter/)
      await rpc(chain.url, "anvil_setCode", [stack.pins.adapter.address, "0x"])
      const other = () => ({ ...codes(), singleton: codes().factory })
      assert.match(String(await placeStack(chain.url, other).catch(String)), /took no code for singleton/)
    } finally {
      await chain.stop()
    }
  })
})

describe("a local chain", () => {
  let dataDirectory = ""
  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "stack-"))
    await mkdir(join(dataDirectory, "chain"))
  })
  afterAll(() => rm(dataDirectory, { recursive: true }))

  const told = (url: string, smartManifests?: string, installed?: () => undefined) =>
    localStack(url, { dataDirectory, smartManifests }, installed)

  it("gets it beside the start, with its manifest and without a word", async () => {
    const chain = await startAnvil()
    const program = Effect.gen(function* () {
      const { facts, smartManifests = assert.fail("no file") } = yield* told(chain.url)
      assert.deepEqual(facts, [])
      const text = yield* Effect.promise(() => readFile(smartManifests, "utf8"))
      assert.deepEqual(Schema.decodeSync(ManifestFile)(text), { manifests: [localManifest()] })
      assert.equal((yield* told(chain.url, "an operator's")).smartManifests, "an operator's")
      const { address, runtimeCodeHash } = stack.pins.launchpad
      yield* Effect.promise(() =>
        until(
          () => hashAt(chain.url, address),
          hash => hash === runtimeCodeHash
        )
      )
    })
    await Effect.runPromise(Effect.scoped(program)).finally(chain.stop)
  })

  it("does without where the packages are not installed, and says so", async () => {
    assert.isUndefined(installedCodes("/nowhere/at.js"))
    const absent = () => installedCodes("/nowhere/at.js") && assert.fail("found")
    const { facts, smartManifests } = await Effect.runPromise(
      Effect.scoped(told(sandbox.url, undefined, absent))
    )
    assert.isUndefined(smartManifests)
    const [fact = assert.fail("nothing said")] = facts
    assert.match(fact.join(": "), /^smart accounts: none .*npm install/)
  })
})
