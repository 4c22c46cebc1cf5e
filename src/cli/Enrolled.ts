/** A verb of an owner who is not enrolled yet: the account is enrolled first, where the person agrees. */
import { ServiceProblem } from "../client/Errors.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import type { Input } from "./Input.ts"

const lacksAccount = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.problem.code === "ACCOUNT_NOT_FOUND"

const canAgree = (input: Input, { ask }: CommandTerminal): boolean => input.has("yes") || ask !== undefined

export const enrolled = async <Done>(
  { client, identity: { account, grantId } }: Connection,
  input: Input,
  terminal: CommandTerminal,
  run: () => Promise<Done>
): Promise<Done> => {
  try {
    return await run()
  } catch (failure) {
    const isOwner = grantId === undefined
    if (!(isOwner && lacksAccount(failure) && canAgree(input, terminal))) throw failure
    if (!(await agreedOnTerminal(input, terminal, `Enroll the account ${account} first?`, "enrolling")))
      throw failure
    await client.accounts.enroll()
    terminal.note(`Enrolled the account ${account}.`)
    return run()
  }
}
