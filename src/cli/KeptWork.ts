/** What a command keeps of its plan. One that is prepared with --anew stands beside what an earlier run began, and in its place once somebody agreed: till then the same command without --anew goes on with that. */
import type { Plan } from "../plans/Plan.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import type { Input } from "./Input.ts"
import { signedWork } from "./OtherKeys.ts"
import { keptPlaces, type Pending, pendingWork, placesWithin } from "./Pending.ts"

interface Working extends Connection {
  readonly input: Input
  readonly meaning: ReadonlyArray<string>
}

export interface KeptWork {
  readonly pending: () => Pending
  /** Refuses what another key began, but with --anew. */
  readonly requireOwn: () => Promise<void>
  /** From here on the plan's steps are signed. */
  readonly signing: (plan: Plan) => Promise<void>
}

export const keptWork = (work: Working, terminal: CommandTerminal): KeptWork => {
  const { client, input, meaning } = work
  const signed = signedWork(work, meaning, terminal)
  const places = keptPlaces(work, client.account, client.principalId, ...meaning)
  const own = signed.within(pendingWork(terminal, places))
  const draft = pendingWork(terminal, placesWithin(places, "anew"))
  let pending = input.has("anew") ? draft : own
  const taken = async () => {
    if (pending === own) return
    await signed.passOver()
    await own.keep((await draft.recall()) ?? {})
    await draft.forget()
    pending = own
  }
  return {
    pending: () => pending,
    requireOwn: async () => {
      if (pending === own) await signed.requireOwn()
    },
    signing: async ({ id }) => {
      await taken()
      await signed.keep(id)
      await own.keep({ signing: new Date().toISOString(), ...(await own.recall()) })
    }
  }
}
