/** Operations that are else alike differ by what is drawn for each, and are drawn anew where that is alike too. */
import { afterAll, assert, it, vi } from "vitest"
import { askOperation, boundWallet, startOperatingBench, walletPlan } from "./support/Operating.ts"

const bench = await startOperatingBench()
afterAll(() => bench.stop())

/** An identifier of the request, and one of the operation, for each. */
const DRAWS_ALIKE = 4

it("two of the same calls, nonce and fees are both prepared, whatever is drawn", async () => {
  const bound = await boundWallet(bench)
  const plans = [await walletPlan(bench, bound), await walletPlan(bench, bound)]
  const drawn = crypto.randomUUID.bind(crypto)
  let draws = 0
  const drawing = vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    const [first = "", ...rest] = drawn().split("-")
    draws += 1
    return `${draws <= DRAWS_ALIKE ? "abc00000" : first}-${rest.join("-")}` as ReturnType<typeof drawn>
  })
  const answers = []
  for (const { id } of plans)
    answers.push(await askOperation(bench.service, bound.owner, { planId: id, stepIndexes: [0] }))
  drawing.mockRestore()
  const operations = await Promise.all(answers.map(answer => answer.json()))
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [201, 201],
    JSON.stringify(operations)
  )
  assert.strictEqual(new Set(operations.map(({ operationHash }) => operationHash)).size, 2)
})
