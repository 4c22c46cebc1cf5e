/** Tells work that waits when it waits for nobody. */
import { Effect } from "effect"
import type { Exchange } from "./Exchange.ts"

/** Who closes only their own side may still read: an answer that comes sooner is right for them too. */
export const hungUp = ({ request, response }: Pick<Exchange, "request" | "response">): Effect.Effect<void> =>
  Effect.async<void>(resume => {
    const { socket } = request
    const gone = () => resume(Effect.void)
    if (socket.readableEnded || response.closed) return gone()
    socket.once("end", gone)
    response.once("close", gone)
    return Effect.sync(() => {
      socket.off("end", gone)
      response.off("close", gone)
    })
  })
