import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import {
  offers,
  opened,
  type PageBench,
  payer,
  read,
  recommitted,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import { agree, press, sees, switchAccounts } from "./support/WalletPage.ts"

const NOBODY = "0x00000000000000000000000000000000000000bb"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

describe("another account in the wallet", PATIENCE, () => {
  it("ends what the page was doing for the first one: its question, its signed bytes, its plan", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner)
    const { page } = await read(bench, { owner, plan, wallet })
    await sees(page, "The plan is what it says")
    await press(page, "Simulate")
    await page.getByRole("dialog", { name: "Simulate step 0" }).waitFor()
    const signed = wallet.asked.length
    await switchAccounts(page, [NOBODY])
    await sees(page, "Connect the owner's wallet")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    assert.strictEqual(wallet.asked.length, signed)
  })
})

describe("several wallets that announce themselves", PATIENCE, () => {
  it("are chosen among by the person, and no other is asked", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { announced: ["<b>Other</b>", "Own wallet"] })
    const { page } = await opened(bench, { owner, plan, wallet })
    await sees(page, "Which wallet?")
    assert.strictEqual(await offers(page, "<b>Other</b>"), 1)
    assert.deepStrictEqual(wallet.asked, [])
    await press(page, "Own wallet")
    await press(page, "Ask me each time")
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
  })
})

describe("what stands in the way", PATIENCE, () => {
  it("is said: no wallet, another account, another chain", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const bare = await opened(bench, { owner, plan })
    await sees(bare.page, "There is no wallet in this browser")
    const stranger = await opened(bench, { owner, plan, wallet: walletOf(bench, await payer(bench)) })
    await press(stranger.page, "Ask me each time")
    await sees(stranger.page, "The wallet's account is not the one that this page is about")
    const elsewhere = walletOf(bench, owner, { chainId: 1 })
    const { page } = await opened(bench, { owner, plan, wallet: elsewhere })
    await press(page, "Ask me each time")
    await sees(page, "The wallet is on another chain")
    assert.notInclude(elsewhere.asked, "eth_signTypedData_v4")
    await press(page, "Switch the wallet to chain 31337")
    await press(page, "Read the plan")
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
  })

  it("is said: a step that waits, a plan that expired, a problem of the service", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const call = payment(bench.sandbox, owner.key.address)
    const plan = await planned(bench.sandbox, owner, { calls: [call, { ...call, dependsOn: [0] }] })
    const { page } = await read(bench, { owner, plan, wallet })
    await sees(page, "Blocked until step 0 is confirmed")
    const expire = (honest: Plan) => recommitted(owner, { ...honest, expiresAt: honest.createdAt - 1 })
    const late = await read(bench, { owner, plan, wallet, change: expire })
    await sees(late.page, "The plan has expired: prepare a new one.")
    const absent = { ...plan, id: "5f0c8a52-0b1c-4f0a-9f53-000000000001" }
    const lost = await read(bench, { owner, plan: absent, wallet })
    await sees(lost.page, "The service refused: PLAN_NOT_FOUND")
  })
})

describe("the script of the page", PATIENCE, () => {
  const served = (name: string) => `${bench.sandbox.service.url}/console/${name}`

  it("is small, compressed, and has no way from text to markup or code, nor to bytes sent past the service", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { page, fetched } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await sees(page, "The plan is what it says")
    const parts = new Set(fetched.flatMap(url => /\/console\/([^/]+\.js)$/.exec(url)?.[1] ?? []))
    assert.include([...parts], "main.js")
    let [compressed, raw] = [0, 0]
    for (const part of parts) {
      const response = await fetch(served(part), { headers: { "accept-encoding": "br" } })
      assert.strictEqual(response.headers.get("content-type"), "text/javascript; charset=utf-8")
      const code = await response.text()
      compressed += Number(response.headers.get("content-length"))
      raw += code.length
      assert.notMatch(code, /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|WebAssembly/)
      assert.notMatch(code, /eth_sendRawTransaction|wallet_sendCalls|personal_sign|eth_sign"/)
    }
    assert.isBelow(compressed, 60 * 1024)
    assert.isBelow(raw, 176 * 1024)
  })

  it("has in none of its parts a way to code from text, nor a key that is kept", () => {
    const folder = join("dist", "console")
    for (const name of readdirSync(folder).filter(each => each.endsWith(".js"))) {
      const code = readFileSync(join(folder, name), "utf8")
      assert.notMatch(
        code,
        /insertAdjacentHTML|document\.write|\beval\(|new Function|WebAssembly|sessionStorage|indexedDB/,
        name
      )
    }
  })
})
