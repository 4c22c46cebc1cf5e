/** A payment under a session is planned as a call of what the catalog has at the terminal of its policy. */
import { assert, describe, it } from "vitest"
import type { ContractItem } from "../../src/catalog/CatalogSchemas.ts"
import { commands } from "../../src/cli/Commands.ts"
import { parseInput } from "../../src/cli/Input.ts"
import { sessionPayment } from "../../src/cli/verbs/SessionPayment.ts"
import { sessionOf } from "../client/support/SessionRecords.ts"
import { contract, type Described, OWN } from "../review/support/Reviews.ts"

const PAY =
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)"

const ROUTER = "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal"

const router = contract("JBRouterTerminal", [PAY], { id: ROUTER })
const other = contract("JBTokens", ["function claim(uint256 projectId)"])

const session = sessionOf(OWN)
const [{ target } = assert.fail("no action")] = session.compiled.policy.actions

const itemOf = ({ detail: { id, name, packageId, category } }: Described, chainId: number): ContractItem => {
  const chains = [{ chainId, status: "published", addresses: [target], instances: [] } as const]
  return { id, name, packageId, category, executable: true, methodCounts: { read: 0, write: 1 }, chains }
}

const planned = (...published: ReadonlyArray<readonly [Described, number]>) => {
  const pay = commands.find(({ name }) => name === "pay") ?? assert.fail("no such command")
  const catalog = {
    iterate: async function* () {
      yield* published.map(([described, chainId]) => itemOf(described, chainId))
    },
    contract: async (id: string) =>
      published.find(([{ detail }]) => detail.id === id)?.[0].detail ?? assert.fail(id)
  }
  const input = parseInput(pay, ["--amount", "10", "--session", session.id], {})
  return sessionPayment(session, input, { client: { catalog } })
}

describe("a payment under a session", () => {
  it("is planned by whichever terminal stands there on its chain", async () => {
    const { input } = await planned([other, 31_337], [router, 31_337])
    const [call] = Object(input).calls
    assert.deepInclude(call, { contractId: ROUTER, address: target, value: "10" })
  })

  it("is planned by none that the catalog has not there", async () => {
    const failure = await planned([other, 31_337], [router, 1]).catch((refused: unknown) => refused)
    assert.match(String(failure), new RegExp(`no terminal at ${target}`))
    assert.include(Object(failure).advice, "service plan create")
  })
})
