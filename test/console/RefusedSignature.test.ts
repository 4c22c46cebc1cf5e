/** What a person is told whose wallet signed with another account, or something else. */
import { assert, it } from "vitest"
import { ServiceProblem } from "../../src/client/Errors.ts"
import { tell } from "../../src/console/Failures.ts"
import { problem } from "../client/support/ScriptedFetch.ts"

it("is told who signed and what the wallet left out, as the service found it", async () => {
  const answer = await problem(401, "INVALID_SIGNATURE", {
    diagnosis: { recovered: "0x00000000000000000000000000000000000000b0", likelyCause: "salt-missing" }
  }).json()
  const { advice, rows } = tell(new ServiceProblem(answer, undefined))
  assert.include(advice, "choose this page")
  const told = JSON.stringify(rows)
  assert.include(told, "0x00000000000000000000000000000000000000b0")
  assert.include(told, "salt-missing")
})
