import { carryingFlags } from "../CarryOut.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import { operated } from "../OperateWallet.ts"
import { shownPlan } from "../Plans.ts"
import { hasLeft, requireUsable, sessionOfKey } from "../SessionWork.ts"
import { timeoutFlag, timeoutOf } from "../Watch.ts"

export const sessionUse: Command = {
  name: "session use",
  takes: "<session id> <plan id>",
  summary: "Carry out a plan of a session's wallet as the session's key: no owner signs.",
  details:
    'Each step leaves as one operation, which is computed anew from the plan and the policy before the key signs it. A call that the policy does not have is refused before anything leaves, by the service and by the guard. Run again after a crash: the same command goes on with the same operation. "service pay --session" prepares such a plan and carries it out; "service plan create --wallet" prepares any.',
  example:
    "service session use 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 6f0c8a52-0b1c-4f0a-9f53-2f6f5d7c1e43 --key-file bot.json",
  flags: [...signedFlags, ...carryingFlags.filter(({ name }) => name === "yes"), timeoutFlag],
  keeps: true,
  run: async (input, terminal) => {
    timeoutOf(input)
    const connection = await connect(input, terminal)
    const session = await sessionOfKey(connection, input.needed(0))
    const asked = input.needed(1)
    const plan = await connection.client.plans.show(asked, { refresh: true })
    await requireUsable(connection, terminal, session, () => hasLeft(connection, terminal, plan))
    const { review, ...shown } = await shownPlan(connection, plan, asked)
    if (shown.exitCode !== ExitCode.ok) return shown
    terminal.note(shown.text)
    return operated({ ...connection, input, session }, plan, terminal)
  }
}
