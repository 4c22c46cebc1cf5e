/** Whether the person at the terminal agrees to what was shown. */
import type { CommandTerminal } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"

export const saysYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer.trim())

/** Where nobody can be asked, `advice` says how to go on. */
export const agreedOnTerminal = async (
  input: Input,
  terminal: CommandTerminal,
  question: string,
  what: string,
  advice = "Run the same command with --yes."
): Promise<boolean> => {
  if (input.has("yes")) return true
  if (terminal.ask === undefined)
    throw usageFailure(`Nobody is here to agree to ${what}; nothing was signed.`, advice)
  return saysYes((await terminal.ask(`${question} [y/N] `)) ?? "")
}
