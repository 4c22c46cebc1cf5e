/** A plan's operations that were not sent from its service: whether anybody had one executed all the same, before another plan does what they were to do. */
import type { Plan } from "../plans/Plan.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import type { Client } from "./Client.ts"

type Reading = Pick<Client, "userOperations">

const prepared = async ({ userOperations }: Reading, planId: string) => {
  const found: Array<PublicUserOperation> = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await userOperations.list({ planId, limit: 100, ...(cursor !== undefined && { cursor }) })
    found.push(...page.items.filter(({ state }) => state === "prepared"))
    cursor = page.nextCursor
  }
  return found
}

export interface UnsentOperations {
  /** It was executed, or nobody can say. */
  readonly doubtful: PublicUserOperation | undefined
  /** A block can still execute them, each at its own nonce. */
  readonly open: ReadonlyArray<PublicUserOperation>
}

const isDoubtful = ({ observation, nextAction: { kind } }: PublicUserOperation): boolean => {
  const { elsewhere } = observation ?? {}
  return elsewhere === undefined ? kind === "none" : elsewhere === "executed" || elsewhere === "unknown"
}

const isOver = ({ observation }: PublicUserOperation): boolean =>
  observation?.elsewhere === "lapsed" || observation?.elsewhere === "superseded"

export const unsentOperations = async (client: Reading, { id, steps }: Plan): Promise<UnsentOperations> => {
  const isUnsent = ({ stepIndexes }: PublicUserOperation): boolean =>
    steps.every(({ index, execution }) => execution === undefined || !stepIndexes.includes(index))
  const open: Array<PublicUserOperation> = []
  for (const operation of (await prepared(client, id)).filter(isUnsent)) {
    const looked = await client.userOperations.show(operation.id)
    if (isDoubtful(looked)) return { doubtful: looked, open }
    if (!isOver(looked)) open.push(looked)
  }
  return { doubtful: undefined, open }
}
