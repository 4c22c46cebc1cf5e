/** What another key of the account signed for the same command, such as a bot's under a grant that has ended: its plan is not this key's to look at, and may have left. */
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { keptPlaces, type Pending, pendingWork } from "./Pending.ts"

export interface SignedWork {
  /** Refuses what another key began. */
  readonly requireOwn: () => Promise<void>
  readonly keep: (planId: string) => Promise<void>
  /** As these are, and with them what is kept for the other keys. */
  readonly within: (pending: Pending) => Pending
}

export const signedWork = (
  connection: Connection,
  meaning: ReadonlyArray<string>,
  terminal: CommandTerminal
): SignedWork => {
  const { account, principalId } = connection.client
  const signed = pendingWork(terminal, keptPlaces(connection, account, "signed", ...meaning))
  return {
    requireOwn: async () => {
      const { principal = principalId, planId } = (await signed.recall()) ?? {}
      if (principal === principalId) return
      throw new CliFailure(
        ExitCode.unknown,
        `An earlier run of this command signed for the plan ${planId} as ${principal}, whose plans this key does not see.`,
        `Look what became of it, as the owner: "service plan show ${planId}". If it did not do this, the same command with --anew does it.`
      )
    },
    keep: planId => signed.keep({ principal: principalId, planId }),
    within: pending => ({
      ...pending,
      forget: async () => {
        await pending.forget()
        await signed.forget()
      }
    })
  }
}
