/** Whatever the provider answers is stored once and believed in nothing, and its requests are never sent again. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer } from "../support/RelayBench.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { shown } from "../support/Submissions.ts"
import { answering, answerOf, type Script, startScriptedProvider } from "./support/ScriptedProvider.ts"
import { askPublication, published, signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({
  providerUrl: Redacted.make(provider.url),
  providerHeaders: Redacted.make({ authorization: "Bearer of the operator" })
})
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const prepared = async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const sponsorship = await sponsorshipFor(service, owner, plan)
  const signatures = await signAll(owner.key, sponsorship)
  const data = executeCalldata(authorizationOf(sponsorship).message, signatures[0] ?? "0x")
  return { owner, plan, sponsorship, signatures, data }
}

const show = async (owner: Party, { id }: Pick<Sponsorship, "id">): Promise<Sponsorship> =>
  (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()

const SOMETHING = "0x1311a7D9a0e8d2fDE2D955D80f12C65a56D445b2"

const payments = (over: Readonly<Record<string, unknown>>): Script =>
  answering(request => {
    const answer = answerOf(request)
    return { ...answer, payment_info: answer.payment_info.map(item => ({ ...item, ...over })) }
  })

const lies: ReadonlyArray<readonly [string, Script]> = [
  ["an error", answering(answerOf, 500)],
  ["too many requests", answering(answerOf, 429)],
  ["accepted", answering(answerOf, 202)],
  ["a redirection", response => void response.writeHead(307, { location: provider.url }).end()],
  ["a page", response => void response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
  [
    "half an answer",
    response => {
      response.writeHead(200, { "content-length": 99 })
      response.write("{", () => response.destroy())
    }
  ],
  ["no answer", response => void response.destroy()],
  ["ten megabytes", response => void response.writeHead(200).end(`"${"a".repeat(10_000_000)}"`)],
  ["bytes that are no text", response => void response.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22]))],
  ["no bundle", answering(request => answerOf(request, { bundle_uuid: undefined }))],
  ["a bundle that is no UUID", answering(request => answerOf(request, { bundle_uuid: "1" }))],
  ["no ids", answering(request => answerOf(request, { tx_uuids: undefined }))],
  ["an id too few", answering(request => answerOf(request, { tx_uuids: [] }))],
  [
    "an id too many",
    answering(request =>
      answerOf(request, { tx_uuids: [...answerOf(request).tx_uuids, ...answerOf(request).tx_uuids] })
    )
  ],
  ["ids that disagree", answering(request => answerOf(request, { txn_uuids: answerOf(request).tx_uuids }))],
  ["no payment", answering(request => answerOf(request, { payment_info: [] }))],
  [
    "five payments",
    answering(request =>
      answerOf(request, { payment_info: Array(5).fill(answerOf(request).payment_info[0]) })
    )
  ],
  ["a negative amount", payments({ amount: "-1" })],
  ["an amount beyond 256 bits", payments({ amount: String(1n << 256n) })],
  ["an amount that is no hexadecimal number", payments({ amount: "0x" })],
  ["an amount that is no decimal one", payments({ amount: "1e18" })],
  ["a target that is none", payments({ target: `${SOMETHING}00` })],
  ["calldata that is none", payments({ calldata: "0x1" })],
  ["a deadline that is none", payments({ payment_deadline: "tomorrow" })]
]

describe("a provider that answers", () => {
  it.each(lies)("%s leaves it unknown, and hears of it no more", async (_, script) => {
    const { owner, plan, sponsorship, signatures, data } = await prepared()
    provider.next(script)
    const told = await published(service, owner, sponsorship)
    assert.strictEqual(told.state, "submission_unknown")
    assert.strictEqual(told.nextAction.kind, "wait")
    assert.isString(told.recovery)
    assert.notProperty(told, "quote")
    assert.deepInclude(stepOf(await shown(service, owner, plan)), { state: "unknown" })
    const again = await askPublication(service, owner, sponsorship, { signatures })
    assert.strictEqual((await problemIn(again)).code, "SPONSORSHIP_CONFLICT")
    assert.strictEqual(provider.timesSent(data), 1)
  })

  it.each([
    [
      "the other name of the ids",
      answering(request => answerOf(request, { tx_uuids: undefined, txn_uuids: answerOf(request).tx_uuids }))
    ],
    ["members that nobody asked for", answering(request => answerOf(request, { more: { of: "it" } }))],
    ["created", answering(answerOf, 201)],
    ["a deadline in digits", payments({ payment_deadline: "1990000000" })],
    ["a deadline as a date", payments({ payment_deadline: "2033-01-22T23:06:40Z" })],
    ["a deadline as a date without a zone", payments({ payment_deadline: "2033-01-22T23:06:40.123" })],
    ["an amount in hexadecimal digits", payments({ amount: "0x2386f26fc10000" })]
  ])("%s is understood", async (_, script) => {
    const { owner, sponsorship } = await prepared()
    provider.next(script)
    assert.strictEqual((await published(service, owner, sponsorship)).state, "quote_unverified")
  })

  it("with the bundle of another sponsorship is not believed", async () => {
    const [one, other] = [await prepared(), await prepared()]
    const { quote } = await published(service, one.owner, one.sponsorship)
    provider.next(answering(request => answerOf(request, { bundle_uuid: quote?.bundleId })))
    assert.strictEqual((await published(service, other.owner, other.sponsorship)).state, "submission_unknown")
    assert.strictEqual((await show(one.owner, one.sponsorship)).state, "quote_unverified")
  })
})
