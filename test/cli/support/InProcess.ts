/** Commands in this process: what the program prints, without starting one. */
import type { CommandTerminal } from "../../../src/cli/Command.ts"
import { commands } from "../../../src/cli/Commands.ts"
import { explain } from "../../../src/cli/Explain.ts"
import { parseInput } from "../../../src/cli/Input.ts"
import type { Ran } from "./Cli.ts"

const named = (args: ReadonlyArray<string>) => {
  const found = [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => name.split(" ").every((word, index) => args[index] === word))
  if (found === undefined) throw new Error(`no command ${args.join(" ")}`)
  return { command: found, rest: args.slice(found.name.split(" ").length) }
}

/** `ask` stands for somebody at the terminal. */
export const runHere = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  ask?: NonNullable<CommandTerminal["ask"]>
): Promise<Ran> => {
  const { command, rest } = named(args)
  const noted: Array<string> = []
  const terminal: CommandTerminal = { env, note: line => noted.push(line), ...(ask && { ask }) }
  try {
    const { json, text, exitCode = 0 } = await command.run(parseInput(command, rest, env), terminal)
    const stdout = args.includes("--json") ? JSON.stringify(json) : text
    return { code: exitCode, stdout, stderr: noted.join("\n") }
  } catch (failure) {
    const { exitCode, message, advice } = explain(failure)
    return { code: exitCode, stdout: "", stderr: [...noted, message, advice].join("\n") }
  }
}
