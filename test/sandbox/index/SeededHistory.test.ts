import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../../sandbox/calls.ts"
import { holder, owner } from "../support/Sandbox.ts"
import { lower, startHistory } from "./History.ts"
import { answered } from "./Support.ts"

const tokens = (count: number) => parseEther(String(count))

const history = await startHistory()
const sandbox = history.sandbox

afterAll(() => history.stop())

const projectOf = (projectId: bigint) => `{projectId: ${projectId}}`

describe("what the sandbox begins with", () => {
  it("has the demo project with all that happened to it", async () => {
    const fields =
      "owner balance tokenSupply reservedTokenSupply tokenSymbol decimals currency paymentsCount volume contributorsCount suckerGroup { id volume }"
    assert.deepStrictEqual(await history.row("projects", fields, projectOf(2n)), {
      owner: lower(owner.address),
      tokenSymbol: "ETH",
      decimals: 18,
      currency: "61166",
      balance: String(tokens(10)),
      tokenSupply: String(tokens(8000)),
      reservedTokenSupply: String(tokens(2000)),
      paymentsCount: 1,
      volume: String(tokens(10)),
      contributorsCount: 1,
      suckerGroup: { id: "31337-2-6", volume: String(tokens(10)) }
    })
  })

  it("has every project with what the chain says of it", async () => {
    const { client } = sandbox
    const count = await client.readContract({ ...sandbox.contract("JBProjects"), functionName: "count" })
    const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
    const said = ids.map(async projectId => {
      const owner = { ...sandbox.contract("JBProjects"), functionName: "ownerOf", args: [projectId] } as const
      const balance = {
        ...sandbox.contract("JBTerminalStore"),
        functionName: "balanceOf",
        args: [sandbox.at("JBMultiTerminal"), projectId, NATIVE_TOKEN]
      } as const
      const supply = {
        ...sandbox.contract("JBController"),
        functionName: "totalTokenSupplyWithReservedTokensOf",
        args: [projectId]
      } as const
      return {
        projectId: Number(projectId),
        owner: lower(await client.readContract(owner)),
        balance: String(await client.readContract(balance)),
        supply: await client.readContract(supply)
      }
    })
    const rows = await history.rows("projects", "projectId owner balance tokenSupply reservedTokenSupply")
    assert.deepStrictEqual(
      rows.map(({ tokenSupply, reservedTokenSupply, ...rest }) => ({
        ...rest,
        supply: BigInt(String(tokenSupply)) + BigInt(String(reservedTokenSupply))
      })),
      await Promise.all(said)
    )
  })

  it("has the first payment, the token and the rulesets", async () => {
    const fields =
      "projectId amount beneficiary caller from memo newlyIssuedTokenCount feeFromProject project { tokenSupply }"
    assert.deepStrictEqual(await history.row("payEvents", fields, projectOf(2n)), {
      projectId: 2,
      amount: String(tokens(10)),
      beneficiary: lower(holder.address),
      caller: lower(owner.address),
      from: lower(owner.address),
      memo: "First payment",
      newlyIssuedTokenCount: String(tokens(8000)),
      feeFromProject: null,
      project: { tokenSupply: String(tokens(8000)) }
    })
    assert.deepStrictEqual(await history.row("deployErc20Events", "symbol name token", projectOf(2n)), {
      symbol: "DEMO",
      name: "Demo Token",
      token: lower(sandbox.manifest.seeded.token)
    })
    const queued = "duration weight cashOutTax cycleNumber basedOnId"
    assert.deepStrictEqual(await history.row("rulesetQueuedEvents", queued, projectOf(2n)), {
      duration: "604800",
      weight: String(tokens(1000)),
      cashOutTax: 5000,
      cycleNumber: 1,
      basedOnId: 0
    })
  })

  it("says how far it has read", async () => {
    const { number, timestamp } = await sandbox.client.getBlock()
    await history.index().catchUp()
    assert.deepStrictEqual(await answered(history.index(), "{ _meta { status } }"), {
      status: { sandbox: { id: 31337, block: { number: Number(number), timestamp: Number(timestamp) } } }
    })
  })
})
