/** A session whose wallet is bound anew by another manifest that pins its guard: it goes on, and ends, by what its owners signed for last. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { bind, prepareBinding } from "../smartaccounts/support/Bindings.ts"
import { changed, manifest } from "../smartaccounts/support/Inspections.ts"
import { manifestFile, startWalletBench } from "../smartaccounts/support/WalletService.ts"
import { mine } from "../support/RelayBench.ts"
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
}, 120_000)
afterAll(() => bench.stop())

const reboundSession = async () => {
  const of = await boundWallet(bench)
  const session = await preparedSession(bench, of)
  await enabled(bench, of, session)
  assert.equal((await shownSession(bench, session)).state, "active")
  await rebound(of)
  return { of, session }
}

const rebound = async ({ wallet }: Bound) => {
  const { body } = await prepareBinding(bench, wallet, { manifestId: other.id })
  assert.equal((await bind(bench, body)).status, 201)
}

it("stays active, for its wallet is as it is bound", async () => {
  const { session } = await reboundSession()
  assert.deepInclude(await shownSession(bench, session), { state: "active" })
})

it("is released once it is revoked for good, though the former manifest is gone", async () => {
  const { of, session } = await reboundSession()
  const { smartManifests, remove } = await manifestFile([other])
  const service = await bench.replica({ smartManifests })
  try {
    await revoked(bench, of, session)
    assert.equal((await shownSession({ ...bench, service }, session)).state, "revoked")
    await mine(bench, FINAL_BLOCKS)
    assert.isTrue((await shownSession({ ...bench, service }, session)).reservationReleased)
  } finally {
    await service.stop()
    await remove()
  }
})
