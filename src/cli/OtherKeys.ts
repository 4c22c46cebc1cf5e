/** What an earlier run of the same command signed that this one does not go on with: by another key of the account, or for the same service by another URL. */
import { BOT } from "../client/CarryOut.ts"
import { isRefusedBy } from "../client/Errors.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { keptPlaces, namedWork, type Pending, pendingWork } from "./Pending.ts"

export interface SignedWork {
  /** Refuses what another key began. */
  readonly requireOwn: () => Promise<void>
  readonly keep: (planId: string) => Promise<void>
  /** What was begun by other URLs up to now is refused no more at this one. */
  readonly passOver: () => Promise<void>
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

interface WorkElsewhere {
  readonly audience: string
  readonly principal: string
  readonly planId: string
}

const asFormerly = ({ audience, planId }: WorkElsewhere) =>
  new CliFailure(
    ExitCode.unknown,
    `An earlier run of this command signed for the plan ${planId} when this service was ${audience}.`,
    `Look what became of it: "service plan show ${planId} --refresh". If it did not do this, the same command with --anew does it.`
  )

const byAnotherElsewhere = ({ audience, principal, planId }: WorkElsewhere) =>
  new CliFailure(
    ExitCode.unknown,
    `An earlier run of this command signed for the plan ${planId} as ${principal} at ${audience}, which is another service, or this one by a former URL: this key does not see that one's plans.`,
    `If it is this one, look what became of the plan, as the owner: "service plan show ${planId} --refresh". If it did not do this, or is another service's, the same command with --anew does it.`
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

/** The owner sees the plans of all keys, and a bot its own. */
const requireAnother = async (connection: Connection, work: WorkElsewhere): Promise<void> => {
  const { principalId } = connection.client
  if (await hasPlan(connection, work.planId)) throw asFormerly(work)
  if (principalId.startsWith(BOT) && principalId !== work.principal) throw byAnotherElsewhere(work)
}

/** Whatever a service is called: its public URL may change. */
const signedElsewhere = (
  connection: Connection,
  meaning: ReadonlyArray<string>,
  terminal: CommandTerminal
) => {
  const { account, principalId } = connection.client
  const { audience: own } = connection.capabilities
  const place = [account, "signed", ...meaning]
  const byAudience = namedWork(terminal, place)
  /** Older programs kept one alone, and by whom elsewhere. */
  const older = pendingWork(terminal, [place])
  const passedOver = pendingWork(terminal, [[own, account, "passed over", ...meaning]])
  const principalAt = async (audience: string): Promise<string> =>
    (await pendingWork(terminal, [[audience, ...place]]).recall())?.principal ?? principalId
  const others = async (): Promise<ReadonlyArray<WorkElsewhere>> => {
    const found: Array<WorkElsewhere> = []
    for (const { audience = own, principal, planId } of await byAudience.all())
      if (audience !== own && planId !== undefined)
        found.push({ audience, principal: principal ?? (await principalAt(audience)), planId })
    return found
  }
  return {
    requireNone: async () => {
      const passed = (await passedOver.recall()) ?? {}
      for (const work of await others())
        if (passed[work.planId] === undefined) await requireAnother(connection, work)
    },
    keep: (planId: string) => byAudience.of(own).keep({ audience: own, principal: principalId, planId }),
    passOver: async () => {
      const all = await others()
      if (all.length > 0)
        await passedOver.keep(Object.fromEntries(all.map(({ audience, planId }) => [planId, audience])))
    },
    forget: async () => {
      if ((await older.recall())?.audience === own) await older.forget()
      await byAudience.of(own).forget()
    }
  }
}

export const signedWork = (
  connection: Connection,
  meaning: ReadonlyArray<string>,
  terminal: CommandTerminal
): SignedWork => {
  const { account, principalId } = connection.client
  const signed = pendingWork(terminal, keptPlaces(connection, account, "signed", ...meaning))
  const elsewhere = signedElsewhere(connection, meaning, terminal)
  return {
    requireOwn: async () => {
      const { principal = principalId, planId } = (await signed.recall()) ?? {}
      if (principal !== principalId) throw byAnother(principal, planId)
      await elsewhere.requireNone()
    },
    keep: async planId => {
      await signed.keep({ principal: principalId, planId })
      await elsewhere.keep(planId)
    },
    passOver: elsewhere.passOver,
    within: pending => ({
      ...pending,
      forget: async () => {
        await pending.forget()
        await signed.forget()
        await elsewhere.forget()
      }
    })
  }
}
