/** A session whose wallet is bound anew by another manifest: it goes on by what its owners signed for last, and ends by its own guard. */
import { encodeAbiParameters, encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import guard from "../../sandbox/artifacts/SessionGuard.json" with { type: "json" }
import type { SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { bind, bound, type Place, prepareBinding } from "../smartaccounts/support/Bindings.ts"
import { changed, manifest, ownersDo, withCode } from "../smartaccounts/support/Inspections.ts"
import { manifestFile, startWalletBench } from "../smartaccounts/support/WalletService.ts"
import { contracts, ENTRY_POINT, GUARD, type Wallet, walletOwners } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import type { Party } from "../support/SignedFetch.ts"
import { walletAbi } from "./support/Abis.ts"
import { deployed } from "./support/Guarded.ts"
import { askLifecycle } from "./support/LifecycleBench.ts"
import {
  type Bound,
  boundWallet,
  enabled,
  newSessionBot,
  preparedSession,
  revoked,
  type SessionBench,
  shownSession
} from "./support/SessionBench.ts"

const FINAL_BLOCKS = 300

const other = changed({ id: "another" })

let bench: SessionBench

beforeAll(async () => {
  const wallets = await startWalletBench([manifest, other])
  const sandbox = onSandbox(wallets.chain.url, wallets.manifest)
  bench = { ...wallets, sandbox, bot: await newSessionBot(wallets) }
})
afterAll(() => bench.stop())

const rebound = async (
  place: Place,
  wallet: Wallet,
  { id: manifestId }: SmartManifest,
  party: Party = place.owner
) => {
  const { body } = await prepareBinding(place, wallet, { manifestId }, party)
  assert.equal((await bind(place, body, party)).status, 201)
}

const activeSession = async () => {
  const of = await boundWallet(bench)
  const session = await preparedSession(bench, of)
  await enabled(bench, of, session)
  assert.equal((await shownSession(bench, session)).state, "active")
  return { of, session }
}

/** A service that has these manifests alone. */
const withManifests = async (
  manifests: ReadonlyArray<SmartManifest>,
  then: (place: SessionBench) => Promise<void>
) => {
  const { smartManifests, remove } = await manifestFile(manifests)
  const service = await bench.replica({ smartManifests })
  try {
    await then({ ...bench, service })
  } finally {
    await service.stop()
    await remove()
  }
}

const isReleasedOnceFinal = async (place: Place, session: { readonly id: string }) => {
  assert.deepInclude(await shownSession(place, session), { state: "revoked", reservationReleased: false })
  await mine(bench, FINAL_BLOCKS)
  assert.deepInclude(await shownSession(place, session), { state: "revoked", reservationReleased: true })
}

describe("a session whose wallet is bound by another manifest of its guard", () => {
  it("stays active, for its wallet is as it is bound", async () => {
    const { of, session } = await activeSession()
    await rebound(bench, of.wallet, other)
    assert.deepInclude(await shownSession(bench, session), { state: "active" })
  })

  it("is released once it is revoked for good, though the former manifest is gone", async () => {
    const { of, session } = await activeSession()
    await rebound(bench, of.wallet, other)
    await withManifests([other], async place => {
      await revoked(bench, of, session)
      await isReleasedOnceFinal(place, session)
    })
  })

  it("is released where another account bound it, and its own manifest is gone", async () => {
    const { of, session } = await activeSession()
    const [, key = assert.fail("one owner")] = walletOwners
    const second = { key, chainId: 31_337, accountId: `eip155:31337:${key.address.toLowerCase()}` }
    await enroll(bench.service, second)
    await bound(bench, of.wallet, second)
    await withManifests([other], async place => {
      await rebound(place, of.wallet, other, second)
      assert.deepInclude(await shownSession(place, session), { state: "stale" })
      await revoked(bench, of, session)
      await isReleasedOnceFinal(place, session)
    })
  })
})

describe("a session by a service without any manifest", () => {
  it("is released once it is revoked for good", async () => {
    const { of, session } = await activeSession()
    await revoked(bench, of, session)
    await withManifests([], place => isReleasedOnceFinal(place, session))
  })

  it("is not released by the word of other code than its guard had when it was prepared", async () => {
    const { of, session } = await activeSession()
    await revoked(bench, of, session)
    const own: Hex = await rpc(bench.chain.url, "eth_getCode", [GUARD, "latest"])
    await withManifests([], async place => {
      await withCode({ ...bench.sandbox, stop: bench.chain.stop }, GUARD, `${own}00`, async () => {
        await shownSession(place, session)
        await mine(bench, FINAL_BLOCKS)
        assert.deepInclude(await shownSession(place, session), { reservationReleased: false })
      })
      await isReleasedOnceFinal(place, session)
    })
  })
})

describe("a session whose wallet has another guard now", () => {
  const VALIDATOR = 1n
  const FIRST = "0x0000000000000000000000000000000000000001"

  const newGuard = async (): Promise<SmartManifest> => {
    const { pins } = manifest
    const places = encodeAbiParameters(
      [{ type: "address" }, { type: "address" }],
      [ENTRY_POINT, contracts.adapter]
    )
    const address = await deployed(bench.sandbox, guard.bytecode, places)
    if (pins.guard === undefined) return assert.fail("no guard")
    return changed({ id: `of-${address}`, pins: { ...pins, guard: { ...pins.guard, address } } })
  }

  const exchanged = async ({ wallet }: Bound, { pins }: SmartManifest) => {
    const taken = encodeAbiParameters([{ type: "address" }, { type: "bytes" }], [FIRST, "0x"])
    const out = [VALIDATOR, GUARD, taken] as const
    const into = [VALIDATOR, pins.guard?.address ?? GUARD, "0x"] as const
    const calls = [
      encodeFunctionData({ abi: walletAbi, functionName: "uninstallModule", args: out }),
      encodeFunctionData({ abi: walletAbi, functionName: "installModule", args: into })
    ]
    for (const data of calls) await ownersDo(bench.sandbox, wallet, data)
  }

  it("is enabled by no plan, for the wallet has given up the guard that it was prepared for", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    const latter = await newGuard()
    await withManifests([latter], async place => {
      await exchanged(of, latter)
      await rebound(place, of.wallet, latter)
      const answer = await askLifecycle(place.service, place.owner, "activation-plans", session)
      const { context } = await assertProblem(answer, "SESSION_NOT_ACTIVE")
      assert.deepStrictEqual(context, { state: "stale", reason: "configuration-changed" })
    })
  })

  it.each([
    ["has", [manifest]],
    ["has no more", []]
  ])("is released once that is final, by a service that %s the manifest of its own", async (_, former) => {
    const { of, session } = await activeSession()
    const latter = await newGuard()
    await withManifests([...former, latter], async place => {
      await exchanged(of, latter)
      await rebound(place, of.wallet, latter)
      await isReleasedOnceFinal(place, session)
    })
  })
})
