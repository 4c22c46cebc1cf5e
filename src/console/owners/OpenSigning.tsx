/** The page of an owner who was asked to sign for a wallet: no account is needed, and the service is told nothing. */
import { h, render } from "preact"
import { linkedIn } from "../../review/OwnerLink.ts"
import { keepFocus } from "../app/KeepFocus.ts"
import { el } from "../Elements.ts"
import { Stage } from "../Stage.ts"
import { keepSignature } from "./Collected.ts"
import { SignPage } from "./SignPage.tsx"

const DIGEST = /^0x[0-9a-f]{64}$/
const SIGNATURE = /^0x[0-9a-f]{130}$/

const titled = (title: string): void => {
  document.title = document.title.replace(/^[^·]*/, `${title} `)
  const heading = document.querySelector("h1")
  if (heading === null) return
  heading.textContent = title
  heading.tabIndex = -1
}

/** The page that waits for it reads it from there. */
const taken = ({ digest, signature }: { digest: string; signature: string }): ReadonlyArray<HTMLElement> => {
  if (!DIGEST.test(digest) || !SIGNATURE.test(signature))
    return [el("h2", {}, "The link carries no signature"), el("p", {}, "Ask for it anew.")]
  keepSignature(digest, signature)
  return [
    el("h2", { class: "first", tabindex: "-1" }, "The signature is kept in this browser"),
    el(
      "p",
      {},
      "The page that waits for it counts it at once, where it is open in this browser, and checks there who signed. It is over the digest ",
      el("code", {}, digest),
      "."
    )
  ]
}

export const openSigning = (root: HTMLElement): void => {
  titled("Sign for a wallet")
  const stage = new Stage(root, undefined)
  stage.run("Reading the link…", async () => {
    const { answer, request } = await linkedIn(location.hash)
    if (answer !== undefined) return stage.show(...taken(answer))
    const into = el("div", {})
    stage.show(into)
    keepFocus(into)
    render(h(SignPage, { stage, given: request ?? "" }), into)
  })
  addEventListener("hashchange", () => location.reload())
}
