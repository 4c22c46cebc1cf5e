/** A page of one record that was checked in this browser: read at first, and followed by itself while there is something to wait for. */
import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { startFollowing } from "../Follower.ts"
import type { Seat } from "./Seat.ts"

interface FollowedRecord {
  readonly revision: number
  readonly nextAction: { readonly kind: string }
}

interface FollowingDesk<Checked> {
  readonly read: () => Promise<Checked>
  /** Undefined where the tab may not read it without a question. */
  readonly silentReader: unknown
  readonly follow: (before: Checked) => Promise<Checked>
}

interface Following<Checked> {
  readonly desk: FollowingDesk<Checked>
  readonly recordOf: (checked: Checked) => FollowedRecord
}

type Show<Checked> = (checked: Checked) => void

const useFollowing = <Checked,>(
  { desk, recordOf }: Following<Checked>,
  checked: Checked | undefined,
  show: Show<Checked>
): void => {
  const latest = useRef(checked)
  latest.current = checked
  const isWaiting = checked !== undefined && recordOf(checked).nextAction.kind === "wait"
  useEffect(() => {
    if (!isWaiting) return undefined
    return startFollowing({
      look: async () => {
        const before = latest.current
        if (before === undefined || desk.silentReader === undefined) return "over"
        const next = await desk.follow(before)
        show(next)
        return recordOf(next).revision === recordOf(before).revision ? "same" : "changed"
      },
      failed: () => {}
    })
  }, [isWaiting])
}

interface FollowedProps<Checked> extends Following<Checked> {
  readonly seat: Seat
  /** As in "Read the sponsorship". */
  readonly name: string
  readonly children: (checked: Checked, show: Show<Checked>) => VNode
}

export const Followed = <Checked,>({ seat, name, children, ...following }: FollowedProps<Checked>) => {
  const [checked, show] = useState<Checked>()
  const read = () => seat.run(`Reading the ${name}…`, async () => show(await following.desk.read()))
  useEffect(read, [])
  useFollowing(following, checked, show)
  return checked === undefined ? (
    <button type="button" class="primary" onClick={read}>
      Read the {name}
    </button>
  ) : (
    children(checked, show)
  )
}
