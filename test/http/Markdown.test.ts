import { assert, describe, it } from "vitest"
import { articleOf } from "../../src/http/pages/Markdown.ts"

const bodyOf = (text: string) => articleOf(`# A guide\n\n${text}\n`).body.text

describe("a guide in Markdown", () => {
  it("has its first heading as title, and anchors at the others", () => {
    assert.strictEqual(articleOf("# Pay <b>\n\nText.\n").title, "Pay <b>")
    assert.include(
      bodyOf("## What came of `it`"),
      '<h2 id="what-came-of-it">What came of <code>it</code></h2>'
    )
  })

  it("shows a block with the file that it is kept in", () => {
    const shown = '<pre tabindex="0"><code>{&quot;a&quot;: 1}</code></pre>'
    assert.strictEqual(bodyOf('```json a.json\n{"a": 1}\n```'), `<h4><code>a.json</code></h4>${shown}\n`)
    assert.strictEqual(bodyOf('```json\n{"a": 1}\n```'), `${shown}\n`)
  })

  it("makes no markup of what is written, and no link that leaves the site", () => {
    assert.notMatch(
      bodyOf("<script>a</script> <img src=x>\n\n<b>x</b>\n\n```<b>\n</code><b>\n```"),
      /<(?:script|img|b)\b/
    )
    assert.include(bodyOf("[a](/docs/errors)"), '<a href="/docs/errors">a</a>')
    for (const to of ["javascript:alert(1)", "//evil.example", "https://evil.example", "data:text/html,x"])
      assert.notMatch(bodyOf(`[a](${to}) <${to}> ![a](${to})\n\n[b]\n\n[b]: ${to}`), /href|src/)
    assert.notInclude(bodyOf("![a](/docs/style.css)"), "<img")
  })
})
