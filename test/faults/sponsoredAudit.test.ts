/** The comparison of the truths of a sponsorship sees each way in which they can differ. */
import { assert, describe, it } from "vitest"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import type { ForwardRequest } from "../../src/values/ForwardRequestShape.ts"
import { auditSponsored, type SponsoredEvidence } from "./sponsored/Audit.ts"
import { slotOf } from "./sponsored/Executions.ts"

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const FORWARDER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"

const message: ForwardRequest = {
  from: WALLET,
  to: FORWARDER,
  value: "0",
  gas: "100000",
  nonce: "0",
  deadline: "1990000000",
  data: "0x"
}

const authorizations = [{ message }]
const signature = `0x${"11".repeat(64)}1b`
const data = executeCalldata(message, signature)
const publication = {
  transactions: [{ chain: 31337, target: FORWARDER, data, value: "0", virtual_nonce: 0 }]
} as const
const row = {
  id: "one",
  authorizations,
  signatures: [signature],
  submission_hash: "0x01",
  is_late: false,
  is_approved: true
}
const slot = slotOf(WALLET, "0")
const executed = { hash: "0x02", success: true, input: data } as const

const told = (state: string, at: number, hash: string | undefined = "0x01") => ({
  sponsorship: { id: "one", authorizations, state, ...(hash === "" ? {} : { submission: { hash } }) },
  at
})

const sound: SponsoredEvidence = {
  rows: [row],
  publications: [publication],
  executions: new Map([[slot, [executed]]]),
  told: [told("prepared", 0, ""), told("submitting", 1), told("completed", 2)]
}

const brokenBy = (change: Partial<SponsoredEvidence>): ReadonlyArray<string> =>
  Object.entries(auditSponsored({ ...sound, ...change })).flatMap(([name, found]) =>
    found.length > 0 ? [name.split(" ")[0] ?? ""] : []
  )

describe("an audit of sponsorships", () => {
  it("finds nothing where all agree", () => {
    assert.deepStrictEqual(brokenBy({}), [])
  })

  it.each<readonly [string, string, Partial<SponsoredEvidence>]>([
    ["a second publication", "E1", { publications: [publication, publication] }],
    [
      "a publication of what was not admitted",
      "E1",
      { rows: [{ ...row, signatures: null }], executions: new Map(), told: [] }
    ],
    ["a publication in parts", "E1", { publications: [{ transactions: [] }] }],
    ["something told to be done that was not", "E4", { executions: new Map() }],
    ["a failure told to be done", "E4", { executions: new Map([[slot, [{ ...executed, success: false }]]]) }],
    ["a request that was executed twice", "E4", { executions: new Map([[slot, [executed, executed]]]) }],
    ["a request that was executed and had not left", "E4", { publications: [] }],
    ["two requests for one nonce", "E5", { rows: [row, { ...row, id: "other", signatures: ["0x"] }] }],
    ["a publication without consent", "E11", { rows: [{ ...row, is_approved: false }] }],
    ["a publication after a revocation", "E17", { rows: [{ ...row, is_late: true }] }],
    ["a sponsorship that is gone", "E20", { rows: [{ ...row, id: "other" }] }],
    ["a submission that changed", "E20", { told: [told("submitting", 0, "0x03")] }],
    ["a submission that is gone", "E20", { told: [told("submitting", 0), told("prepared", 60_000, "")] }]
  ])("finds %s", (_, broken, change) => {
    assert.include(brokenBy(change), broken)
  })
})
