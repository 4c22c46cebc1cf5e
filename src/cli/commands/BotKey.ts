/** A bot's key for a grant that its owner gives elsewhere, such as in the console: made here, proved here, and kept with its grant. */
import { stat } from "node:fs/promises"
import { Schema } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { Scopes } from "../../accounts/Account.ts"
import { registrationBody } from "../../client/BotGrant.ts"
import { partsOfAccount } from "../../client/SignRequest.ts"
import { type Bytes32, GrantId } from "../../values/Scalars.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { usageFailure } from "../Failure.ts"
import { foreign } from "../ForeignText.ts"
import type { Input } from "../Input.ts"
import { jsonFrom, textFrom } from "../Json.ts"
import { accountOfKey, type KeyFile, readKeyFile, writeKeyFile } from "../KeyFile.ts"
import { facts, isoSeconds } from "../Table.ts"

interface Proved {
  readonly audience: string
  readonly accountId: string
  readonly botAddress: string
  readonly scopes: Scopes
  readonly expiresAt: number
  readonly label: string
  readonly ownerRequestNonce: Bytes32
}

const SCOPES = ["read", "plan", "relay"]

const areScopes = (value: unknown): value is Scopes =>
  Array.isArray(value) && value.length > 0 && value.every((scope, index) => scope === SCOPES[index])

const isProved = (value: unknown): value is Proved => {
  const { audience, accountId, botAddress, scopes, expiresAt, label, ownerRequestNonce } = Object(value)
  const texts = [audience, accountId, botAddress, label]
  return (
    texts.every(text => typeof text === "string") &&
    areScopes(scopes) &&
    Number.isSafeInteger(expiresAt) &&
    /^0x[0-9a-f]{64}$/.test(ownerRequestNonce)
  )
}

const AGAIN = "Copy the terms from the page again, whole."

const termsIn = (text: string, { address, accountId }: KeyFile): Proved => {
  const { primaryType, message } = Object(jsonFrom(text, "The file of terms"))
  if (primaryType !== "ServiceBotProof" || !isProved(message))
    throw usageFailure("The file holds no terms of a grant.", AGAIN)
  if (message.botAddress.toLowerCase() !== address.toLowerCase())
    throw usageFailure(`The terms are for ${foreign(message.botAddress)}, and the key is ${address}.`, AGAIN)
  if (message.accountId !== accountId)
    throw usageFailure(
      `The terms are for ${foreign(message.accountId)}, and the key for ${accountId}.`,
      AGAIN
    )
  return message
}

const proved = async (path: string, file: KeyFile): Promise<CommandOutcome> => {
  const terms = termsIn(await textFrom(path), file)
  const { ownerRequestNonce, ...rest } = terms
  const bot = accountOfKey(file)
  const { proofSignature } = await registrationBody(
    { ...rest, bot },
    { ...rest, signer: bot },
    ownerRequestNonce
  )
  const told = facts([
    ["service", foreign(terms.audience)],
    ["account", terms.accountId],
    ["scopes", terms.scopes.join(", ")],
    ["expires", isoSeconds(terms.expiresAt)],
    ["label", foreign(terms.label)]
  ])
  return { json: { terms, proofSignature }, text: `${told}\n\n${proofSignature}` }
}

const isGrantId = Schema.is(GrantId)

const grantIn = (input: Input): string | undefined => {
  const given = input.value("grant")
  if (given === undefined || isGrantId(given)) return given
  throw usageFailure(
    `--grant is not a grant's id: ${foreign(given)}.`,
    "Copy what the page shows once the bot is granted."
  )
}

const keyAt = async (path: string, input: Input): Promise<KeyFile> => {
  const exists = await stat(path).then(
    () => true,
    () => false
  )
  if (exists) return readKeyFile(path)
  const accountId = input.neededValue("account")
  partsOfAccount(accountId)
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const file = { privateKey, address, accountId }
  await writeKeyFile(path, file)
  return file
}

export const botKey: Command = {
  name: "bot key",
  summary: "Make a bot's key for a grant that its owner gives in the console, and prove that it is held.",
  details:
    "First without --terms: the key is written to --out with mode 0600, unless it is there, and its address printed. Then with the terms that the page shows, to print the proof that it asks for. At last with the grant's id, which is kept beside the key. The service is not asked.",
  example: "service bot key --out bot.json --terms terms.json",
  flags: [
    { name: "out", value: "<file>", help: "The key file." },
    {
      name: "account",
      value: "<account id>",
      env: "FUNDING_ACCOUNT",
      help: "The account that the bot is to act for, where the key is made: eip155:<chain>:<owner>."
    },
    {
      name: "terms",
      value: "<file>",
      help: "What the page shows to be signed, or - for the standard input."
    },
    { name: "grant", value: "<grant id>", help: "What the page shows once the bot is granted." }
  ],
  run: async input => {
    input.apart("terms", "grant")
    const path = input.neededValue("out")
    const [terms, grantId] = [input.value("terms"), grantIn(input)]
    const file = await keyAt(path, input)
    if (terms !== undefined) return proved(terms, file)
    if (grantId !== undefined) await writeKeyFile(path, { ...file, grantId })
    const { address, accountId } = file
    const kept = facts([
      ["bot", address],
      ["account", accountId ?? "none"],
      ["grant", grantId ?? file.grantId ?? "none yet"]
    ])
    return { json: { address, accountId, grantId: grantId ?? file.grantId }, text: kept }
  }
}
