/** An operation that was prepared, signed by its id: by the owners whose keys or signatures are here, or by its session's key. */
import { checkOperationOfSession } from "../client/CheckSessionOperation.ts"
import { checkUserOperation } from "../client/CheckUserOperation.ts"
import { ownersPart } from "../client/OwnerSigning.ts"
import { signSessionOperation } from "../client/SessionSigning.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import type { OwnerPart } from "../values/OwnerEnvelope.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { operationText, requestOf, toSignText } from "./OperationText.ts"
import { ownerParts } from "./OwnerParts.ts"
import { unaltered } from "./Plans.ts"
import { toSignByKeyText } from "./SessionText.ts"
import { sessionOfKey } from "./SessionWork.ts"

/** Nothing is known of it or its steps since its service was restored: its own signature takes it up where it was executed, and another operation would do the same again. */
export const isSentPerhaps = (
  { state, nextAction, stepIndexes }: PublicUserOperation,
  { steps }: Plan
): boolean =>
  state === "prepared" &&
  nextAction.kind === "none" &&
  steps.every(
    ({ index, execution, transaction }) =>
      !stepIndexes.includes(index) || (execution ?? transaction) === undefined
  )

/** Its time is over as far as its service knows, which takes it up where its entry point executed it. */
const isOver = ({ state, nextAction }: PublicUserOperation): boolean =>
  state === "prepared" && nextAction.kind === "prepare-again"

interface SigningHere {
  readonly connection: Connection
  readonly input: Input
  readonly terminal: CommandTerminal
  readonly operation: PublicUserOperation
  readonly plan: Plan
}

/** `isToBeSubmitted`: also where its time is over. */
const requireSignable = ({ operation, plan }: SigningHere, isToBeSubmitted: boolean): void => {
  const { id } = operation
  const isSignable = operation.nextAction.kind === "sign" || isSentPerhaps(operation, plan)
  if (!isSignable && !(isToBeSubmitted && isOver(operation)))
    throw usageFailure(
      `The operation ${id} is ${operation.state}: its owners have nothing to sign.`,
      operation.nextAction.kind === "wait"
        ? `Follow it: "service operation watch ${id}".`
        : `"service operation show ${id}" says what came of it.`
    )
}

const bySession = ({ id, session, planId }: PublicUserOperation) =>
  usageFailure(
    `The operation ${id} is signed by the key of the session ${session?.id}, and by no owner.`,
    `Have that bot go on: "service session use ${session?.id} ${planId}".`
  )

const requireAgreed = async ({ input, terminal, operation }: SigningHere, said: string): Promise<void> => {
  if (operation.nextAction.reason !== undefined) terminal.note(operationText(operation))
  terminal.note(said)
  if (!(await agreedOnTerminal(input, terminal, "Sign it?", `the operation ${operation.id}`)))
    throw usageFailure("Nothing was signed.", "Answer yes, or give --yes.")
}

export interface AskedHere extends Pick<SigningHere, "connection" | "input" | "terminal"> {
  readonly id: string
}

const readHere = async ({ id, ...here }: AskedHere): Promise<SigningHere> => {
  const { client } = here.connection
  const operation = await client.userOperations.show(id)
  return { ...here, operation, plan: await client.plans.show(operation.planId) }
}

const byOwners = async (here: SigningHere) => {
  const { connection, input, terminal, operation, plan } = here
  const { client, identity } = connection
  if (operation.session !== undefined) throw bySession(operation)
  await unaltered(connection, plan, operation.planId)
  await checkUserOperation({ client, plan, operation })
  const request = requestOf(operation, plan)
  await requireAgreed(here, toSignText(operation, plan, client.clock.seconds() * 1000))
  const signing = ownersPart(operation)
  const parts: ReadonlyArray<OwnerPart> = await ownerParts({ input, identity }, terminal, request, signing)
  return { signing, request, parts }
}

const byKey = async (here: SigningHere, sessionId: string): Promise<string> => {
  const { connection, operation, plan } = here
  const { client, identity } = connection
  await unaltered(connection, plan, operation.planId)
  const session = await sessionOfKey(connection, sessionId)
  const about = { client, plan, operation, session }
  await checkOperationOfSession(about)
  await requireAgreed(here, toSignByKeyText(operation, session, client.clock.seconds() * 1000))
  return signSessionOperation(identity.wallet, about)
}

export const operationSignedHere = async (asked: AskedHere) => {
  const here = await readHere(asked)
  requireSignable(here, false)
  return byOwners(here)
}

/** The whole signature where a session's key gives it. */
export const submissionSignedHere = async (asked: AskedHere) => {
  const here = await readHere(asked)
  requireSignable(here, true)
  const { session } = here.operation
  return session === undefined ? byOwners(here) : byKey(here, session.id)
}
