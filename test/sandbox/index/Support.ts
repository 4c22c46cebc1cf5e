/** Asks a source as its readers do. */
import { assert } from "vitest"

interface Asked {
  readonly url: string
}

export interface Outcome {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: ReadonlyArray<{
    readonly message: string
    readonly path?: ReadonlyArray<string | number>
    readonly extensions?: Readonly<Record<string, unknown>>
  }>
}

export const ask = async (
  source: Asked,
  query: string,
  variables: Readonly<Record<string, unknown>> = {}
): Promise<Outcome> => {
  const response = await fetch(source.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables })
  })
  assert.strictEqual(response.status, 200)
  return JSON.parse(await response.text())
}

/** What a query without errors answers with, under its only root field. */
export const answered = async (
  source: Asked,
  query: string,
  variables: Readonly<Record<string, unknown>> = {}
): Promise<unknown> => {
  const { data, errors } = await ask(source, query, variables)
  assert.isUndefined(errors, JSON.stringify(errors))
  return Object.values(data ?? {})[0]
}

export const messageOf = async (
  source: Asked,
  query: string,
  variables: Readonly<Record<string, unknown>> = {}
): Promise<string> => (await ask(source, query, variables)).errors?.[0]?.message ?? "no error"
