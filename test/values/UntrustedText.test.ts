import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { exact, pieceText, untrusted } from "../../src/review/Words.ts"
import { isolated, printable, visible } from "../../src/values/UntrustedText.ts"

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
  .map(points => String.fromCodePoint(...points))

describe("text that others wrote", () => {
  it("keeps ordinary letters of any script", () => {
    for (const text of ["thanks, it's for you", "für Zoë", "ありがとう", "שלום", "ação 100 %"])
      assert.deepStrictEqual(visible(text), { text, more: 0 })
  })

  it("shows what reorders, hides, breaks lines or steers a terminal", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["a\u202Eb", "a\\u{202E}b"],
      ["a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
      ["a\nb\r\t", "a\\u{A}b\\u{D}\\u{9}"],
      ["\u001B[2Jgone", "\\u{1B}[2Jgone"],
      ["zero\u200Bwidth\uFEFF", "zero\\u{200B}width\\u{FEFF}"],
      ["\u00A0\u3000\u2800", "\\u{A0}\\u{3000}\\u{2800}"],
      ["\u2028\u2029", "\\u{2028}\\u{2029}"],
      ["tag\u{E0041}", "tag\\u{E0041}"],
      ["\uD800", "\\u{D800}"],
      ["\u3164", "\\u{3164}"],
      ["z\u0301\u0302\u0303\u0304", "z\u0301\u0302\\u{303}\\u{304}"]
    ]
    for (const [text, shown] of cases) assert.strictEqual(visible(text).text, shown)
  })

  it("tells a written escape from a shown one, and ends where its quotes end", () => {
    assert.strictEqual(visible("\\u{202E}").text, "\\\\u{202E}")
    assert.strictEqual(visible('" and 1 ether').text, '\\" and 1 ether')
  })

  it("is bounded, and says by how much it was cut", () => {
    const { text, more } = visible("x".repeat(10_000))
    assert.isAtMost(text.length, 300)
    assert.strictEqual(text.length + more, 10_000)
    assert.match(pieceText(untrusted("y".repeat(10_000))), /^untrusted "y+" and 9720 more characters$/)
  })

  it("never holds a control or format character, whatever was written", () => {
    fc.assert(
      fc.property(anyText, text => {
        assert.notMatch(visible(text).text, HIDDEN)
      })
    )
  })

  it("stays isolated amid text of ours, where its isolate is whole", () => {
    const text = `it says ${isolated("שלום 5")}, 7 times`
    assert.strictEqual(printable(text), text)
    assert.strictEqual(printable("a\u2068b"), "a\\u{2068}b")
    assert.strictEqual(printable("a\u2069b\u2068"), "a\\u{2069}b\\u{2068}")
    assert.strictEqual(printable("\u2068a\u202E\u2068b\u2069"), "\\u{2068}a\\u{202E}\u2068b\u2069")
  })

  it("keeps letters that run from right to left from moving the numbers beside them", () => {
    assert.strictEqual(pieceText(untrusted("שלום 5")), 'untrusted "\u2068שלום 5\u2069"')
    assert.strictEqual(pieceText(untrusted("Zoë 5")), 'untrusted "Zoë 5"')
  })

  it("is what a malformed identifier is shown as", () => {
    assert.strictEqual(exact("0xabc").kind, "exact")
    for (const text of ["", "two words", "a\u202Eb", "x".repeat(161), "<script>alert(1)</script>\n"])
      assert.strictEqual(exact(text).kind, "untrusted")
  })
})
