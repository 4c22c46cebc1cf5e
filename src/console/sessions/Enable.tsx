/** Enabling a session: the owner acknowledges its compiled hash, and the wallet's owners sign the one call that does it. */
import { LifecycleStanding } from "./LifecycleStanding.tsx"
import type { Acting } from "./SessionDesk.ts"

const ENABLE_MEANS =
  "You acknowledge exactly these bytes, and the service writes down the one call that enables them. It gives no authority before enough of the wallet's owners signed the operation that makes it."

export const Enable = (acting: Acting) => {
  const { checked, desk, seat, show } = acting
  const { session, dangers } = checked
  const { activation, state } = session
  if (dangers.length > 0 || (state !== "prepared" && state !== "installing")) return null
  const now = desk.nowMillis()
  const isOpen = activation !== undefined && activation.expiresAt > now
  const prepare = () =>
    seat.run("Preparing the plan…", async () => show(await desk.plan("activation", checked)))
  return (
    <section class="plan">
      <h2>Enable the session</h2>
      {activation === undefined ? undefined : (
        <LifecycleStanding acting={acting} plan={activation} title="The plan that enables it" now={now} />
      )}
      {isOpen ? undefined : (
        <>
          <p>{ENABLE_MEANS}</p>
          <div class="actions">
            <button type="button" class="primary" onClick={prepare}>
              {activation === undefined ? "Prepare the plan that enables it" : "Prepare another plan"}
            </button>
          </div>
        </>
      )}
    </section>
  )
}
