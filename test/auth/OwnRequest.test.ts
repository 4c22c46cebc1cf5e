import { keccak256, stringToBytes } from "viem"
import { assert, describe, it } from "vitest"
import { asksFor } from "../../src/auth/OwnRequest.ts"

const planId = "01234567-89ab-4def-8123-456789abcdef"
const raw = "0x02F86b01"
const dispatched = { planId, stepIndex: 3, transactionHash: keccak256("0x02f86b01") }
const stepTarget = `/api/v1/plans/${planId}/steps/3/submissions`
const bundleTarget = `/api/v1/plans/${planId}/submissions`

const request = (target: string, body: unknown, method = "POST") => ({
  method,
  target,
  contentType: "application/json",
  body: stringToBytes(typeof body === "string" ? body : JSON.stringify(body))
})

const single = { rawSignedTransaction: raw }
const items = [
  { stepIndex: 1, rawSignedTransaction: "0x02" },
  { stepIndex: 3, rawSignedTransaction: raw }
]

describe("the owner's own request", () => {
  it("asks for what it submits, by itself or in a bundle", () => {
    assert.isTrue(asksFor(request(stepTarget, single), dispatched))
    assert.isTrue(asksFor(request(bundleTarget, { submissions: items }), dispatched))
  })

  it.each<[string, ReturnType<typeof request>]>([
    ["a GET", request(stepTarget, single, "GET")],
    ["a PATCH", request(stepTarget, single, "PATCH")],
    ["another step's path", request(stepTarget.replace("/3/", "/2/"), single)],
    ["another plan's path", request(stepTarget.replace("0123", "1123"), single)],
    ["another route", request("/api/v1/plans", single)],
    ["a path and more", request(`${stepTarget}?a=1`, single)],
    ["other bytes", request(stepTarget, { rawSignedTransaction: "0x02" })],
    ["another member", request(stepTarget, { ...single, isOwner: true })],
    ["an approval beside it", request(stepTarget, { ...single, ownerApproval: {} })],
    ["no JSON", request(stepTarget, "rawSignedTransaction")],
    [
      "a member twice",
      request(stepTarget, `{"rawSignedTransaction":"${raw}","rawSignedTransaction":"${raw}"}`)
    ],
    ["a bundle on a step's path", request(stepTarget, { submissions: items })],
    ["a step on a bundle's path", request(bundleTarget, single)],
    ["a bundle without the step", request(bundleTarget, { submissions: items.slice(0, 1) })],
    ["a bundle with the step twice", request(bundleTarget, { submissions: [...items, items[1]] })],
    ["a bundle's other member", request(bundleTarget, { submissions: items, isOwner: true })],
    ["an item's other member", request(bundleTarget, { submissions: [{ ...items[1], ownerApproval: {} }] })],
    ["the bytes under another step", request(bundleTarget, { submissions: [{ ...items[1], stepIndex: 2 }] })]
  ])("does not ask for it by %s", (_, given) => {
    assert.isFalse(asksFor(given, dispatched))
  })
})
