/** Wallets with a guard, and what an inspection shows of it. */
import { Either } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stateHash } from "../../src/smartaccounts/StateHash.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { administrationAt, newSession, newToken, revokeData, toldGuard } from "../sessions/support/Guarded.ts"
import { rpc } from "../support/Rpc.ts"
import { changed, faultOf, inspected, manifest, YES } from "./support/Inspections.ts"
import { createWallet } from "./support/Wallets.ts"

const OTHER = checksummed("0x00000000000000000000000000000000000000f1")

let sandbox: Sandbox
let salt = 20_000n

beforeAll(async () => {
  sandbox = await startSandbox()
  await rpc(sandbox.url, "anvil_setCode", [OTHER, YES])
})
afterAll(() => sandbox.stop())

const created = () => createWallet(sandbox, { saltNonce: ++salt })

describe("a wallet", () => {
  it("may have the manifest's guard for its validator, and no other", async () => {
    const guarded = await created()
    const other = await createWallet(sandbox, { saltNonce: ++salt, validators: [OTHER] })
    const bare = await createWallet(sandbox, { saltNonce: ++salt, validators: [] })
    const { guard: _, ...unguarded } = manifest.pins
    const without = changed({ pins: unguarded })
    const found = Either.getOrThrow(await inspected(sandbox, bare.address, without))
    assert.deepEqual(found.state.validators, [])
    assert.isUndefined(found.session)
    assert.equal(await faultOf(sandbox, guarded.address, without), "validators")
    assert.equal(await faultOf(sandbox, other.address), "validators")
  })

  it("is shown with the session that lives under its guard, whoever knows of it, and is bound as before", async () => {
    const token = await newToken(sandbox)
    const session = await newSession(sandbox, token)
    const before = Either.getOrThrow(await inspected(sandbox, session.account))
    const { history } = await administrationAt(sandbox, session.account)
    const told = { installed: true, enableNonce: "0", epoch: "1", history, live: session.permissionId }
    assert.deepEqual(before.session, told)
    await toldGuard(sandbox, session.wallet, revokeData(session.permissionId))
    const after = Either.getOrThrow(await inspected(sandbox, session.account))
    assert.deepInclude(after.session, { enableNonce: "1", epoch: "2", live: null })
    assert.equal(stateHash(after.state), stateHash(before.state))
  })
})
