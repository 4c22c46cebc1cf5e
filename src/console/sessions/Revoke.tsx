/** The end of a session: by a plan that its wallet's owners sign here, or by the same transaction without this service. */
import { useState } from "preact/hooks"
import { isBareRevocable } from "../../client/CheckSession.ts"
import { exact, row, words } from "../../review/Words.ts"
import { isNothingEnabled } from "../../sessions/NothingEnabled.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import { HandOn } from "../app/HandOn.tsx"
import { Rows } from "../app/Rows.tsx"
import { LifecycleStanding } from "./LifecycleStanding.tsx"
import type { Acting, CheckedSession } from "./SessionDesk.ts"

const REVOKE_MEANS =
  "The wallet's owners sign one call that has the guard refuse the key for good. From the moment in which its plan is prepared nothing more is sent under the session here; on the chain the key may act until the call is executed. What it did stays done."

const Ask = ({ seat, desk, checked, show }: Acting) => {
  const [isAsked, ask] = useState(false)
  const prepare = () =>
    seat.run("Preparing the revocation…", async () => show(await desk.plan("revocation", checked)))
  return (
    <>
      <p role={isAsked ? "alert" : undefined}>{REVOKE_MEANS}</p>
      <div class="actions">
        {isAsked ? (
          <>
            <button type="button" class="danger" onClick={prepare}>
              Prepare the revocation
            </button>
            <button type="button" class="plain" onClick={() => ask(false)}>
              Keep it
            </button>
          </>
        ) : (
          <button type="button" class="danger" onClick={() => ask(true)}>
            Revoke it…
          </button>
        )}
      </div>
    </>
  )
}

const transactionRows = ({
  revokeTransaction: { chainId, wallet, to, value, data, operation }
}: PublicSession) => [
  row("from the wallet", exact(wallet), words(` on chain ${chainId}`)),
  row("to the guard", exact(to)),
  row("value", exact(value)),
  row("data", exact(data)),
  row("operation", exact(operation), words(", a call"))
]

/** By the permission alone, whatever else differs. */
const isExact = ({ session, manifest }: CheckedSession): boolean =>
  manifest !== undefined && isBareRevocable(session)

const WithoutService = ({ session }: { readonly session: PublicSession }) => (
  <div class="beside">
    <h3>Without this service</h3>
    <p>
      The wallet's owners revoke it with any interface for Safes by exactly this transaction: it needs no
      service and no bundler. Keep it apart from here.
    </p>
    <Rows rows={transactionRows(session)} />
    <HandOn
      ways={[{ label: "Copy the transaction", text: JSON.stringify(session.revokeTransaction, null, 2) }]}
    />
  </div>
)

const REVOCABLE = ["installing", "active", "stale", "expired", "revoking"]

/** Whether there is something on the chain, or under way to it, that its owners can end. */
const isRevocable = (session: PublicSession): boolean =>
  REVOCABLE.includes(session.state) &&
  (session.activation !== undefined || session.observation?.enabled === true) &&
  !isNothingEnabled(session)

export const Revoke = (acting: Acting) => {
  const { checked, desk } = acting
  const { session } = checked
  if (!isRevocable(session)) return null
  const { revocation } = session
  return (
    <section class="plan red">
      <h2>Revoke the session</h2>
      {revocation === undefined ? undefined : (
        <LifecycleStanding
          acting={acting}
          plan={revocation}
          title="The plan that revokes it"
          now={desk.nowMillis()}
        />
      )}
      {revocation === undefined || revocation.expiresAt <= desk.nowMillis() ? <Ask {...acting} /> : undefined}
      {isExact(checked) ? <WithoutService session={session} /> : undefined}
    </section>
  )
}
