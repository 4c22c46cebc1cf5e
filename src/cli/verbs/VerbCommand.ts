/** A verb as a command: prepared, shown in words, agreed to, signed and followed. */

import type { ListedBinding } from "../../smartaccounts/WalletBinding.ts"
import { canonicalJson } from "../../values/CanonicalJson.ts"
import { carryAlone, carryingFlags, requireMeans, requireNode } from "../CarryOut.ts"
import type { Command, CommandTerminal } from "../Command.ts"
import { type Connection, chainFlag, connect, signedFlags } from "../Connection.ts"
import { enrolled } from "../Enrolled.ts"
import type { Input } from "../Input.ts"
import { sessionOfKey, underSession } from "../SessionWork.ts"
import { bindingNamed } from "../WalletBindings.ts"
import type { Verb } from "./Verb.ts"
import { verbInput } from "./VerbInput.ts"

const ofOwner = async (verb: Verb, input: Input, connection: Connection, terminal: CommandTerminal) => {
  const members = await verbInput(verb, input, connection)
  const { operation } = verb
  const create = (idempotencyKey: string) =>
    connection.client.operations.askPlan(operation, members, { idempotencyKey })
  const meaning = [operation, canonicalJson(members)]
  return carryAlone({ ...connection, input, meaning, create }, terminal)
}

const ofWallet = async (
  verb: Verb,
  input: Input,
  connection: Connection,
  terminal: CommandTerminal,
  { id, wallet }: ListedBinding
) => {
  if (input.has("sponsor")) input.fail("--wallet and --sponsor exclude each other.")
  const members = await verbInput(verb, input, connection, wallet.address)
  const { operation } = verb
  const create = (idempotencyKey: string) =>
    connection.client.smartAccounts.createPlan(id, { operation, input: members }, { idempotencyKey })
  return carryAlone(
    { ...connection, input, isWallets: true, meaning: [id, operation, canonicalJson(members)], create },
    terminal
  )
}

/** A call that the session's policy has, word for word, where the verb knows how to make one. */
const ofSession = async (
  verb: Verb,
  input: Input,
  connection: Connection,
  terminal: CommandTerminal,
  named: string
) => {
  if (input.has("sponsor") || input.has("wallet"))
    input.fail("--session goes with neither --wallet nor --sponsor.")
  const session = await sessionOfKey(connection, named)
  const request =
    verb.underSession === undefined
      ? { operation: verb.operation, input: await verbInput(verb, input, connection, session.wallet) }
      : await verb.underSession(session, input, connection)
  const meaning = [session.id, request.operation, canonicalJson(request.input)]
  const asked = { session, meaning, isAnew: input.has("anew") }
  const create = await underSession(connection, terminal, asked, idempotencyKey =>
    connection.client.smartAccounts.createPlan(session.bindingId, request, { idempotencyKey })
  )
  return carryAlone({ ...connection, input, isWallets: true, session, meaning, create }, terminal)
}

export const verbCommand = (verb: Verb): Command => ({
  name: verb.name,
  summary: verb.summary,
  details: `${verb.details === undefined ? "" : `${verb.details} `}The plan is prepared and shown in words; once you agree, each step is signed, submitted and watched until it is confirmed. An account that is not enrolled yet is enrolled first, if you agree. Run again after a crash: the same command goes on with the same plan. What is prepared is ${verb.operation}; "service op ${verb.operation} --describe" shows its whole input.`,
  example: verb.example,
  flags: [
    ...(verb.about === "project"
      ? [{ name: "project", value: "<id>", help: "The project on the chain." }]
      : []),
    ...verb.fields.map(({ flag }) => flag),
    {
      name: "input",
      value: "<file>",
      help: 'The input as JSON, "-" from standard input; flags go before it.'
    },
    chainFlag,
    ...carryingFlags,
    ...signedFlags
  ],
  keeps: true,
  run: async (input, terminal) => {
    requireMeans(input)
    const connection = await connect(input, terminal)
    await requireNode(input)
    return enrolled(connection, input, terminal, async () => {
      const session = input.value("session")
      if (session !== undefined) return ofSession(verb, input, connection, terminal, session)
      const named = input.value("wallet")
      if (named === undefined) return ofOwner(verb, input, connection, terminal)
      return ofWallet(verb, input, connection, terminal, await bindingNamed(connection, named))
    })
  }
})
