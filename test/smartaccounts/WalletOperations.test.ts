/** Every operation of transactions for a wallet of several owners: the accounts that own and hold all of the sandbox become wallets. */
import { type Address, encodeAbiParameters, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { planIds } from "../../src/operations/generated/OperationIds.ts"
import { walletInitializer } from "../../src/smartaccounts/Creation.ts"
import { PLAN_INPUTS } from "../operations/support/PlanInputs.ts"
import { onSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { type PlanBench, prepared, startPlanBench } from "../support/PlanBench.ts"
import { rpc } from "../support/Rpc.ts"
import { askWalletPlan, bound, type Place } from "./support/Bindings.ts"
import { enrolledOwner, manifestFile } from "./support/WalletService.ts"
import { contracts, createWallet, walletOwners } from "./support/Wallets.ts"

let bench: PlanBench
let place: Place
let remove: () => Promise<void>
const bindings = new Map<number, string>()

const SLOT: Hex = `0x${"00".repeat(32)}`

/** As the factory creates a wallet, at an address that it does not choose. */
const becomeWallet = async (address: Address): Promise<void> => {
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  const sandbox = { ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop }
  const model = await createWallet(sandbox, { saltNonce: BigInt(address) })
  const code = await client.getCode({ address: model.address })
  await rpc(bench.chain.url, "anvil_setCode", [address, code])
  const singleton = encodeAbiParameters([{ type: "address" }], [contracts.singleton])
  await rpc(bench.chain.url, "anvil_setStorageAt", [address, SLOT, singleton])
  const owners = walletOwners.map(owner => owner.address)
  const data = walletInitializer(contracts, { owners, threshold: 2 }, [])
  await mined(client.sendTransaction({ account: stranger, to: address, data }))
}

beforeAll(async () => {
  const file = await manifestFile()
  remove = file.remove
  bench = await startPlanBench({ settings: { smartManifests: file.smartManifests } })
  place = { service: bench.service, owner: await enrolledOwner(bench.service) }
  for (const [index, { key }] of [bench.projectOwner, bench.holder].entries()) {
    await becomeWallet(key.address)
    bindings.set(index, (await bound(place, { address: key.address, threshold: 2 })).id)
  }
})
afterAll(async () => {
  await bench.stop()
  await remove()
})

describe("a plan for a wallet", { timeout: 120_000 }, () => {
  for (const id of planIds)
    it(`of ${id} has the calls of one for an owner's own wallet`, async () => {
      const { account, input } = PLAN_INPUTS[id] ?? assert.fail(`nothing asks ${id}`)
      const asked = typeof input === "function" ? await input(bench) : input
      const party = account === 0 ? bench.projectOwner : bench.holder
      const own = await prepared(bench, party, id, asked)
      const answer = await askWalletPlan(place, bindings.get(account) ?? "", { operation: id, input: asked })
      const plan = await answer.json()
      assert.strictEqual(answer.status, 201, JSON.stringify(plan))
      const { operation, calls, summary, warnings, account: planned, smartAccount } = plan
      assert.deepEqual(
        { operation, calls, warnings, account: planned },
        {
          operation: own.operation,
          calls: own.calls,
          warnings: own.warnings,
          account: own.account
        }
      )
      assert.deepEqual(Object(summary).simulation, Object(own.summary).simulation)
      assert.equal(smartAccount.address, party.key.address)
    })
})
