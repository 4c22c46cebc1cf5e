/** How a command ends: the exit codes, and failures that say what to do next. */
export const ExitCode = {
  ok: 0,
  usage: 1,
  refused: 2,
  network: 3,
  unknown: 4,
  unconfirmed: 5,
  failedCheck: 6,
  internal: 70
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export const exitCodeHelp: ReadonlyArray<readonly [ExitCode, string]> = [
  [ExitCode.ok, "done"],
  [ExitCode.usage, "the command line, a file or a wallet cannot be used as it is; nothing was sent"],
  [ExitCode.refused, "the service or the node refused; its problem is printed"],
  [ExitCode.network, "the service or the node was not reached by a request that only reads"],
  [ExitCode.unknown, "the outcome is unknown; the same command again continues and does nothing twice"],
  [ExitCode.unconfirmed, "reverted, blocked, expired, or not confirmed within the time given"],
  [ExitCode.failedCheck, "a check failed: doctor, verify, or a plan or a file that is not what it says"],
  [ExitCode.internal, "a fault of this program"]
]

export class CliFailure extends Error {
  override readonly name = "CliFailure"
  readonly exitCode: ExitCode
  /** What to do next. */
  readonly advice: string

  constructor(exitCode: ExitCode, message: string, advice: string) {
    super(message)
    this.exitCode = exitCode
    this.advice = advice
  }
}

export const usageFailure = (message: string, advice: string): CliFailure =>
  new CliFailure(ExitCode.usage, message, advice)
