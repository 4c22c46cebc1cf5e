/** Who is at the console, and where to go from here. */
import { useState } from "preact/hooks"
import type { PageProps } from "../app/Seat.ts"

const WAYS = [
  ["/console/do", "Do", "pay a project, cash out, launch one, and all other operations, each as a form"],
  ["/console/plans", "Plans", "what you and your bots prepared, and what became of it"],
  ["/console/projects", "Projects", "find a project and see what its ruleset says"],
  ["/console/activity", "Activity", "what happened with your account, and what it holds"],
  ["/console/bots", "Bots", "who else may act for your account, and until when"],
  ["/console/profile", "Profile", "what the account says of itself"]
] as const

const WHO = [
  "The account is named by its owner and one chain, its authority chain. It has no password: the owner's wallet signs, and a key of this tab while you stay signed in.",
  "The command line does the same (service --help)."
] as const

export const HomePage = ({ seat }: PageProps) => {
  const [said, setSaid] = useState("")
  const { desk, run } = seat
  const enroll = () =>
    run("Waiting for the wallet…", async () => {
      const { createdAt } = await desk.owner.accounts.enroll()
      const day = new Date(createdAt * 1000).toISOString().slice(0, 10)
      setSaid(`The service knows the account since ${day}.`)
    })
  return (
    <>
      <dl class="rows">
        <div class="row">
          <dt>account</dt>
          <dd>
            <code>{desk.owner.account}</code>
          </dd>
        </div>
        <div class="row">
          <dt>wallet</dt>
          <dd>
            <code>{desk.wallet}</code>
          </dd>
        </div>
        <div class="row">
          <dt>service</dt>
          <dd>
            <code>{seat.capabilities.audience}</code>
          </dd>
        </div>
      </dl>
      {WHO.map(words => (
        <p key={words}>{words}</p>
      ))}
      {desk.grant === undefined ? (
        <div class="actions">
          <button type="button" class="plain" onClick={enroll}>
            Enroll the account
          </button>
          <span role="status" class="done">
            {said}
          </span>
        </div>
      ) : undefined}
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
}
