/** A port of this machine that nobody listens on, for a program that takes no other word for it. */
import { createServer } from "node:net"
import { Effect } from "effect"
import { StartFailure } from "../settings/StartFailure.ts"

export const freePort = (name: string): Effect.Effect<number, StartFailure> =>
  Effect.async(resume => {
    const server = createServer()
    const failed = () =>
      resume(new StartFailure({ message: `There is no free port on 127.0.0.1 for ${name}.` }))
    server.once("error", failed)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null ? resume(Effect.succeed(address.port)) : failed()
      )
    })
  })
