/** What an earlier run of the same command signed that this one does not go on with: by another key of the account, or for the same service by another URL. */
import { isRefusedBy } from "../client/Errors.ts"
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

/** Under a grant that has ended, say: its plan is not this key's to look at, and may have left. */
const byAnother = (principal: string, planId: string | undefined) =>
  new CliFailure(
    ExitCode.unknown,
    `An earlier run of this command signed for the plan ${planId} as ${principal}, whose plans this key does not see.`,
    `Look what became of it, as the owner: "service plan show ${planId}". If it did not do this, the same command with --anew does it.`
  )

const asFormerly = (audience: string, planId: string) =>
  new CliFailure(
    ExitCode.unknown,
    `An earlier run of this command signed for the plan ${planId} when this service was ${audience}.`,
    `Look what became of it: "service plan show ${planId} --refresh". If it did not do this, the same command with --anew does it.`
  )

const hasPlan = async ({ client }: Connection, planId: string): Promise<boolean> => {
  try {
    await client.plans.show(planId)
    return true
  } catch (failure) {
    if (isRefusedBy(failure, "PLAN_NOT_FOUND")) return false
    throw failure
  }
}

export const signedWork = (
  connection: Connection,
  meaning: ReadonlyArray<string>,
  terminal: CommandTerminal
): SignedWork => {
  const { account, principalId } = connection.client
  const { audience: own } = connection.capabilities
  const signed = pendingWork(terminal, keptPlaces(connection, account, "signed", ...meaning))
  /** Whatever the service is called: its public URL may change. */
  const anywhere = pendingWork(terminal, [[account, "signed", ...meaning]])
  return {
    requireOwn: async () => {
      const { principal = principalId, planId } = (await signed.recall()) ?? {}
      if (principal !== principalId) throw byAnother(principal, planId)
      const { audience = own, planId: former } = (await anywhere.recall()) ?? {}
      if (audience !== own && former !== undefined && (await hasPlan(connection, former)))
        throw asFormerly(audience, former)
    },
    keep: async planId => {
      await signed.keep({ principal: principalId, planId })
      await anywhere.keep({ audience: own, planId })
    },
    within: pending => ({
      ...pending,
      forget: async () => {
        await pending.forget()
        await signed.forget()
        if ((await anywhere.recall())?.audience === own) await anywhere.forget()
      }
    })
  }
}
