/** Every problem code, at an anchor that the problem's own type names. */
import { ProblemRegister } from "../../values/ProblemRegister.ts"
import { block, codeHtml, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"

const EXAMPLE = {
  type: "https://service.example/docs/errors#auth_expired",
  title: "Auth expired",
  status: 401,
  detail: ProblemRegister.AUTH_EXPIRED.sentence,
  code: "AUTH_EXPIRED",
  requestId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  retryable: false
}

const rows = Object.entries(ProblemRegister).map(
  ([name, { status, retryable, sentence }]) =>
    html`<tr id="${name.toLowerCase()}"><td><a href="#${name.toLowerCase()}">${codeHtml(name)}</a></td><td>${status}</td><td>${
      retryable ? "yes" : "no"
    }</td><td>${sentence}</td></tr>
`
)

export const errorsPage = (): string =>
  layout(
    "Errors",
    "/docs/errors",
    html`<p>Every refusal is one problem object (RFC 9457) of the type ${codeHtml("application/problem+json")}. Programs decide by ${codeHtml("code")} and ${codeHtml("retryable")}; people read ${codeHtml("detail")}. Give the ${codeHtml("requestId")} when you report one.</p>
${block(JSON.stringify(EXAMPLE, null, 2))}
<p>${codeHtml("context")} says what the caller may know beyond that, such as the parameter that is wrong. Where a signature is refused, ${codeHtml("diagnosis")} shows how the service read the request. Status 429, and 503 where it is retryable, carry ${codeHtml("Retry-After")} in seconds.</p>
<p>Retryable means that the same intent may succeed later; a signed request needs a new nonce for it.</p>
<p>A refusal says that nothing was done, with these exceptions: ${codeHtml("NONCE_REUSED")} and every status of 500 and above leave open whether the request was carried out, as no answer does. <a href="/docs/signing#again">Ask again under the same Idempotency-Key</a> before anything is done in its place.</p>
<h2>Codes</h2>
${tableHtml(["Code", "Status", "Retryable", "When"], rows)}`
  )
