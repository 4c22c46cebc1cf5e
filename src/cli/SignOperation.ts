/** An operation that was prepared, signed by the owners whose keys or signatures are here, by its id. */
import { checkUserOperation } from "../client/CheckUserOperation.ts"
import { ownersPart } from "../client/OwnerSigning.ts"
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

interface AskedHere {
  readonly id: string
  /** Also where its time is over. */
  readonly isToBeSubmitted: boolean
}

export const operationSignedHere = async (
  connection: Connection,
  input: Input,
  terminal: CommandTerminal,
  { id, isToBeSubmitted }: AskedHere
) => {
  const { client } = connection
  const operation = await client.userOperations.show(id)
  const plan = await client.plans.show(operation.planId)
  const isSignable = operation.nextAction.kind === "sign" || isSentPerhaps(operation, plan)
  if (!isSignable && !(isToBeSubmitted && isOver(operation)))
    throw usageFailure(
      `The operation ${id} is ${operation.state}: its owners have nothing to sign.`,
      operation.nextAction.kind === "wait"
        ? `Follow it: "service operation watch ${id}".`
        : `"service operation show ${id}" says what came of it.`
    )
  if (operation.session !== undefined)
    throw usageFailure(
      `The operation ${id} is signed by the key of the session ${operation.session.id}, and by no owner.`,
      `Have that bot go on: "service session use ${operation.session.id} ${operation.planId}".`
    )
  await unaltered(connection, plan, operation.planId)
  await checkUserOperation({ client, plan, operation })
  const request = requestOf(operation, plan)
  if (operation.nextAction.reason !== undefined) terminal.note(operationText(operation))
  terminal.note(toSignText(operation, plan, client.clock.seconds() * 1000))
  if (!(await agreedOnTerminal(input, terminal, "Sign it?", `the operation ${id}`)))
    throw usageFailure("Nothing was signed.", "Answer yes, or give --yes.")
  const signing = ownersPart(operation)
  const parts: ReadonlyArray<OwnerPart> = await ownerParts(
    { input, identity: connection.identity },
    terminal,
    request,
    signing
  )
  return { signing, request, parts }
}
