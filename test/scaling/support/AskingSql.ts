/** Statements on a connection of their own. */
import { Client } from "pg"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

export type AskSql = (text: string, values?: ReadonlyArray<unknown>) => Promise<Rows>

export const askingSql = async <A>(url: string, use: (ask: AskSql) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(async (text, values = []) => (await client.query(text, [...values])).rows ?? [])
  } finally {
    await client.end()
  }
}
