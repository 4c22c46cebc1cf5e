/** A sandbox chain with the index that follows it. */
import { type Address, type Hex, isAddress, parseAbi } from "viem"
import { assert } from "vitest"
import { type RunningIndex, runIndex } from "../../../sandbox/index/Run.ts"
import { freshDatabase } from "../../support/Postgres.ts"
import { abi } from "../support/abi.ts"
import { owner, startSandbox } from "../support/Sandbox.ts"
import { answered } from "./Support.ts"

export type Row = Readonly<Record<string, unknown>>

const moreAbi = parseAbi([
  "function setUriOf(uint256 projectId, string uri)",
  "function transferFrom(address from, address to, uint256 tokenId)",
  "function transfer(address to, uint256 value) returns (bool)"
])

export const acts = [...abi, ...moreAbi] as const

export const lower = (address: Address): string => address.toLowerCase()

const isList = (value: unknown): value is { readonly items: ReadonlyArray<Row> } =>
  typeof value === "object" && value !== null && "items" in value

export const startHistory = async () => {
  const sandbox = await startSandbox()
  const database = await freshDatabase()
  const started = (): Promise<RunningIndex> =>
    runIndex({
      databaseUrl: database.url,
      rpcUrl: sandbox.url,
      addresses: Object.fromEntries(
        sandbox.manifest.deployments.map(({ alias, address }) => [alias, address])
      ),
      report: () => {}
    })
  let index = await started()
  const rows = async (plural: string, fields: string, where = "{}"): Promise<ReadonlyArray<Row>> => {
    await index.catchUp()
    const page = await answered(index, `{ ${plural}(limit: 1000, where: ${where}) { items { ${fields} } } }`)
    return isList(page) ? page.items : assert.fail("That is no list.")
  }
  const to = (name: string): Address => (isAddress(name) ? name : sandbox.at(name))
  return {
    sandbox,
    rows,
    row: async (plural: string, fields: string, where: string): Promise<Row> => {
      const found = await rows(plural, fields, where)
      assert.strictEqual(found.length, 1, `${plural} ${where}`)
      return found[0] ?? {}
    },
    /** A transaction to a contract by its name or address. */
    act: (name: string, data: Hex, account = owner, value = 0n) =>
      sandbox.mined(sandbox.client.sendTransaction({ account, to: to(name), data, value })),
    started,
    index: () => index,
    restart: async (between: () => Promise<unknown>) => {
      await index.stop()
      await between()
      index = await started()
    },
    stop: async () => {
      await index.stop()
      await database.drop()
      await sandbox.stop()
    }
  }
}

export type History = Awaited<ReturnType<typeof startHistory>>
