/** The account's wallets: which one a command means, and how they read. */
import type { ListedBinding, WalletBinding } from "../smartaccounts/WalletBinding.ts"
import type { Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { usageFailure } from "./Failure.ts"
import { facts } from "./Table.ts"

export const walletFlag: Flag = {
  name: "wallet",
  value: "<address>",
  help: "Act by this wallet of several owners that is bound to the account, or by its binding's id: its owners sign an operation."
}

export const sessionFlag: Flag = {
  name: "session",
  value: "<session id>",
  help: "Act for a wallet as this session's key, within what its owners let it do: no owner signs."
}

export const allBindings = async ({
  client
}: Pick<Connection, "client">): Promise<ReadonlyArray<ListedBinding>> => {
  const items: Array<ListedBinding> = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.smartAccounts.list(cursor === undefined ? {} : { cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

/** By the wallet's address or the binding's id. */
export const bindingNamed = async (
  connection: Pick<Connection, "client">,
  named: string
): Promise<ListedBinding> => {
  const text = named.toLowerCase()
  const found = (await allBindings(connection)).filter(
    ({ id, wallet }) => id === text || wallet.address.toLowerCase() === text
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw usageFailure(
    found.length === 0
      ? `The account has no wallet ${named}.`
      : `There are wallets at ${named} on several chains.`,
    found.length === 0
      ? `Bind it first: "service wallet bind ${named}"; "service wallet list" shows the account's.`
      : `Name it by its binding: ${found.map(({ id, wallet }) => `${id} (chain ${wallet.chainId})`).join(", ")}.`
  )
}

export const bindingText = (binding: WalletBinding): string => {
  const { id, wallet, status, manifestId, state, failedCheck } = binding
  return facts([
    ["wallet", `${wallet.address} on chain ${wallet.chainId}`],
    ["binding", id],
    ["status", status === "linked" ? status : `${status}: bind it anew before it acts`],
    ["manifest", manifestId],
    ...(state === undefined
      ? []
      : [
          ["owners", state.owners.join(", ")] as const,
          ["signs", `${state.threshold} of ${state.owners.length}`] as const
        ]),
    ...(failedCheck === undefined ? [] : [["fails", failedCheck] as const])
  ])
}
