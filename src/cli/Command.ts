/** What a command is: its words, flags and help, and what it answers. */
import type { ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"

export interface Flag {
  readonly name: string
  /** How help names its value; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
  /** The environment variable that stands in for it. */
  readonly env?: string
  readonly repeatable?: boolean
}

export interface CommandTerminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Progress and remarks, apart from the answer. */
  readonly note: (line: string) => void
  /** Absent where nobody sits there to answer; resolves to undefined where the person leaves by Ctrl-C or Ctrl-D. */
  readonly ask?: (question: string) => Promise<string | undefined>
}

export interface CommandOutcome {
  /** What `--json` prints. */
  readonly json: unknown
  readonly text: string
  readonly exitCode?: ExitCode
}

export interface Command {
  /** Its words, such as `plan show`. */
  readonly name: string
  /** Positional arguments as help shows them, such as `<contract> [<function>]`. */
  readonly takes?: string
  readonly summary: string
  readonly details?: string
  /** A whole command line. */
  readonly example?: string
  readonly flags: ReadonlyArray<Flag>
  /** It keeps what is unfinished, and goes on with it. */
  readonly keeps?: true
  readonly run: (input: Input, terminal: CommandTerminal) => Promise<CommandOutcome>
}
