import { stat } from "node:fs/promises"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { BotGrant, Scopes } from "../../accounts/Account.ts"
import type { Client } from "../../client/Client.ts"
import { describedBot } from "../BotText.ts"
import type { Command, CommandTerminal } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { explain } from "../Explain.ts"
import { CliFailure, ExitCode, usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { accountOfKey, type KeyFile, readKeyFile, writeKeyFile } from "../KeyFile.ts"

const DAY_SECONDS = 86_400
/** The longest that is granted, less what clocks differ by. */
const LONGEST_SECONDS = 365 * DAY_SECONDS - 60

const SCOPES = { read: ["read"], plan: ["read", "plan"], relay: ["read", "plan", "relay"] } as const

const scopesOf = (input: Input): Scopes => SCOPES[input.choice("scope", ["read", "plan", "relay"]) ?? "read"]

const daysOf = (input: Input): number => input.integer("days", 1, 365) ?? 30

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The key is on disk before anybody is asked to grant it anything. */
const keyAt = async (path: string, accountId: string): Promise<KeyFile> => {
  if (!(await exists(path))) {
    const privateKey = generatePrivateKey()
    await writeKeyFile(path, { privateKey, address: privateKeyToAccount(privateKey).address, accountId })
  }
  const file = await readKeyFile(path)
  if (file.grantId !== undefined)
    throw usageFailure(`${path} already holds the grant ${file.grantId}.`, "Choose another --out.")
  if (file.accountId !== accountId)
    throw usageFailure(`${path} is a key of ${file.accountId ?? "no account"}.`, "Choose another --out.")
  return file
}

const grantedBefore = async (client: Client, { address }: KeyFile): Promise<BotGrant | undefined> =>
  (await client.bots.list()).find(bot => bot.botAddress === address && bot.state === "active")

const grant = async ({ client }: Connection, input: Input, file: KeyFile): Promise<BotGrant> => {
  const days = daysOf(input)
  return client.bots.grant({
    bot: accountOfKey(file),
    scopes: scopesOf(input),
    expiresAt: client.clock.seconds() + Math.min(days * DAY_SECONDS, LONGEST_SECONDS),
    label: input.value("label") ?? ""
  })
}

/** Another key would get another grant. */
const grantUnwritten = (failure: unknown, { id }: BotGrant, path: string): CliFailure =>
  new CliFailure(
    ExitCode.unconfirmed,
    `${explain(failure).message}\nThe grant ${id} was made for the key in it.`,
    `Make room there, and run the same command with the same --out ${path}: it writes that grant.`
  )

const create = async (input: Input, terminal: CommandTerminal): Promise<readonly [BotGrant, string]> => {
  const path = input.neededValue("out")
  scopesOf(input)
  daysOf(input)
  const connection = await connect(input, terminal)
  const accountId = connection.client.account
  const resumed = await exists(path)
  const file = await keyAt(path, accountId)
  const before = resumed ? await grantedBefore(connection.client, file) : undefined
  if (before !== undefined) terminal.note(`The key in ${path} was granted before; its grant is kept.`)
  const bot = before ?? (await grant(connection, input, file))
  await writeKeyFile(path, { ...file, grantId: bot.id }).catch((failure: unknown) => {
    throw grantUnwritten(failure, bot, path)
  })
  return [bot, path]
}

export const botCreate: Command = {
  name: "bot create",
  summary: "Make a bot's key on this machine and grant it scopes.",
  details:
    "The private key is written to --out with mode 0600 and never leaves this machine. Run again after a crash: the same --out continues with the same key and grant.",
  flags: [
    ...signedFlags,
    { name: "out", value: "<file>", help: "Where the key file is written." },
    {
      name: "scope",
      value: "<scope>",
      help: "read, plan or relay; each includes those before. read by default."
    },
    { name: "days", value: "<days>", help: "Until the grant expires; 30 by default, at most 365." },
    { name: "label", value: "<text>", help: "At most 120 bytes." }
  ],
  run: async (input, terminal) => {
    const [bot, keyFile] = await create(input, terminal)
    const next = `Use it with --key-file ${keyFile}.`
    return { json: { bot, keyFile }, text: `${describedBot(bot)}\nkey file written to ${keyFile}\n${next}` }
  }
}
