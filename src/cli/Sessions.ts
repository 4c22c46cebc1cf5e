/** Sessions of wallets as commands mean them: by their ids, checked before anything of them is signed. */
import { checkRevocable } from "../client/CheckSession.ts"
import { AlteredPlan } from "../client/Errors.ts"
import type { PolicyNames } from "../sessions/PolicyWords.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { policyText } from "./SessionText.ts"

/** Assets and allocations by the names that the manifest and the request give them. */
export const namesOf = async (
  { client }: Pick<Connection, "client">,
  { allocations }: Pick<PublicSession, "allocations">,
  chain: number
): Promise<PolicyNames> => {
  const { deployments } = await client.smartAccounts.capabilities()
  return {
    assets: deployments
      .filter(({ chainId }) => chainId === chain)
      .flatMap(each => each.manifest.reviewed.assets),
    allocationIds: allocations.flatMap(group => group.allocations.map(({ id }) => id))
  }
}

/** The bot whose grant the session is of, by what the account's owner knows of it, or as who is asking. */
const botOf = async ({ client, identity }: Connection, { id, grantId }: PublicSession): Promise<string> => {
  if (identity.grantId !== undefined) return identity.wallet.address
  const grant = (await client.bots.list()).find(each => each.id === grantId)
  if (grant !== undefined) return grant.botAddress
  throw new AlteredPlan(id, "the account knows no bot of its grant", "session")
}

const checkSessionOfBot = async (connection: Connection, session: PublicSession, bot?: string) =>
  connection.client.sessions.check(session, bot ?? (await botOf(connection, session)))

/** Its bytes and hashes computed anew; its key is compared with the bot's address, where that is known from elsewhere. */
export const checkedSessionAt = async (
  connection: Connection,
  id: string,
  bot?: string
): Promise<PublicSession> => {
  const session = await connection.client.sessions.show(id)
  await checkSessionOfBot(connection, session, bot)
  return session
}

/** For its end: what its policy differs in is told, and keeps no owner from ending it. */
export const revocableSessionAt = async (
  connection: Connection,
  terminal: CommandTerminal,
  id: string
): Promise<PublicSession> => {
  const { client } = connection
  const session = await client.sessions.show(id)
  await checkRevocable({ client, session })
  await checkSessionOfBot(connection, session).catch((failure: unknown) => {
    if (!(failure instanceof AlteredPlan)) throw failure
    terminal.note(
      `BEWARE: ${failure.message} Its revocation alone is safe to sign: that names its permission, and nothing of its policy.`
    )
  })
  return session
}

/** What the session lets its key do, said before anything is signed. */
export const sayPolicy = async (
  connection: Connection,
  terminal: CommandTerminal,
  session: PublicSession
): Promise<void> => {
  const { id, compiled, chainId } = session
  terminal.note(policyText(compiled.encodedPolicy, await namesOf(connection, session, chainId), id))
}

export const allSessions = async (
  { client }: Pick<Connection, "client">,
  bindingId?: string
): Promise<ReadonlyArray<PublicSession>> => {
  const items: Array<PublicSession> = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.sessions.list({
      limit: 100,
      ...(bindingId !== undefined && { bindingId }),
      ...(cursor !== undefined && { cursor })
    })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}
