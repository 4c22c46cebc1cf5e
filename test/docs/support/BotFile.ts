/** A bot of the first account, as `service bot create` writes its file. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { createClient } from "../../../src/client/Client.ts"
import { fundedOwner, type Sandbox } from "../../support/Sandbox.ts"

const AN_HOUR = 3_600

export const newBotFile = async ({ service }: Pick<Sandbox, "service">) => {
  const { key, accountId } = fundedOwner(0)
  const client = createClient({ baseUrl: service.url, account: accountId, signer: key })
  await client.accounts.enroll()
  const privateKey = generatePrivateKey()
  const bot = privateKeyToAccount(privateKey)
  const { id: grantId } = await client.bots.grant({
    bot,
    scopes: ["read", "plan", "relay"],
    expiresAt: Math.floor(Date.now() / 1000) + AN_HOUR
  })
  return { privateKey, address: bot.address, accountId, grantId }
}
