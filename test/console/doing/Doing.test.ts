import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { planIds } from "../../../src/operations/generated/OperationIds.ts"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { type PageBench, startPageBench } from "../support/PageBench.ts"
import { agree, press, sees } from "../support/WalletPage.ts"
import { fill, focuses, openedAt, openedForm, valueAt } from "./support/FormPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const opened = (path: string) => openedAt(bench, path)
const form = (id: string) => openedForm(bench, id)

describe("the operations", PATIENCE, () => {
  it("are found by words, and a form is opened and sent by the keyboard alone", async () => {
    const { page, fetched, faults } = await opened("/console/do")
    await sees(page, "18 of 18 operations")
    await page.getByLabel("Search by words").focus()
    await page.keyboard.type("donate")
    await sees(page, "1 of 18 operations")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("#at-project-projectId").focus()
    await page.keyboard.type("2")
    await page.locator("#at-amount").focus()
    await page.keyboard.type("0.25")
    await sees(page, "0.25 ether, exactly 250000000000000000 with 18 decimals")
    await page.keyboard.press("Enter")
    assert.match(await agree(page, "Prepare a plan"), /a plan to pay a project/)
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
    assert.match(page.url(), /\/console\/plans\/[0-9a-f-]{36}#account=eip155:/)
    await sees(page, "0.25 ether")
    assert.deepStrictEqual(
      [...new Set(fetched.map(url => new URL(url).origin))],
      [bench.sandbox.service.audience]
    )
    assert.deepStrictEqual(faults, [])
  })

  it("that could not be read are read at a press", async () => {
    const { page } = await opened("/console")
    const catalog = "**/api/v1/catalog/operations**"
    await page.route(catalog, route => route.abort())
    await page.getByRole("link", { name: "Do", exact: true }).click()
    await sees(page, "The service did not answer")
    await page.unroute(catalog)
    await press(page, "Read the operations")
    await sees(page, "18 of 18 operations")
    await page.route(catalog, route => route.abort())
    await page.getByRole("link", { name: "Pay a project" }).click()
    await sees(page, "The service did not answer")
    await page.unroute(catalog)
    await press(page, "Read the operation")
    await page.getByRole("button", { name: "Prepare the plan" }).waitFor()
  })

  it("that are not there are said not to be", async () => {
    const { page } = await opened("/console/do/prepare_nothing")
    await sees(page, "There is no such operation")
  })

  it("have a label for every control, and no sideways scrolling on a phone, opened wide or wrong", async () => {
    const { page, faults } = await opened("/console/do")
    await page.setViewportSize({ width: 390, height: 800 })
    for (const id of planIds) {
      await page.getByRole("link", { name: "Do", exact: true }).click()
      await page.locator(`a[href="/console/do/${id}"]`).click()
      await press(page, "Prepare the plan")
      await page.getByRole("region", { name: "What is wrong" }).waitFor()
      const found = await page.evaluate(() => {
        for (const folded of document.querySelectorAll("details")) folded.open = true
        const controls = [
          ...document.querySelectorAll<HTMLInputElement>("form input, form select, form textarea")
        ]
        const ids = [...document.querySelectorAll("[id]")].map(({ id: each }) => each)
        const described = controls.flatMap(each => each.getAttribute("aria-describedby")?.split(" ") ?? [])
        return {
          unlabelled: controls.filter(({ labels }) => labels?.length !== 1).map(each => each.id),
          twice: ids.filter((each, at) => ids.indexOf(each) !== at),
          undescribed: described.filter(each => document.getElementById(each) === null),
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          isFirstFocused:
            document.activeElement === document.querySelector("[aria-invalid=true], fieldset:focus")
        }
      })
      const wanted = { unlabelled: [], twice: [], undescribed: [], wide: 0, isFirstFocused: true }
      assert.deepStrictEqual(found, wanted, id)
    }
    assert.deepStrictEqual(faults, [])
  })
})

describe("a refusal", PATIENCE, () => {
  it("of the browser turns to the first wrong field, and goes away as it is put right", async () => {
    const { page } = await form("prepare_pay")
    await fill(page, { "project-projectId": "2", amount: "1,5", beneficiary: "0xabc" })
    await press(page, "Prepare the plan")
    await sees(page, "2 things are to be put right")
    await focuses(page, "at-amount")
    assert.strictEqual(
      await page.locator("#at-amount-wrong").textContent(),
      "This must be a number such as 1.5, with a point and at most 18 decimals."
    )
    await fill(page, { amount: "1.5" })
    await sees(page, "One thing is to be put right")
    assert.strictEqual(await page.locator("#at-amount-wrong").count(), 0)
    assert.strictEqual(await valueAt(page, "beneficiary"), "0xabc")
  })

  it("of the service is shown at its member, and loses nothing that was typed", async () => {
    const { page } = await form("prepare_pay")
    const memo = '<b onclick="x()">hi</b> \u202e'
    await page.getByText("More", { exact: true }).click()
    await fill(page, { "project-projectId": "999999", amount: "0.5", memo })
    await press(page, "Prepare the plan")
    await agree(page, "Prepare a plan")
    await page.locator("#at-project-wrong").waitFor()
    await focuses(page, "at-project")
    assert.deepStrictEqual(
      [await valueAt(page, "project-projectId"), await valueAt(page, "amount"), await valueAt(page, "memo")],
      ["999999", "0.5", memo]
    )
    assert.strictEqual(await page.locator("form b").count(), 0)
  })

  it("that names no member of the form is told above it", async () => {
    const { page } = await form("prepare_payout")
    await fill(page, { "project-projectId": "2", amount: "1000000" })
    await page.route("**/api/v1/operations/prepare_payout/plans", route => route.abort())
    await press(page, "Prepare the plan")
    await agree(page, "Prepare a plan")
    await sees(page, "The service did not answer")
    assert.strictEqual(await valueAt(page, "amount"), "1000000")
  })
})
