/** Listens on a port, or says in one sentence why it cannot. */
import type { Server } from "node:http"
import { Effect } from "effect"
import { StartFailure } from "./StartFailure.ts"

const sentence = (error: NodeJS.ErrnoException, host: string, port: number, variable: string): string => {
  if (error.code === "EADDRINUSE")
    return `Port ${port} on ${host} is taken: stop what uses it or set ${variable} to another port.`
  if (error.code === "EACCES")
    return `Port ${port} on ${host} needs more rights than this process has: set ${variable} to a port above 1023.`
  return `Cannot listen on ${host}:${port} (${error.code ?? "unknown reason"}): check SERVICE_HOST and ${variable}.`
}

/** Afterwards a connection that cannot be accepted ends nothing but itself. */
export const listening = (
  server: Server,
  host: string,
  port: number,
  variable: string,
  /** Whether this process alone listens there, whatever other processes of the service do. */
  exclusive = false
) =>
  Effect.async<Server, StartFailure>(resume => {
    server.on("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new StartFailure({ message: sentence(error, host, port, variable) })))
    )
    server.listen({ port, host, exclusive }, () => resume(Effect.succeed(server)))
  })
