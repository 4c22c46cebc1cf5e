/** The script of a payment's review: asks the passkey for its assertion, hands it in or cancels, and goes where the service leads. */
const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), character =>
    character.charCodeAt(0)
  )

const base64url = (buffer: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const element = (id: string): HTMLElement | undefined => document.getElementById(id) ?? undefined

const buttons = (): ReadonlyArray<HTMLButtonElement> => Array.from(document.querySelectorAll("button"))

const tell = (text: string): void => {
  const told = element("told")
  if (told !== undefined) told.textContent = text
}

const REFUSED = "The passkey did not sign. Nothing was approved; you can try again."
const LOST = "The service did not answer. Reload the page to see what became of it."

const assertionOf = async ({ challenge = "", credential = "", rp = "" }: DOMStringMap) => {
  const given = await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(challenge),
      rpId: rp,
      allowCredentials: [{ type: "public-key", id: bytesOf(credential) }],
      userVerification: "required"
    }
  })
  if (!(given instanceof PublicKeyCredential)) return undefined
  const { response } = given
  if (!(response instanceof AuthenticatorAssertionResponse)) return undefined
  return {
    credentialId: base64url(given.rawId),
    clientDataJSON: base64url(response.clientDataJSON),
    authenticatorData: base64url(response.authenticatorData),
    signature: base64url(response.signature)
  }
}

const textIn = (told: unknown, member: string): string | undefined => {
  const text: unknown = typeof told === "object" && told !== null ? Reflect.get(told, member) : undefined
  return typeof text === "string" ? text : undefined
}

const decide = async (how: "approve" | "cancel", body: unknown): Promise<void> => {
  const answer = await fetch(`${location.pathname}/${how}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    referrerPolicy: "same-origin"
  })
  const told: unknown = await answer.json()
  const redirect = textIn(told, "redirect")
  if (answer.ok && redirect !== undefined) return location.assign(redirect)
  return tell(
    `${textIn(told, "detail") ?? textIn(told, "title") ?? LOST} (${textIn(told, "code") ?? answer.status})`
  )
}

/** One thing at a time. */
const alone = (work: () => Promise<void>) => async () => {
  for (const button of buttons()) button.disabled = true
  tell("")
  try {
    await work()
  } catch {
    tell(LOST)
  }
  for (const button of buttons()) button.disabled = false
}

const approve = async (data: DOMStringMap): Promise<void> => {
  const assertion = await assertionOf(data).catch(() => undefined)
  if (assertion === undefined) return tell(REFUSED)
  await decide("approve", { assertion })
}

const decision = element("decision")

if (decision !== undefined) {
  element("approve")?.addEventListener(
    "click",
    alone(() => approve(decision.dataset))
  )
  element("cancel")?.addEventListener(
    "click",
    alone(() => decide("cancel", {}))
  )
}
