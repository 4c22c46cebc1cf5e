/** Who is at the console, and where to go from here. */
import { useState } from "preact/hooks"
import { instantText } from "../../review/Times.ts"
import type { PageProps, Seat } from "../app/Seat.ts"

const WAYS = [
  ["/console/do", "Do", "pay a project, cash out, launch one, and all other operations, each as a form"],
  ["/console/plans", "Plans", "what you and your bots prepared, and what became of it"],
  ["/console/wallets", "Wallets", "wallets of several owners: create one, bind it, act by it"],
  [
    "/console/sessions",
    "Sessions",
    "let a bot act for such a wallet, for a week or a month and within limits"
  ],
  ["/console/projects", "Projects", "find a project and see what its ruleset says"],
  ["/console/activity", "Activity", "what happened with your account, and what it holds"],
  ["/console/bots", "Bots", "who else may act for your account, and until when"],
  ["/console/profile", "Profile", "what the account says of itself"]
] as const

const Row = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div class="row">
    <dt>{name}</dt>
    <dd>
      <code>{value}</code>
    </dd>
  </div>
)

const Enroll = ({ seat: { desk, run } }: { readonly seat: Seat }) => {
  const [said, setSaid] = useState("")
  const enroll = () =>
    run("Waiting for the wallet…", async () => {
      const { createdAt } = await desk.owner.accounts.enroll()
      setSaid(`The service knows the account since ${instantText(createdAt * 1000)}.`)
    })
  return (
    <div class="actions">
      <button type="button" class="plain" onClick={enroll}>
        Enroll the account
      </button>
      <span role="status" class="done">
        {said}
      </span>
    </div>
  )
}

export const HomePage = ({ seat }: PageProps) => (
  <>
    <dl class="rows">
      <Row name="account" value={seat.desk.owner.account} />
      <Row name="wallet" value={seat.desk.wallet} />
      <Row name="service" value={seat.capabilities.audience} />
    </dl>
    <p>
      The account is named by its owner and one chain, its authority chain. It has no password: the owner's
      wallet signs, and a key of this tab while you stay signed in. The command line does the same:{" "}
      <code>service --help</code>.
    </p>
    {seat.desk.grant === undefined ? <Enroll seat={seat} /> : undefined}
    <h2>What you can do</h2>
    <ul class="items">
      {WAYS.map(([path, name, words]) => (
        <li class="item" key={path}>
          <a href={path}>{name}</a>: {words}.
        </li>
      ))}
    </ul>
  </>
)
