import { readFileSync } from "node:fs"
import { hashTypedData, isHex, keccak256, stringToBytes, verifyTypedData } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { describeOperations } from "../../src/http/DescribeOperations.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { html } from "../../src/http/pages/Html.ts"
import { makePages } from "../../src/http/pages/Pages.ts"
import { entities } from "../../src/indexer/Entities.ts"
import { ownDeclarations } from "../../src/operations/framework/Declarations.ts"
import { PaymentReview, ReviewStatus } from "../../src/payments/PaymentReview.ts"
import { InvalidationReason, PublicSession, SessionStatus } from "../../src/sessions/Session.ts"
import { checkMeanings } from "../../src/smartaccounts/CheckMeanings.ts"
import { InspectedWallet } from "../../src/smartaccounts/SmartAccount.ts"
import { QuoteDoubt, Sponsorship, SponsorshipStatus } from "../../src/sponsorship/Sponsorship.ts"
import { OperationStatus, PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { operationSubmissionProblems } from "../../src/values/OperationSubmissionProblems.ts"
import { ProblemRegister } from "../../src/values/ProblemRegister.ts"
import { sessionProblems } from "../../src/values/SessionProblems.ts"
import { smartAccountProblems } from "../../src/values/SmartAccountProblems.ts"
import { sponsorshipProblems } from "../../src/values/SponsorshipProblems.ts"
import { userOperationProblems } from "../../src/values/UserOperationProblems.ts"
import { walletPaymentProblems } from "../../src/values/WalletPaymentProblems.ts"
import { assertProblem } from "../support/OpenApiResponses.ts"
import { startService } from "../support/Service.ts"
import { SERVICE_REQUEST } from "../support/SignedFetch.ts"

/** All but the one that a script fills. */
const PAGES = [
  ...makePages({
    audience: "https://service.example",
    description: describeApi(Api),
    declared: ownDeclarations,
    added: []
  }).keys()
].filter(path => !/\.(?:css|js)$|^\/docs\/reference$/.test(path))
const LARGEST = 150 * 1024
const VOID = new Set(["meta", "link", "br"])

const service = await startService()

afterAll(() => service.stop())

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { redirect: "manual", ...init })

const read = async (path: string): Promise<string> => {
  const response = await ask(path)
  assert.strictEqual(response.status, 200, path)
  return response.text()
}

const readAll = async (paths: RegExp): Promise<string> =>
  (await Promise.all(PAGES.filter(path => paths.test(path)).map(read))).join("")

const plain = (page: string): string =>
  page
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** A paragraph ends where one of these begins. */
const BLOCKS = new Set(["p", "ul", "ol", "div", "table", "pre", "details", "h1", "h2", "h3", "h4"])

/** Elements that are closed in another order than they were opened, and blocks inside paragraphs. */
const misnested = (page: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  const faults: Array<string> = []
  for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (slash === "") {
      if (BLOCKS.has(name) && open.includes("p")) faults.push(`${name} in p`)
      if (!VOID.has(name)) open.push(name)
    } else if (open.pop() !== name) faults.push(name)
  }
  return [...faults, ...open]
}

describe("the pages", () => {
  it("are well-formed HTML that loads nothing from elsewhere and runs nothing", async () => {
    for (const path of PAGES) {
      const response = await ask(path)
      const page = await response.text()
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(
        response.headers.get("content-security-policy") ?? "",
        /^default-src 'none'; style-src 'self'/
      )
      assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
      assert.deepStrictEqual(misnested(page), [], path)
      assert.isAtMost(Buffer.byteLength(page), LARGEST, path)
      assert.notMatch(page, /<script|<img|<iframe|style=|onclick|src=|@import/i)
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href)
      assert.deepStrictEqual(
        links.filter(href => !/^[/#]/.test(href)),
        [],
        path
      )
    }
  })

  it("link only to places that exist", async () => {
    const pages = new Map<string, string>()
    for (const path of PAGES) pages.set(path, await read(path))
    for (const [path, page] of pages)
      for (const [, href = ""] of page.matchAll(/href="([^"]+)"/g)) {
        const [target = "", anchor] = href.split("#")
        const to = target === "" ? path : target
        const known = pages.get(to)
        if (known === undefined) assert.strictEqual((await ask(to)).status, 200, `${path} links to ${href}`)
        else if (anchor !== undefined) assert.include(known, `id="${anchor}"`, `${path} links to ${href}`)
      }
  })

  it("tell of every route its path, words, rights and parameters", async () => {
    const page = plain(await readAll(/^\/docs(?:\/routes|\/operations|\/entities|$)/))
    const { paths } = JSON.parse(readFileSync("schema/openapi.json", "utf8"))
    for (const [path, item] of Object.entries<Record<string, { summary: string; description: string }>>(
      paths
    ))
      for (const operation of Object.values(item))
        for (const text of [path, operation.summary, operation.description]) assert.include(page, text)
    for (const text of ["deployedOnly", "X-Service-Grant", "scope plan", "owner only", "default 25"])
      assert.include(page, text)
  })

  it("tell of every operation what it does, where it is called and what it takes", async () => {
    const page = plain(await readAll(/^\/docs\/operations/))
    for (const { id, description, method, path, inputJsonSchema } of describeOperations(
      ownDeclarations
    ).all()) {
      for (const text of [id, description, `${method} ${path}`]) assert.include(page, text)
      for (const member of Object.keys(Object(inputJsonSchema.properties))) assert.include(page, member)
    }
  })

  it("tell of every entity its fields, filters and relations", async () => {
    const page = plain(await readAll(/^\/docs\/entities/))
    for (const { name, facts, filters } of entities) {
      for (const text of [name, ...Object.keys({ ...facts.fields, ...facts.relations, ...facts.refused })])
        assert.include(page, text)
      for (const { suffix } of filters.values()) assert.include(page, suffix)
    }
    assert.include(page, "so it may give another row")
  })

  it("tell of every code at the anchor that problems name", async () => {
    const page = await read("/docs/errors")
    const problem = await assertProblem(await ask("/api/v1/nothing"))
    assert.include(page, `id="${String(Reflect.get(problem, "type")).split("#")[1]}"`)
    for (const [code, { sentence }] of Object.entries(ProblemRegister)) {
      assert.include(page, `id="${code.toLowerCase()}"`)
      assert.include(plain(page), sentence)
    }
  })

  it("tell of sponsorships every state, doubt, problem, route and member", async () => {
    const page = plain(await read("/docs/sponsorship"))
    const states = SponsorshipStatus.literals
    for (const name of [...states, ...QuoteDoubt.literals, ...Object.keys(sponsorshipProblems)])
      assert.include(page, name)
    for (const text of [...Object.keys(Sponsorship.fields), "POST /api/v1/sponsorships/{id}/funding-plans"])
      assert.include(page, text)
    assert.include(page, "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce")
  })

  it("tell of smart accounts every check, problem, route and member", async () => {
    const page = plain(await read("/docs/smart-accounts"))
    for (const name of [...Object.keys(checkMeanings), ...Object.keys(smartAccountProblems)])
      assert.include(page, name)
    for (const text of [...Object.keys(InspectedWallet.fields), "POST /api/v1/smart-accounts/bindings"])
      assert.include(page, text)
    assert.include(
      page,
      "BindSmartAccount(string accountId,address owner,bytes32 stateHash,bytes32 nonce,uint64 expiresAt)"
    )
  })

  it("tell of user operations every state, problem, route and member", async () => {
    const page = plain(await read("/docs/user-operations"))
    const problems = { ...userOperationProblems, ...operationSubmissionProblems }
    for (const name of [...OperationStatus.literals, ...Object.keys(problems)]) assert.include(page, name)
    for (const text of [...Object.keys(PublicUserOperation.fields), "POST /api/v1/user-operations"])
      assert.include(page, text)
    assert.include(page, "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData")
  })

  it("tell of wallet payments every status, reason, problem, route and member", async () => {
    const page = plain(await read("/docs/wallet-payments"))
    for (const name of [...ReviewStatus.literals, ...Object.keys(walletPaymentProblems)])
      assert.include(page, name)
    for (const text of [...Object.keys(PaymentReview.fields), "POST /api/v1/wallet/payment-reviews"])
      assert.include(page, text)
  })

  it("tell of sessions every state, reason, problem, route and member", async () => {
    const page = plain(await read("/docs/sessions"))
    const reasons = [...SessionStatus.literals, ...InvalidationReason.literals]
    for (const name of [...reasons, ...Object.keys(sessionProblems)]) assert.include(page, name)
    for (const text of [
      ...Object.keys(PublicSession.fields),
      "GET /api/v1/smart-accounts/sessions/{id}/quota"
    ])
      assert.include(page, text)
    assert.include(
      page,
      "keccak256(abi.encode(uint256 chainId, address guard, address wallet, bytes32 policyHash))"
    )
  })

  it("answer HEAD, conditional and compressed requests, and no other method", async () => {
    const head = await ask("/docs", { method: "HEAD" })
    assert.strictEqual(await head.text(), "")
    const etag = (await ask("/docs")).headers.get("etag") ?? ""
    assert.strictEqual((await ask("/docs", { headers: { "if-none-match": etag } })).status, 304)
    const posted = await ask("/docs", { method: "POST", body: "x" })
    assert.strictEqual(posted.headers.get("allow"), "GET, HEAD")
    assert.strictEqual((await assertProblem(posted)).code, "METHOD_NOT_ALLOWED")
    assert.strictEqual((await assertProblem(await ask("/docs?x=1"))).code, "INVALID_QUERY")
  })

  it("lead from the bare address to the documentation", async () => {
    const response = await ask("/")
    assert.strictEqual(response.status, 302)
    assert.strictEqual(response.headers.get("location"), "/docs")
  })

  it("say to people that there is no such page, and to programs with a problem", async () => {
    const people = await ask("/nothing", { headers: { accept: "text/html,*/*" } })
    assert.strictEqual(people.status, 404)
    assert.include(await people.text(), "There is no page here.")
    assert.strictEqual((await assertProblem(await ask("/nothing"))).code, "ENDPOINT_NOT_FOUND")
    const api = await ask("/api/v1/nothing", { headers: { accept: "text/html" } })
    assert.strictEqual((await assertProblem(api)).code, "ENDPOINT_NOT_FOUND")
  })
})

describe("the example of signing", () => {
  const between = (page: string, start: string, end: string) =>
    page.slice(page.indexOf(start) + start.length, page.indexOf(end, page.indexOf(start)))

  it("is right by an independent implementation", async () => {
    const page = plain(await read("/docs/signing"))
    const { domain, message } = JSON.parse(between(page, "What is signed", "Hashes on the way"))
    const typed = {
      domain,
      types: { ServiceRequest: SERVICE_REQUEST },
      primaryType: "ServiceRequest",
      message
    } as const
    assert.include(page, hashTypedData(typed))
    const signature = /X-Service-Signature: (0x[0-9a-f]+)/.exec(page)?.[1] ?? "0x"
    assert.isTrue(
      await verifyTypedData({
        ...typed,
        address: message.signer,
        signature: isHex(signature) ? signature : "0x"
      })
    )
    assert.strictEqual(domain.salt, keccak256(stringToBytes(message.audience)))
    assert.include(page, service.audience)
  })
})

describe("escaping", () => {
  it("holds for every text, nested or not", () => {
    const evil = `<script>"&'</script>`
    const expected = "&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;"
    assert.strictEqual(
      html`<p title="${evil}">${[html`${evil}`]}</p>`.text,
      `<p title="${expected}">${expected}</p>`
    )
  })
})
