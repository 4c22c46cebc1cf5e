/** What the catalog knows of the guard is what our own contract has. */
import { assert, it } from "vitest"
import artifact from "../../sandbox/artifacts/SessionGuard.json" with { type: "json" }
import contracts from "../../schema/execution/contracts.json" with { type: "json" }
import { SESSION_GUARD } from "../../src/catalog/ExecutionContracts.ts"
import { SESSION_GUARD_ID } from "../../src/review/GuardCalls.ts"

it("the guard's interface and name are the contract's", () => {
  const known = contracts.find(({ id }) => id === SESSION_GUARD) ?? assert.fail("no guard")
  assert.isNotEmpty(known.abi)
  for (const entry of known.abi) assert.deepInclude(artifact.abi, entry)
  assert.equal(SESSION_GUARD_ID, SESSION_GUARD)
})
