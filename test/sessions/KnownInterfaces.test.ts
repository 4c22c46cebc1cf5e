/** What the catalog knows of the guard is what our own contract has, and of the entry point what the package that is deployed has. */
import entryPoint from "@account-abstraction/contracts/artifacts/EntryPoint.json" with { type: "json" }
import { assert, it } from "vitest"
import artifact from "../../sandbox/artifacts/SessionGuard.json" with { type: "json" }
import contracts from "../../schema/execution/contracts.json" with { type: "json" }
import { ENTRY_POINT, SESSION_GUARD } from "../../src/catalog/ExecutionContracts.ts"
import { SESSION_GUARD_ID } from "../../src/review/GuardCalls.ts"

it("the guard's interface and name are the contract's", () => {
  const known = contracts.find(({ id }) => id === SESSION_GUARD) ?? assert.fail("no guard")
  assert.isNotEmpty(known.abi)
  for (const entry of known.abi) assert.deepInclude(artifact.abi, entry)
  assert.equal(SESSION_GUARD_ID, SESSION_GUARD)
})

it("the entry point's interface is its package's", () => {
  const known = contracts.find(({ id }) => id === ENTRY_POINT) ?? assert.fail("no entry point")
  assert.isNotEmpty(known.abi)
  for (const entry of known.abi) assert.deepInclude(entryPoint.abi, entry)
})
