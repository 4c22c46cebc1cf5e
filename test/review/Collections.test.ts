/** A collection's items, moved by functions that tokens have too. */
import { assert, describe, it } from "vitest"
import type { ContractDetail } from "../../src/catalog/CatalogSchemas.ts"
import { ServiceProblem } from "../../src/client/Errors.ts"
import { explainCall } from "../../src/review/ExplainCall.ts"
import { contractsOf } from "../../src/review/GatherFacts.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import { callOf, contract, OTHER, TERMINAL, WALLET } from "./support/Reviews.ts"

const ERC20 = "@bananapus/core-v6:src/JBERC20.sol:JBERC20"
const PROJECTS = "@bananapus/core-v6:src/JBProjects.sol:JBProjects"
const MOVE = "function transferFrom(address from, address to, uint256 value)"

const token = contract("JBERC20", [MOVE], { id: ERC20, cloneFamilies: [CLONE_FAMILY], deployments: [] })
const projects = contract("JBProjects", [MOVE], { id: PROJECTS })

const moved = (to: `0x${string}`) => callOf(token, [WALLET, OTHER, 7n], [WALLET, OTHER, "7"], { to })

const absent = new ServiceProblem(
  {
    type: "t",
    title: "t",
    status: 404,
    detail: "d",
    code: "CONTRACT_NOT_FOUND",
    requestId: "r",
    retryable: false
  },
  undefined
)

type Asked = Parameters<typeof contractsOf>[0]

const known = new Map([token, projects].map(({ detail }) => [detail.id, detail]))

const catalog: Pick<Asked, "contract"> = {
  contract: async (id: string): Promise<ContractDetail> => {
    const found = known.get(id)
    if (found === undefined) throw absent
    return found
  }
}

const dangersAt = async (to: `0x${string}`) => {
  const call = moved(to)
  return explainCall(await contractsOf(catalog, { calls: [call] }), call).dangers
}

describe("a call that is said to be of a token", () => {
  it("is refused where the catalog has a collection at its address", async () => {
    assert.deepStrictEqual(await dangersAt(TERMINAL), [
      "the catalog publishes another contract at the address: JBProjects"
    ])
  })

  it("is a token's anywhere else, as far as the catalog tells", async () => {
    assert.deepStrictEqual(await dangersAt(OTHER), [])
  })
})
