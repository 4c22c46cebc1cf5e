/** An operation's input from flags, a file and what goes without saying; flags go before the file. */
import { isRecord } from "effect/Predicate"
import { partsOfAccount } from "../../client/SignRequest.ts"
import { type Connection, chainOf } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { jsonFrom, textFrom } from "../Json.ts"
import type { Members, Verb, VerbField } from "./Verb.ts"

const fileMembers = async (input: Input): Promise<Members> => {
  const path = input.value("input")
  if (path === undefined) return {}
  const what = path === "-" ? "The standard input" : `The file ${path}`
  const value = jsonFrom(await textFrom(path), what)
  if (isRecord(value)) return value
  throw usageFailure(`${what} is no JSON object.`, "Correct it and run the command again.")
}

const placeOf = (verb: Verb, input: Input, { capabilities }: Connection, file: Members): Members => {
  if (verb.about === "chain")
    return input.has("chain") || file.chainId === undefined ? { chainId: chainOf(input, capabilities) } : {}
  const projectId = input.value("project")
  if (projectId !== undefined) return { project: { chainId: chainOf(input, capabilities), projectId } }
  if (file.project === undefined) return input.fail(`"service ${verb.name}" needs --project.`)
  return input.has("chain") && isRecord(file.project)
    ? { project: { ...file.project, chainId: chainOf(input, capabilities) } }
    : {}
}

const otherwise = (
  known: Members,
  { member, otherwise: fallback, needed, flag }: VerbField,
  input: Input
) => {
  if (known[member] !== undefined) return known
  if (fallback !== undefined) return { ...known, [member]: fallback(known) }
  return needed === true ? input.fail(`Give --${flag.name}, or ${member} in the file.`) : known
}

/** `account` is the wallet that acts; the account's own where none is named. */
export const verbInput = async (
  verb: Verb,
  input: Input,
  connection: Connection,
  account: string = partsOfAccount(connection.client.account).owner
): Promise<Members> => {
  const file = await fileMembers(input)
  const flags = verb.fields.flatMap(({ member, read }) => {
    const value = read(input)
    return value === undefined ? [] : [[member, value] as const]
  })
  const known: Members = {
    account,
    ...verb.defaults,
    ...file,
    ...placeOf(verb, input, connection, file),
    ...Object.fromEntries(flags)
  }
  return verb.fields.reduce((members, field) => otherwise(members, field, input), known)
}
