import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { textPage } from "../../src/references/Pages.ts"
import type { Category } from "../../src/references/Reference.ts"
import { indexDocuments, searchIndex } from "../../src/references/Search.ts"
import { searchTokens } from "../../src/references/Tokens.ts"

const document = (
  id: string,
  text: string,
  over: { title?: string; category?: Category; path?: string } = {}
) => ({
  id,
  title: over.title ?? "untitled",
  category: over.category ?? ("service" as const),
  uri: `reference:${id}`,
  characters: text.length,
  source: {
    repository: "here",
    path: over.path ?? "file.md",
    commit: null,
    fileSha256: "0".repeat(64),
    license: "own"
  },
  text
})

type Documents = Parameters<typeof indexDocuments>[0]

const search = (documents: Documents, query: string, category?: Category, limit = 20) =>
  searchIndex(indexDocuments(documents), { query, category, limit })

const scores = (documents: Documents, query: string) =>
  search(documents, query).results.map(({ metadata, score }) => [metadata.id, score])

describe("words", () => {
  it("are lower-case runs and the parts of camel case", () => {
    assert.deepStrictEqual(searchTokens("JBMultiTerminal.pay(uint256) is_open-now"), [
      "jbmultiterminal",
      "jb",
      "multi",
      "terminal",
      "pay",
      "uint256",
      "is_open",
      "now"
    ])
    assert.deepStrictEqual(searchTokens("sendPayoutsOf"), ["sendpayoutsof", "send", "payouts", "of"])
    assert.deepStrictEqual(searchTokens("日本 – !"), [])
  })
})

describe("scores", () => {
  it("count the words found, where and how often, and the phrase", () => {
    assert.deepStrictEqual(scores([document("a", "one pay and no more")], "pay"), [["a", 111]])
    assert.deepStrictEqual(scores([document("a", "pay pay pay")], "pay"), [["a", 112]])
    assert.deepStrictEqual(scores([document("a", "pay ".repeat(1000))], "pay"), [["a", 115]])
    assert.deepStrictEqual(scores([document("a", "pay", { title: "How to pay" })], "pay"), [["a", 126]])
    assert.deepStrictEqual(scores([document("a", "pay", { path: "docs/pay.md" })], "PAY"), [["a", 126]])
    assert.deepStrictEqual(scores([document("a", "nothing", { title: "Pay" })], "pay"), [["a", 115]])
    assert.deepStrictEqual(scores([document("a", "pay them out")], "pay out now later"), [["a", 52]])
    assert.deepStrictEqual(scores([document("a", "pay out")], "pay out"), [["a", 112]])
    assert.deepStrictEqual(scores([document("a", "cash")], "pay"), [])
  })

  it("decide the order, and ids where they are equal", () => {
    const documents = ["d", "b", "c", "a"].map(id => document(id, id === "c" ? "pay pay" : "pay"))
    assert.deepStrictEqual(
      search(documents, "pay").results.map(({ metadata }) => metadata.id),
      ["c", "a", "b", "d"]
    )
    const { totalMatches, results } = search(documents, "pay", undefined, 2)
    assert.strictEqual(totalMatches, 4)
    assert.lengthOf(results, 2)
  })

  it("are of the chosen category alone", () => {
    const documents = [document("a", "pay"), document("b", "pay", { category: "skills" })]
    assert.deepStrictEqual(
      search(documents, "pay", "skills").results.map(({ metadata }) => metadata.id),
      ["b"]
    )
  })

  it("are none for a query without words", () => {
    for (const query of ["!!!", " ", "日本", "…"])
      assert.strictEqual(search([document("a", "日本 !!! …")], query).totalMatches, 0)
  })
})

describe("excerpts", () => {
  it("are the 600 characters with most of the words", () => {
    const far = `pay ${"x ".repeat(500)}pay now, pay later${" y".repeat(500)}`
    const [{ excerpt } = assert.fail()] = search([document("a", far)], "pay").results
    assert.isTrue(excerpt.startsWith("pay now, pay later"))
    assert.lengthOf(excerpt, 600)
    const end = `${"x ".repeat(500)}pay`
    assert.strictEqual(search([document("a", end)], "pay").results[0]?.excerpt, end.slice(-600))
    assert.strictEqual(search([document("a", "pay")], "pay").results[0]?.excerpt, "pay")
  })

  it("hold a word that was asked for, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), fc.nat(2_000), (noise, at) => {
        const text = `${noise.slice(0, at)} needle ${noise.slice(at)}`
        const [{ excerpt } = assert.fail()] = search([document("a", text)], "needle").results
        assert.include(excerpt.toLowerCase(), "needle")
        assert.isAtMost(excerpt.length, 601)
      })
    )
  })
})

describe("pages", () => {
  it("put together are the text, and none ends within a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }).map(text => `${text}😀${text}`),
        fc.integer({ min: 1, max: 50 }),
        (text, limit) => {
          let read = ""
          let offset: number | null = 0
          while (offset !== null) {
            const page = textPage(text, offset, limit)
            assert.isTrue(page.text.isWellFormed())
            assert.isAbove(page.text.length, 0)
            assert.strictEqual(page.offset, offset)
            read += page.text
            offset = page.nextOffset
          }
          assert.strictEqual(read, text)
        }
      )
    )
  })

  it("start before a character that the offset is within, and are empty behind the end", () => {
    const { text, offset } = textPage("a😀b", 2, 2)
    assert.deepStrictEqual([text, offset], ["😀", 1])
    assert.deepStrictEqual(textPage("abc", 7, 5), {
      text: "",
      offset: 3,
      totalCharacters: 3,
      nextOffset: null,
      paginationUnit: "UTF-16 code units"
    })
  })
})
