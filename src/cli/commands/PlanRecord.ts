import { isRefusedBy } from "../../client/Errors.ts"
import { requireChain } from "../../client/Node.ts"
import { checkSent, readSent } from "../../client/SentTransaction.ts"
import type { Eip1193Provider } from "../../client/Signer.ts"
import { hashIn } from "../../client/TransactionHash.ts"
import type { Call, Plan } from "../../plans/Plan.ts"
import { SENT_OTHERWISE } from "../../review/SentOtherwise.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { CliFailure, ExitCode, usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { unaltered } from "../Plans.ts"
import { nodeOf, rpcFlag } from "../SignTransaction.ts"
import { submissionOutcome } from "../SubmitStep.ts"
import { indented } from "../Table.ts"
import { timeoutFlag, timeoutOf, watched } from "../Watch.ts"

const PATIENCE_MILLIS = 20_000

const hashOf = (input: Input): `0x${string}` =>
  hashIn(input.needed(2)) ??
  input.fail(`A transaction hash is 0x and 64 hexadecimal digits, not "${input.needed(2)}".`)

const callAt = ({ calls }: Plan, index: number): Call => {
  const call = calls[index]
  if (call !== undefined) return call
  throw usageFailure(`The plan has no step ${index}.`, `It has ${calls.length}, from 0.`)
}

/** The bytes that were sent, where they are exactly the planned call. */
const plannedBytes = async (
  node: Eip1193Provider,
  hash: string,
  call: Call,
  wallet: string
): Promise<string> => {
  const told = await readSent(
    () => node.request({ method: "eth_getTransactionByHash", params: [hash] }),
    PATIENCE_MILLIS
  )
  if (told === undefined)
    throw new CliFailure(
      ExitCode.unconfirmed,
      `The node knows no transaction ${hash}.`,
      "Wait until it is in a block, or look whether the wallet replaced it: a replacement has another hash."
    )
  const check = await checkSent(told, hash, call, wallet)
  if (check.fits) return check.raw
  if ("isUnproved" in check)
    throw new CliFailure(
      ExitCode.unconfirmed,
      `The node does not prove what the transaction ${hash} is:\n${indented(check.faults.join("\n"))}`,
      "It may be the planned call all the same, so do not send the step again: run this again once it is in a block, or by another node."
    )
  throw new CliFailure(
    ExitCode.failedCheck,
    `The transaction ${hash} is not the planned call:\n${indented(check.faults.join("\n"))}`,
    SENT_OTHERWISE
  )
}

/** The service takes nothing of an expired plan that its own node has not seen. */
const unseen = (hash: string): CliFailure =>
  new CliFailure(
    ExitCode.unconfirmed,
    `The plan expired, and the service's node has not seen the transaction ${hash} since it was prepared.`,
    "Run this again once it is mined. Prepare no other plan for it: that would do it twice."
  )

export const planRecord: Command = {
  name: "plan record",
  takes: "<plan id> <step> <transaction hash>",
  summary: "Have the service follow a step's transaction that the wallet sent by itself.",
  details:
    "For wallets that sign no transaction without sending it. The transaction is read from the node, its bytes are proved by the hash and compared with the planned call; only then is it bound to the step. The service passes these bytes on only where its own node does not know them. Run again as often as needed: nothing is sent twice.",
  example:
    "service plan record 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 0 0x3d… --rpc https://node.example --watch",
  flags: [
    ...signedFlags,
    rpcFlag(
      "A node of the step's chain that knows the transaction; that of the local chain is found while npm start runs in this folder."
    ),
    { name: "watch", help: "Then follow the step until it is decided." },
    timeoutFlag
  ],
  run: async (input, terminal) => {
    const [asked, index, hash] = [input.needed(0), input.step(1), hashOf(input)]
    const seconds = timeoutOf(input)
    const node = nodeOf(input)
    const connection = await connect(input, terminal)
    const { client } = connection
    const plan = await client.plans.show(asked)
    const call = callAt(plan, index)
    await unaltered(connection, plan, asked)
    await requireChain(node, call.chainId)
    const rawSignedTransaction = await plannedBytes(node, hash, call, plan.account)
    const answer = await client.plans
      .submit(plan.id, index, { rawSignedTransaction })
      .catch((failure: unknown) => {
        throw isRefusedBy(failure, "PLAN_EXPIRED") ? unseen(hash) : failure
      })
    if (input.has("watch")) return watched(client, terminal, answer.plan, { step: index, seconds })
    return submissionOutcome(answer, index)
  }
}
