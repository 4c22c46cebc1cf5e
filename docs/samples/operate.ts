/** Asks a semantic operation by its id and reads rows of the index, page after page. */
import type { Client } from "../../src/client/main.ts"

export interface Question {
  readonly id: string
  readonly input: unknown
  /** Only where an operation serves both. */
  readonly source?: "onchain" | "indexer"
}

export const askOperation = async (client: Client, { id, input, source }: Question): Promise<unknown> => {
  const query = new URLSearchParams({ input: JSON.stringify(input) })
  if (source !== undefined) query.set("source", source)
  const answer = await client.request("GET", `/api/v1/operations/${id}?${query}`)
  return answer.body
}

interface RowsPage {
  readonly items: ReadonlyArray<unknown>
  readonly nextCursor: string | null
}

const isPage = (value: unknown): value is RowsPage =>
  typeof value === "object" && value !== null && "items" in value && "nextCursor" in value

/** Rows can move between pages: what a page says is no snapshot. */
export const indexedRows = async function* (
  client: Client,
  entity: string,
  scope: Readonly<Record<string, string>>
): AsyncGenerator<unknown> {
  let cursor: string | null = ""
  while (cursor !== null) {
    const query: URLSearchParams = new URLSearchParams(cursor === "" ? scope : { ...scope, cursor })
    const { body } = await client.request("GET", `/api/v1/indexer/${entity}?${query}`)
    if (!isPage(body)) throw new Error("the answer is no page")
    yield* body.items
    cursor = body.nextCursor
  }
}
