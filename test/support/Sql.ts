/** Statements beside the service, on the service's database. */
import { Client, types } from "pg"

const INT8_OID = 20
types.setTypeParser(INT8_OID, Number)

export const connected = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl })
  client.on("error", () => {})
  await client.connect()
  return client
}

export const sqlOn = async (
  databaseUrl: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const client = await connected(databaseUrl)
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}
