/** The frame of every page. */
import { type Html, html } from "./Html.ts"

const PAGES = [
  ["/docs", "Routes"],
  ["/docs/reference", "Reference"],
  ["/docs/operations", "Operations"],
  ["/docs/entities", "Entities"],
  ["/docs/guides", "Guides"],
  ["/docs/signing", "Signing"],
  ["/docs/sponsorship", "Sponsorship"],
  ["/docs/smart-accounts", "Smart accounts"],
  ["/docs/user-operations", "User operations"],
  ["/docs/sessions", "Sessions"],
  ["/docs/wallet-payments", "Wallet payments"],
  ["/docs/errors", "Errors"],
  ["/console", "Console"],
  ["/api/v1/openapi.json", "OpenAPI"]
] as const

export type PagePath = (typeof PAGES)[number][0]

const link = (current: PagePath | undefined) =>
  PAGES.map(([path, name]) =>
    path === current
      ? html`<a href="${path}" aria-current="page">${name}</a>`
      : html`<a href="${path}">${name}</a>`
  )

export const layout = (
  title: string,
  current: PagePath | undefined,
  body: Html,
  head: Html = html``,
  /** Between the pages of the documents and the content. */
  sections: Html = html``
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Signed-request service</title>
<link rel="stylesheet" href="/docs/style.css">
${head}</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><a class="name" href="/docs">Signed-request service</a><nav aria-label="Pages">${link(current)}</nav></header>
${sections}<main id="content">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text
