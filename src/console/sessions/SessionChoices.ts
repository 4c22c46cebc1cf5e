/** For which wallets and which bots a session can be prepared. */
import type { BotGrant } from "../../accounts/Account.ts"
import type { Client } from "../../client/Client.ts"
import type { Seat } from "../app/Seat.ts"
import type { OfferedWallet } from "../wallets/WalletWords.ts"
import { botsOfAccount } from "./BotsOfAccount.ts"
import { type SuggestedPrice, suggestedPrice } from "./SuggestedPrice.ts"

type Binding = Awaited<ReturnType<Client["smartAccounts"]["list"]>>["items"][number]

export interface WalletChoice {
  readonly binding: Binding
  readonly manifest: OfferedWallet["manifest"]
}

export interface Choices {
  readonly wallets: ReadonlyArray<WalletChoice>
  readonly bots: ReadonlyArray<BotGrant>
  readonly suggested: SuggestedPrice
}

const MOST = 100
const LEAST_DAYS = 7
const DAY_SECONDS = 86_400
const ALL_RIGHTS = 3

/** Those that have a guard, and act by operations. */
const choosable = (
  items: ReadonlyArray<Binding>,
  deployments: ReadonlyArray<OfferedWallet>
): ReadonlyArray<WalletChoice> =>
  items.flatMap(binding => {
    const kind = deployments.find(({ manifestId }) => manifestId === binding.manifestId)
    const isAble = kind?.mode === "execution" && kind.manifest.pins.guard !== undefined
    return kind !== undefined && isAble && binding.status === "linked"
      ? [{ binding, manifest: kind.manifest }]
      : []
  })

const isSuitable = ({ state, scopes, expiresAt }: BotGrant, nowSeconds: number): boolean =>
  state === "active" && scopes.length === ALL_RIGHTS && expiresAt >= nowSeconds + LEAST_DAYS * DAY_SECONDS

/** `named` is the binding that a link names. */
export const readChoices = async ({ desk }: Seat, named: string | null): Promise<Choices> => {
  const { smartAccounts } = desk.client
  const { deployments } = await smartAccounts.capabilities()
  const { items } = await smartAccounts.list({ limit: MOST })
  const all = choosable(items, deployments)
  const wallets = [...all].sort((a, b) => Number(b.binding.id === named) - Number(a.binding.id === named))
  const bots = (await botsOfAccount(desk)).filter(bot => isSuitable(bot, desk.owner.clock.seconds()))
  const suggested = await suggestedPrice(desk, wallets[0]?.manifest.chainId ?? 0)
  return { wallets, bots, suggested }
}
