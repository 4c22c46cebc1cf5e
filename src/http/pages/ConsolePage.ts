import { block, codeHtml, html } from "./Html.ts"
import { layout } from "./Layout.ts"

export const consolePage = (): string =>
  layout(
    "Accounts",
    "/console",
    html`<p>Accounts have no password and no session: every change is one request that the owner's wallet signs. There is no web form for them.</p>
<p>Accounts, profiles and bots are managed with the command line of this project, or with any client that signs requests:</p>
${block("POST   /api/v1/accounts/enroll               enroll the account of the signing owner\nGET    /api/v1/accounts/me                   show it\nPATCH  /api/v1/accounts/me                   replace its profile\nGET    /api/v1/accounts/me/bots              list the bots' grants\nPOST   /api/v1/accounts/me/bots              grant a bot key scopes\nDELETE /api/v1/accounts/me/bots/{grantId}    revoke a grant")}
<p>A plan has a page of its own, ${codeHtml("/console/plans/{id}")}, where the owner reviews each call in words and signs with the browser's wallet; ${codeHtml("service plan show")} prints its address.</p>
<p><a href="/docs/routes/accounts">The routes</a> and <a href="/docs/signing">how to sign</a> are documented; ${codeHtml("service --help")} lists the commands.</p>`
  )
