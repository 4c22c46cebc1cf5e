/** Who else may act for the account, and until when; a grant is ended in one click and the owner's signature. */
import { useState } from "preact/hooks"
import type { BotGrant } from "../../accounts/Account.ts"
import { exact, nameText, row, untrusted } from "../../review/Words.ts"
import type { PageProps, Seat } from "../app/Seat.ts"
import { Time } from "../app/Times.tsx"
import { NewBot } from "./NewBot.tsx"

const MAY: Readonly<Record<number, string>> = {
  1: "may read the account's data",
  2: "may read the account's data and prepare plans",
  3: "may read the account's data, prepare plans, and hand in what the owner signed or approved"
}

const STATE: Readonly<Record<BotGrant["state"], string>> = {
  active: "active",
  expired: "ended",
  revoked: "revoked"
}

interface Shown {
  readonly bot: BotGrant
  readonly seat: Seat
  readonly replace: (bot: BotGrant) => void
}

const Bot = ({ bot, seat, replace }: Shown) => {
  const { desk } = seat
  const now = desk.owner.clock.seconds() * 1000
  const isTab = desk.grant?.grantId === bot.id
  const revoke = () =>
    seat.run("Waiting for the wallet…", async () => {
      const rows = [
        row("grant", exact(bot.id)),
        row("bot", exact(bot.botAddress)),
        row("label", untrusted(bot.label))
      ]
      replace(await desk.about(rows, ({ owner }) => owner.bots.revoke(bot.id)))
      if (isTab) desk.leave("revoked")
    })
  return (
    <li class="item">
      <p>
        <strong class="foreign">
          <bdi>{bot.label === "" ? "without a label" : nameText(bot.label)}</bdi>
        </strong>{" "}
        <span class={`state ${bot.state === "active" ? "confirmed" : ""}`}>{STATE[bot.state]}</span>
        {isTab ? " This is the tab that you are in." : ""}
      </p>
      <p>
        <code>{bot.botAddress}</code> {MAY[bot.scopes.length]}
        {bot.state === "revoked" ? "; revoked " : bot.state === "expired" ? "; ended " : "; ends "}
        <Time millis={(bot.revokedAt ?? bot.expiresAt) * 1000} now={now} />.
      </p>
      <p class="muted">
        grant <code>{bot.id}</code>
      </p>
      {bot.state === "active" ? (
        <button type="button" class="plain" aria-label={`Revoke ${bot.id}`} onClick={revoke}>
          Revoke
        </button>
      ) : undefined}
    </li>
  )
}

export const BotsPage = ({ seat }: PageProps) => {
  const [bots, setBots] = useState<ReadonlyArray<BotGrant>>()
  const { desk } = seat
  const read = () => seat.run("Waiting for the wallet…", async () => setBots(await desk.owner.bots.list()))
  const replace = (changed: BotGrant) =>
    setBots(present => present?.map(bot => (bot.id === changed.id ? changed : bot)))
  const live = bots?.filter(({ state }) => state === "active") ?? []
  const past = bots?.filter(({ state }) => state !== "active") ?? []
  const item = (bot: BotGrant) => <Bot key={bot.id} bot={bot} seat={seat} replace={replace} />
  return (
    <>
      <p>
        A bot is a key with rights on the account until a time of your choosing. It signs no transaction of
        your wallet's, and none leaves without your signature or approval. The list is the owner's: the wallet
        signs for it.
      </p>
      <div class="actions">
        <button type="button" class={bots === undefined ? "primary" : "plain"} onClick={read}>
          {bots === undefined ? "List the bots" : "List them again"}
        </button>
      </div>
      {bots === undefined ? undefined : live.length === 0 ? (
        <p>No bot has rights on the account now.</p>
      ) : (
        <ul class="items">{live.map(item)}</ul>
      )}
      {past.length === 0 ? undefined : (
        <details class="folded">
          <summary>{past.length} that ended</summary>
          <ul class="items">{past.map(item)}</ul>
        </details>
      )}
      <NewBot seat={seat} granted={bot => setBots(present => present && [bot, ...present])} />
    </>
  )
}
