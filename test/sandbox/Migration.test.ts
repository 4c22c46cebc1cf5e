import { type Address, encodeFunctionData, parseAbi, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { launch, payNative, rulesetOf } from "./support/Launch.ts"
import { errorOf, send } from "./support/routing.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const TERMINAL = "JBMultiTerminal"
const abi = parseAbi([
  "function migrateBalanceOf(uint256 projectId, address token, address to) returns (uint256 balance)"
])

describe("the migration of a balance", () => {
  let sandbox: Sandbox
  let projectId: bigint

  beforeAll(async () => {
    sandbox = await startSandbox()
    projectId = await launch(sandbox, [rulesetOf({}, { allowTerminalMigration: true })])
    await payNative(sandbox, projectId, parseEther("1"), holder.address)
  })
  afterAll(() => sandbox.stop())

  const migration = (to: Address) =>
    encodeFunctionData({ abi, functionName: "migrateBalanceOf", args: [projectId, NATIVE_TOKEN, to] })

  const balance = () =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at(TERMINAL), projectId, NATIVE_TOKEN]
    })

  it("is the owner's alone, to another terminal", async () => {
    const router = migration(sandbox.at("JBRouterTerminal"))
    assert.equal(await errorOf(sandbox, stranger, TERMINAL, router), "JBPermissioned_Unauthorized")
    const self = migration(sandbox.at(TERMINAL))
    assert.equal(await errorOf(sandbox, owner, TERMINAL, self), "JBMultiTerminal_TerminalMigrationToSelf")
  })

  it("owes the fee to a terminal that hands all on, each time", async () => {
    const router = migration(sandbox.at("JBRouterTerminal"))
    await send(sandbox, owner, TERMINAL, router)
    assert.equal(await balance(), parseEther("0.975"))
    await send(sandbox, owner, TERMINAL, router)
    assert.equal(await balance(), parseEther("0.950625"))
  })
})
