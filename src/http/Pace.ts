/** How much of one body is taken in within a turn of the loop: it may come in a million pieces, and many of them at once. */
import type { IncomingMessage } from "node:http"

/** More than the pieces after which a body in crumbs is refused. */
export const PIECES_OF_A_TURN = 2_048

/** Gives the pieces as they come, and leaves the rest to the next turn, after what else waits there; meanwhile the request itself stops its socket once it holds enough. Ended by what it returns. */
export const takeByTurns = (request: IncomingMessage, take: (piece: Buffer) => void): (() => void) => {
  let pieces = 0
  let isOver = false
  const goOn = () => {
    pieces = 0
    if (!isOver) request.resume()
  }
  const onData = (piece: Buffer) => {
    pieces++
    take(piece)
    if (isOver || pieces !== PIECES_OF_A_TURN) return
    request.pause()
    setImmediate(goOn)
  }
  request.on("data", onData)
  return () => {
    isOver = true
    request.off("data", onData)
  }
}
