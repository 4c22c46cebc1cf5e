/** Calls that the deployed forwarder carried: what it says of them decides before their own events do. */
import { assert, describe, it } from "vitest"
import { judgedRecording } from "./Judged.ts"
import { type Call, recordingOf } from "./Recording.ts"

const isExecution = ({ event }: Call["logs"][number]): boolean => event.startsWith("ExecutedForwardRequest(")

const executions = recordingOf("forwarder").transactions.flatMap(call =>
  call.logs.filter(isExecution).map(({ args }) => ({ call, args }))
)

describe("a recorded execution", () => {
  it.each(executions.map(each => [each.call.note, each] as const))("of %s", (_, { call, args }) => {
    const account = `0x${String(args.signer).slice(2)}` as const
    const as = (nonce: string) => judgedRecording(call, undefined, { account, forwarded: { nonce } })
    const { status, reason } = as(String(args.nonce))
    if (args.success === true) assert.strictEqual(status, "unmodeled")
    else
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "the forwarder says that the forwarded call did not succeed"]
      )
    assert.strictEqual(as(String(BigInt(String(args.nonce)) + 99n)).status, "unknown")
  })

  it("is one that failed among others", () => {
    assert.include(
      executions.map(({ args }) => args.success),
      false
    )
  })
})
