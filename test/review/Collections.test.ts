/** A collection's items, moved by functions that tokens have too. */
import { assert, describe, it } from "vitest"
import type { ContractDetail } from "../../src/catalog/CatalogSchemas.ts"
import { ServiceProblem } from "../../src/client/Errors.ts"
import { tokenKey } from "../../src/review/Amounts.ts"
import { explainCall } from "../../src/review/ExplainCall.ts"
import { contractsOf } from "../../src/review/GatherFacts.ts"
import { sentence } from "../../src/review/Words.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import {
  callOf,
  contract,
  type Described,
  OTHER,
  planOf,
  reviewOf,
  TERMINAL,
  WALLET
} from "./support/Reviews.ts"

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

describe("the sentence of a call to a token that is not proved", () => {
  const allowing = contract("JBERC20", ["function approve(address spender, uint256 value)"], {
    id: ERC20,
    cloneFamilies: [CLONE_FAMILY],
    deployments: []
  })
  const approval = (value: bigint) =>
    callOf(allowing, [TERMINAL, value], [TERMINAL, String(value)], { to: OTHER })
  const proved = new Map([[tokenKey(31_337, OTHER), { symbol: "USD", decimals: 0 }]])
  const said = async (call: ReturnType<typeof callOf>, described: Described, tokens = new Map()) =>
    sentence((await reviewOf(await planOf([call]), described, { tokens })).sentence)

  it("names the item that moves, or may be taken, if it is a collection", async () => {
    assert.include(await said(moved(OTHER), token), "(or its item 7, if it is a collection) from you to")
    assert.notInclude(await said(moved(OTHER), token, proved), "item")
    assert.include(await said(approval(7n), allowing), "from you (or its item 7, if it is a collection).")
    assert.notInclude(await said(approval(7n), allowing, proved), "item")
    const all = 2n ** 256n - 1n
    assert.include(
      await said(approval(all), allowing),
      `now and later (or its item ${all}, if it is a collection).`
    )
  })

  it("does not say that nothing may be taken any more, for item 0 may", async () => {
    assert.strictEqual(
      await said(approval(0n), allowing),
      `You allow ${TERMINAL} to take nothing of your token ${OTHER} (or its item 0, if it is a collection).`
    )
    assert.include(await said(approval(0n), allowing, proved), 'take none of your "USD" any more')
  })
})
