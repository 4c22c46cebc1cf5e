import type { Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { newBot } from "../support/Bots.ts"
import { callOf, contractCalls, payment, planned, requestPlan } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { endLease } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { refreshed, shown, submitted } from "../support/Submissions.ts"
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
import { agree, press, sees } from "./support/WalletPage.ts"

const EVIL = `<script>window.ran=1</script><img src=x onerror="window.ran=1">\u202Eevil`

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const evilPlan = async (owner: Party): Promise<Plan> => {
  const { sandbox } = bench
  const calls = [payment(sandbox, owner.key.address)]
  const { operation, input } = contractCalls(owner, calls)
  const answer = await requestPlan(sandbox.service, owner, { operation, input: { ...input, label: EVIL } })
  assert.strictEqual(answer.status, 201)
  return answer.json()
}

describe("the page of an owner's plan", PATIENCE, () => {
  it("reviews, simulates, signs and submits it, and sees it confirmed, without leaving its origin", async () => {
    const { service } = bench.sandbox
    const owner = await payer(bench)
    const plan = await evilPlan(owner)
    const { page, fetched, faults } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await sees(page, "The plan is what it says")
    await sees(page, "0.000000000000001 ether")
    await press(page, "Simulate")
    await agree(page, "Simulate step 0")
    await sees(page, "estimated gas")
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    assert.match(
      await agree(page, "Sign the transaction"),
      /recipient\s*0x[0-9a-fA-F]{40}, the planned wallet/
    )
    await sees(page, "Signed, and exactly the planned call")
    assert.isUndefined((await shown(service, owner, plan)).steps[0]?.transaction)
    await press(page, "Submit")
    assert.match(await agree(page, "Submit step 0"), /signed transaction\s*0x[0-9a-f]{64}/)
    await sees(page, "What became of it")
    await mine(bench.sandbox)
    await press(page, "Look at the chain again")
    await agree(page, "Look at the chain again")
    await sees(page, "transactions_confirmed")
    assert.strictEqual((await shown(service, owner, plan)).status, "transactions_confirmed")
    assert.deepStrictEqual([...new Set(fetched.map(url => new URL(url).origin))], [service.audience])
    assert.deepStrictEqual(faults, [])
  })

  it("takes the own transaction of a lost step again, past the plan's expiry, and prepares no other", async () => {
    const { service, chain } = bench.sandbox
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await rpc(chain.url, "evm_setAutomine", [false])
    await submitted(service, owner, plan, { rawSignedTransaction: raw })
    await rpc(chain.url, "anvil_dropAllTransactions")
    await rpc(chain.url, "evm_setAutomine", [true])
    await endLease(bench.sandbox, plan.id)
    await refreshed(service, owner, plan)
    const change = (honest: Plan) => recommitted(owner, { ...honest, expiresAt: honest.createdAt - 1 })
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner), change })
    await sees(page, "for good: it is free once these very bytes are mined")
    assert.strictEqual(await offers(page, "Prepare the transaction"), 0)
    await press(page, "Paste the step's own transaction again")
    await page.getByLabel("Signed transaction in hexadecimal").fill(raw)
    await press(page, "Check it")
    await press(page, "Submit")
    await agree(page, "Submit step 0")
    await sees(page, "2 attempts")
    await mine(bench.sandbox)
    assert.strictEqual((await refreshed(service, owner, plan)).status, "transactions_confirmed")
  })

  it("shows a hostile label as marked text, and neither makes markup nor leaves its origin", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page, faults } = await read(bench, { owner, plan: await evilPlan(owner), wallet })
    await sees(page, "The plan is what it says")
    const label = (await page.locator(".untrusted", { hasText: "window.ran" }).first().textContent()) ?? ""
    assert.include(label, "<script>window.ran=1</script>")
    assert.include(label, "\\u{202E}evil")
    assert.strictEqual(await page.locator("#review script, #review img").count(), 0)
    const elsewhere = `${bench.sandbox.service.url}/api/v1`
    assert.strictEqual((await fetch(elsewhere)).headers.get("access-control-allow-origin"), "*")
    const tried = await page.evaluate(async elsewhere => {
      const attempt = (work: () => void): string => {
        try {
          work()
          return "done"
        } catch {
          return "refused"
        }
      }
      const script = document.createElement("script")
      return {
        markup: attempt(() => {
          document.body.innerHTML = "<b>x</b>"
        }),
        script: attempt(() => {
          script.textContent = "window.ran = 2"
          document.body.append(script)
        }),
        left: await fetch(elsewhere).then(
          () => "done",
          failure => String(failure)
        ),
        ran: Reflect.get(window, "ran")
      }
    }, elsewhere)
    assert.strictEqual(tried.markup, "refused")
    assert.isUndefined(tried.ran)
    assert.match(tried.left, /Failed to fetch/)
    assert.deepStrictEqual(faults, [])
  })

  it("proves a clone and reads its token by signed reads, when the person wants", async () => {
    const { sandbox } = bench
    const owner = await payer(bench)
    const transfer = {
      chainId: 31_337,
      contractId: contractId(sandbox.manifest, "JBERC20"),
      projectId: "2",
      function: "transfer(address,uint256)",
      args: [owner.key.address, "2500000000000000000"]
    }
    const plan = await planned(sandbox, owner, { calls: [transfer] })
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await sees(page, "Not every address is proved")
    await sees(page, "its decimals are not known")
    await press(page, "Look up a clone and a token by signed reads")
    await agree(page, "Prove a clone's address")
    await agree(page, "Look up a token")
    await agree(page, "Look up a token")
    await sees(page, "The plan is what it says")
    await page.getByText("Every row of this call").click()
    await sees(page, "a clone, proved on chain when it was looked up")
    const amount = page.locator(".arguments .row", { hasText: "uint256" })
    assert.match((await amount.textContent()) ?? "", /2\.5 of a token that calls itself untrusted"DEMO"/)
  })

  it("does nothing when the person cancels, and says so", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page } = await opened(bench, { owner, plan: await planned(bench.sandbox, owner), wallet })
    await press(page, "Ask me each time")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.press("Escape")
    await sees(page, "This was not signed")
    assert.notInclude(wallet.asked, "eth_signTypedData_v4")
  })
})

describe("the first line of the page", PATIENCE, () => {
  it("is what the plan does, then come the changes, and every row is folded away", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await sees(page, "The plan is what it says")
    const first = page.locator("#review h2").first()
    const paid = "You pay 0.000000000000001 ETH to project 2"
    assert.strictEqual(
      await first.textContent(),
      `${paid} and get an amount of its tokens decided when it runs, perhaps none; 100 % go to you.`
    )
    await sees(page, "What changes in your balances, before gas")
    await sees(page, "Simulate a step to see what it would change now.")
    for (const text of [plan.commitment, "selector", "minReturnedTokens", "package"])
      assert.strictEqual(
        await page.locator("#review dl").getByText(text).filter({ visible: true }).count(),
        0
      )
    await press(page, "Look up a token by signed reads")
    await agree(page, "Look up a token")
    await agree(page, "Look up a token")
    await sees(page, "Demo Token")
    assert.strictEqual(
      await first.textContent(),
      `${paid} "Demo Token" and get an amount of "DEMO" decided when it runs, perhaps none; 100 % go to you.`
    )
    await press(page, "Simulate")
    await agree(page, "Simulate step 0")
    await sees(page, /you give/)
    assert.match((await page.locator(".changes").textContent()) ?? "", /you give0\.000000000000001 ETH/)
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    assert.match(await agree(page, "Sign the transaction"), /^Sign the transactionYou pay 0\.0/)
    await page.getByText("What it rests on").click()
    await sees(page, plan.commitment)
  })
})

describe("the page of a bot's plan", PATIENCE, () => {
  it("lets the owner check and approve exact bytes, which the bot then submits", async () => {
    const { service } = bench.sandbox
    const owner = await payer(bench)
    const bot = await newBot(service, owner, { scopes: ["read", "plan", "relay"] })
    const plan = await planned(bench.sandbox, owner, { by: bot })
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await read(bench, { owner, plan, wallet, principal: `bot:${bot.grantId}` })
    await sees(page, "a bot: the owner may read and approve it, not send it")
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await sees(page, "This wallet signs no transaction without sending it.")
    const paste = async (raw: Hex) => {
      await press(page, "Paste a signed transaction")
      await page.getByLabel("Signed transaction in hexadecimal").fill(raw)
      await press(page, "Check it")
    }
    await paste(await signCall(bench.sandbox, owner, callOf(plan), { value: 1001n }))
    await sees(page, "its value is not the planned one")
    assert.strictEqual(await offers(page, "Approve for the bot"), 0)
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await paste(raw)
    assert.strictEqual(await offers(page, "Submit"), 0)
    await press(page, "Approve for the bot")
    assert.include(await agree(page, "Approve step 0 for the bot"), `bot:${bot.grantId}`)
    const ownerApproval = JSON.parse(await page.getByLabel("ownerApproval").inputValue())
    const download = page.waitForEvent("download")
    await press(page, "Keep it as a file")
    assert.strictEqual((await download).suggestedFilename(), `owner-approval-${plan.id}-0.json`)
    const submission = { rawSignedTransaction: raw, ownerApproval }
    assert.strictEqual((await submitted(service, bot, plan, submission)).dispatch.count, 1)
  })

  it("finds the bot by itself where the link does not name it", async () => {
    const owner = await payer(bench)
    const bot = await newBot(bench.sandbox.service, owner, { scopes: ["read", "plan"] })
    const plan = await planned(bench.sandbox, owner, { by: bot })
    const { page } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await agree(page, "List the bots")
    await sees(page, `bot:${bot.grantId}`)
    await sees(page, "The plan is what it says")
  })
})
