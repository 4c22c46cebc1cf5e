/** A request may call its forwarder again: what that executed within it is told from what it was asked for. */
import { encodeFunctionData, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { forwarderAbi } from "../sandbox/support/Forwarding.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import { rpc } from "../support/Rpc.ts"
import {
  ANYBODY,
  comesTo,
  confirm,
  look,
  observationOf,
  type Publication,
  publication,
  send,
  startExecutingBench
} from "./support/Executing.ts"
import { signAll, signAuthorization } from "./support/Signing.ts"
import { authorizationOf, type SponsoredAuthorization, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startExecutingBench()

afterAll(() => bench.stop())

const ENTERING: Hex = "0x000000000000000000000000000000000000e17e"

const FAIL_OR_TRUE = "5b60006000fd5b600160005260206000f3"

/** Trusts whoever asks, and passes what it is called with on to the forwarder, but for the signer behind it. */
const enteringCode = (forwarder: string): Hex =>
  `0x36602414603b5760143603806000600037600060008260003473${forwarder.slice(2).toLowerCase()}5af11560355700${FAIL_OR_TRUE}`

type Signed = SponsoredAuthorization["message"] & { readonly signature: Hex }

/** Of a stranger, whose target executes this within it. */
const around = async ({ sponsorship }: Publication, data: Hex): Promise<Signed> => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const authorization = authorizationOf(sponsorship)
  await rpc(bench.chain.url, "anvil_setCode", [ENTERING, enteringCode(authorization.forwarder)])
  const { value, deadline } = authorization.message
  const message = { from: stranger.address, to: ENTERING, value, gas: "3000000", nonce: "0", deadline, data }
  const signature = await signAuthorization(stranger, { ...authorization, message })
  return { ...message, signature }
}

const ownOf = async ({ owner, sponsorship }: Publication): Promise<Signed> => {
  const [signature = assert.fail("not signed")] = await signAll(owner.key, sponsorship)
  return { ...authorizationOf(sponsorship).message, signature }
}

const executedAlone = ({ sponsorship }: Publication, { signature, ...message }: Signed) =>
  send(bench, {
    to: authorizationOf(sponsorship).forwarder,
    data: executeCalldata(message, signature),
    value: BigInt(message.value)
  })

const executedTogether = ({ sponsorship }: Publication, ...requests: ReadonlyArray<Signed>) =>
  send(bench, {
    to: authorizationOf(sponsorship).forwarder,
    data: encodeFunctionData({
      abi: forwarderAbi,
      functionName: "executeBatch",
      args: [
        requests.map(({ nonce: _, value, gas, deadline, ...rest }) => ({
          ...rest,
          value: BigInt(value),
          gas: BigInt(gas),
          deadline: Number(deadline)
        })),
        ANYBODY
      ]
    }),
    value: requests.reduce((sum, { value }) => sum + BigInt(value), 0n)
  })

const unexecuted = () => publication(bench, { lie: "executes-never" })

const callOf = ({ calls: [call] }: Publication): Hex => call ?? assert.fail("no call")

/** Another request of the wallet with the same nonce. */
const rivalOf = async ({ owner }: Publication): Promise<Signed> => {
  const plan = await planned(bench, owner, { calls: [payment(bench, ANYBODY)] })
  const sponsorship = await sponsorshipFor(bench.service, owner, plan)
  const [signature = assert.fail("not signed")] = await signAll(owner.key, sponsorship)
  return { ...authorizationOf(sponsorship).message, signature }
}

describe("a request that was executed within another one", () => {
  it("is proved by a trace, where the call asks for the other alone", async () => {
    const made = await unexecuted()
    await executedAlone(made, await around(made, callOf(made)))
    await confirm(bench)
    const { proof, semantic } = observationOf(await comesTo(bench, made, "completed"))
    assert.deepStrictEqual([proof, semantic?.status], ["traced", "verified"])
  })

  it("is proved by a trace, where a forged one of its wallet stands beside the other", async () => {
    const made = await unexecuted()
    const own = await ownOf(made)
    const forged: Signed = { ...own, gas: String(Number(own.gas) + 1) }
    await executedTogether(made, forged, await around(made, callOf(made)))
    await confirm(bench)
    const { proof, semantic } = observationOf(await comesTo(bench, made, "completed"))
    assert.deepStrictEqual([proof, semantic?.status], ["traced", "verified"])
  })
})

describe("a request that its batch passed over", () => {
  it("is not taken for the one of its nonce that was executed within another one", async () => {
    const made = await unexecuted()
    const { signature, ...rival } = await rivalOf(made)
    await executedTogether(made, await around(made, executeCalldata(rival, signature)), await ownOf(made))
    await confirm(bench)
    const { sponsorship } = await look(bench, made)
    const { state, proof, reason } = observationOf(sponsorship)
    assert.deepStrictEqual([state, proof, reason], ["unknown", undefined, "EXECUTION_NOT_OURS"])
  })

  it("nor where it stands before that one, which its wallet did not sign so", async () => {
    const made = await unexecuted()
    const { signature, ...rival } = await rivalOf(made)
    await executedTogether(
      made,
      { ...(await ownOf(made)), signature },
      await around(made, executeCalldata(rival, signature))
    )
    await confirm(bench)
    const { sponsorship } = await look(bench, made)
    const { state, proof, reason } = observationOf(sponsorship)
    assert.deepStrictEqual([state, proof, reason], ["unknown", undefined, "EXECUTION_NOT_OURS"])
  })
})
