/** A passkey in a browser: Chromium's virtual authenticator, with a key that this process holds too. */
import type { Page } from "playwright-core"
import type { HeldPasskey } from "./Passkeys.ts"
import { RP_ID } from "./PilotBench.ts"

export const addPasskey = async (page: Page, { privateKey, credentialId }: HeldPasskey) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  await devtools.send("WebAuthn.addCredential", {
    authenticatorId,
    credential: {
      credentialId: Buffer.from(credentialId, "base64url").toString("base64"),
      isResidentCredential: true,
      rpId: RP_ID,
      privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
      userHandle: Buffer.from("owner").toString("base64"),
      signCount: 1
    }
  })
  return {
    verifiesNobody: () =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
  }
}
