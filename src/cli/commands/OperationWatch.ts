import type { PublicUserOperation } from "../../useroperations/PublicUserOperation.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { CliFailure, ExitCode } from "../Failure.ts"
import { operationText } from "../OperationText.ts"
import { timeoutFlag, timeoutOf } from "../Watch.ts"

/** As a plan's steps are: what its effects contradict, or leave open, is not done. */
const isDone = ({ state, observation }: PublicUserOperation): boolean =>
  state === "confirmed" && ["verified", "unmodeled"].includes(observation?.semantic?.status ?? "unmodeled")

export const operationWatch: Command = {
  name: "operation watch",
  takes: "<operation id>",
  summary: "Follow an operation of a wallet until it is decided.",
  flags: [...signedFlags, timeoutFlag],
  run: async (input, terminal) => {
    const seconds = timeoutOf(input)
    const { client } = await connect(input, terminal)
    const signal = AbortSignal.timeout(seconds * 1000)
    const id = input.needed(0)
    const watching = client.userOperations.watch(id, {
      signal,
      onProgress: now => terminal.note(operationText(now))
    })
    const operation = await watching.catch((failure: unknown) => {
      throw signal.aborted
        ? new CliFailure(
            ExitCode.unconfirmed,
            `Not decided after ${seconds} seconds.`,
            "Watch it again, or give a longer --timeout."
          )
        : failure
    })
    return {
      json: operation,
      text: operationText(operation),
      exitCode: isDone(operation) ? ExitCode.ok : ExitCode.unconfirmed
    }
  }
}
