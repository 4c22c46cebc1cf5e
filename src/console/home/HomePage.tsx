/** Who is at the console, and where to go from here. */
import type { PageProps } from "../app/Seat.ts"

const WAYS = [
  ["/console/do", "Do", "pay a project, cash out, launch one, and all other operations, each as a form"],
  ["/console/plans", "Plans", "what you and your bots prepared, and what became of it"],
  ["/console/projects", "Projects", "find a project and see what its ruleset says"],
  ["/console/activity", "Activity", "what happened with your account, and what it holds"],
  ["/console/bots", "Bots", "who else may act for your account, and until when"],
  ["/console/profile", "Profile", "what the account says of itself"]
] as const

export const HomePage = ({ seat }: PageProps) => (
  <>
    <dl class="rows">
      <div class="row">
        <dt>account</dt>
        <dd>
          <code>{seat.desk.client.account}</code>
        </dd>
      </div>
    </dl>
    <ul class="ways">
      {WAYS.map(([path, name, words]) => (
        <li key={path}>
          <a href={path}>{name}</a>: {words}.
        </li>
      ))}
    </ul>
  </>
)
