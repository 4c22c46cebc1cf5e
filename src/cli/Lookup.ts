/** Contracts and functions by the short names that people type. */
import type { ContractDetail, MethodRecord } from "../catalog/CatalogSchemas.ts"
import type { PublicClient } from "../client/Client.ts"
import { usageFailure } from "./Failure.ts"

type Catalog = PublicClient["catalog"]

const idsNamed = async (catalog: Catalog, name: string): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for await (const item of catalog.iterate({ executableOnly: true, limit: 100 }))
    if (item.name === name) ids.push(item.id)
  return ids
}

/** A full id stands for itself; a bare name must belong to one executable contract. */
export const contractIdOf = async (catalog: Catalog, text: string): Promise<string> => {
  if (text.includes(":")) return text
  const ids = await idsNamed(catalog, text)
  const [only] = ids
  if (only !== undefined && ids.length === 1) return only
  throw ids.length === 0
    ? usageFailure(
        `The catalog has no executable contract "${text}".`,
        '"service catalog --search <name>" looks for it.'
      )
    : usageFailure(`Several contracts are named "${text}".`, `Give one of these ids: ${ids.join(", ")}.`)
}

const named = (methods: ReadonlyArray<MethodRecord>, text: string): ReadonlyArray<MethodRecord> => {
  const exact = methods.filter(({ signature }) => signature === text)
  return exact.length > 0 ? exact : methods.filter(({ name }) => name === text)
}

/** A full canonical signature, or a name that only one function of the kind has. */
export const methodOf = (
  { id, methods }: Pick<ContractDetail, "id" | "methods">,
  text: string,
  kind?: MethodRecord["kind"]
): MethodRecord => {
  const found = named(methods, text).filter(method => kind === undefined || method.kind === kind)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const candidates = (
    found.length > 0 ? found : methods.filter(method => kind === undefined || method.kind === kind)
  )
    .map(({ signature }) => signature)
    .join("\n  ")
  throw usageFailure(
    found.length > 0
      ? `"${text}" is ambiguous.`
      : `${id} has no ${kind ?? ""} function "${text}".`.replace("  ", " "),
    `Give one of:\n  ${candidates}`
  )
}
