/** What `service doctor` says of guards of sessions, and the transaction that it prints to place one. */
import { writeFile } from "node:fs/promises"
import { concatHex, type Hex, keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { manifestChecks } from "../../src/cli/OperationChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import type { ManifestTerms, SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { type Sandbox, startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { changed, manifest, YES } from "../smartaccounts/support/Inspections.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { runHere } from "./support/InProcess.ts"

const NOWHERE = "0x00000000000000000000000000000000000000F1"
const YES_MAN = "0x00000000000000000000000000000000000000F2"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
  await rpc(sandbox.url, "anvil_setCode", [YES_MAN, YES])
})
afterAll(() => sandbox.stop())

const guardedBy = (guard: ManifestTerms["pins"]["guard"]): SmartManifest => {
  const { guard: _, ...pins } = manifest.pins
  return changed({ pins: guard === undefined ? pins : { ...pins, guard } })
}

const codeOf = async (address: Hex): Promise<Hex> => (await sandbox.client.getCode({ address })) ?? "0x"

const pinned = async (address: Hex, code?: Hex) => ({
  address,
  runtimeCodeHash: keccak256(code ?? (await codeOf(address))),
  source: "here"
})

const saidOf = async (one: SmartManifest) => {
  const checks = await manifestChecks(rpcAt(sandbox.url), [one])
  const found = checks.find(({ name }) => name === `guard of ${one.id}`)
  return found === undefined ? assert.fail("no guard is checked") : `${found.verdict}: ${found.detail}`
}

/** As it is printed for this manifest. */
const printed = async (one: SmartManifest) => {
  const file = await manifestFile([one])
  const ran = await runHere(["doctor", "--deploy-guard", "--manifests", file.smartManifests, "--json"], {})
  await file.remove()
  assert.strictEqual(ran.code, 0, ran.stderr)
  const { deployments } = JSON.parse(ran.stdout)
  return deployments
}

const placed = async (one: SmartManifest): Promise<Hex> => {
  const [{ guard, transaction }] = await printed(one)
  assert.strictEqual(await codeOf(guard), "0x")
  const { to, data } = transaction
  await sandbox.mined(sandbox.client.sendTransaction({ account: stranger, to, data, gas: 10_000_000n }))
  assert.notStrictEqual(await codeOf(guard), "0x")
  return guard
}

describe("the check of a guard", () => {
  it("is in order where the pinned one is there, for this entry point and adapter", async () => {
    assert.match(await saidOf(manifest), /^ok: 0x.* has the pinned code, for this entry point and adapter$/)
  })

  it("lacks sessions where none is pinned, and says what prints one", async () => {
    assert.match(
      await saidOf(guardedBy(undefined)),
      /^degraded: none is pinned; .* --deploy-guard prints one$/
    )
  })

  it("fails where there is no code, another one, or one that is no guard's", async () => {
    assert.include(await saidOf(guardedBy(await pinned(NOWHERE))), "failed: ")
    assert.include(await saidOf(guardedBy(await pinned(NOWHERE))), "has no code on this chain")
    const other = concatHex([await codeOf(GUARD), "0x00"])
    assert.include(await saidOf(guardedBy(await pinned(GUARD, other))), "another code than the pinned")
    assert.match(await saidOf(guardedBy(await pinned(YES_MAN))), /^failed: /)
  })
})

describe("--deploy-guard", () => {
  it("prints what places a guard of this entry point and adapter, whoever sends it", async () => {
    const { pins } = manifest
    const meant = changed({ pins: { ...pins, adapter: { ...pins.adapter, address: YES_MAN } } })
    const guard = await placed(meant)
    const told = await saidOf({ ...meant, pins: { ...meant.pins, guard: await pinned(guard) } })
    assert.match(told, /^ok: .* for this entry point and adapter$/)
    const elsewhere = await saidOf(guardedBy(await pinned(guard)))
    assert.strictEqual(
      elsewhere,
      `failed: ${guard} was made for the entry point ${pins.entryPoint.address} and the adapter ${YES_MAN}`
    )
  })

  it("says where it will be, on the manifest's chain, and what to pin then", async () => {
    const file = await manifestFile()
    const { stdout } = await runHere(["doctor", "--deploy-guard", "--manifests", file.smartManifests], {})
    await file.remove()
    assert.match(stdout, /guard +0x[0-9a-fA-F]{40} on chain 31337, by whoever sends this/)
    assert.match(stdout, /then +pin its address and the Keccak-256 of its code as pins\.guard/)
  })

  it("refuses a file without wallets that act by operations, and one that is not there", async () => {
    const file = await manifestFile([changed({ mode: "ownership-only" })])
    const none = await runHere(["doctor", "--deploy-guard", "--manifests", file.smartManifests], {})
    await file.remove()
    assert.include(none.stderr, "No manifest is of wallets that act by operations.")
    const absent = await runHere(["doctor", "--deploy-guard", "--manifests", file.smartManifests], {})
    assert.include(absent.stderr, "cannot be read")
    assert.deepStrictEqual([none.code, absent.code], [1, 1])
  })

  it("says what of a file is at fault", async () => {
    const file = await manifestFile([{ ...manifest, revision: `0x${"00".repeat(32)}` }])
    const said = async () =>
      (await runHere(["doctor", "--deploy-guard", "--manifests", file.smartManifests], {})).stderr
    const own = `revision is of other terms: that of these is ${manifest.revision}.`
    assert.include(await said(), `${file.smartManifests} is at fault at manifests.0: ${own}`)
    await writeFile(file.smartManifests, "{")
    assert.include(await said(), `${file.smartManifests} holds no manifests of smart accounts: Expected`)
    await file.remove()
  })
})
