import type { Command } from "../Command.ts"
import { completionScript, SHELLS } from "../Completions.ts"
import { usageFailure } from "../Failure.ts"

/** Of all commands, itself among them. */
export const completions = (commands: () => ReadonlyArray<Command>): Command => ({
  name: "completions",
  takes: "<shell>",
  summary: "Print what completes commands and flags in bash, zsh or fish.",
  details:
    'For a shell that knows the program as service, such as after npm link. bash and zsh: eval "$(service completions bash)" in its start-up file; fish: service completions fish | source.',
  example: 'eval "$(service completions bash)"',
  flags: [],
  run: async input => {
    const shell = SHELLS.find(name => name === input.needed(0))
    if (shell === undefined)
      throw usageFailure(`"${input.needed(0)}" is no shell that is known here.`, `Give ${SHELLS.join(", ")}.`)
    const script = completionScript(shell, commands())
    return { json: script, text: script }
  }
})
