/** New project metadata for a person to review: the exact bytes, and their hash computed anew in the browser. */
import type { Client } from "../../src/client/main.ts"
import { askOperation } from "./operate.ts"

export interface NewMetadata {
  readonly name: string
  readonly description: string
  readonly logoUri?: string
  readonly infoUri?: string
}

interface ReviewedMetadata {
  readonly token: string
  readonly expiresAt: string
  readonly review: { readonly jsonText: string; readonly contentSha256: string }
}

const isReviewed = (value: unknown): value is ReviewedMetadata =>
  typeof value === "object" && value !== null && "token" in value && "review" in value

const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, "0")).join("")
}

/** The token says which bytes were shown; it is no approval. Upload exactly `jsonText`, then set the project's URI by a plan. */
export const reviewMetadata = async (client: Client, metadata: NewMetadata): Promise<ReviewedMetadata> => {
  const input = { version: 6, metadata }
  const reviewed = await askOperation(client, { id: "prepare_project_metadata", input })
  if (!isReviewed(reviewed)) throw new Error("the answer is no review")
  const { jsonText, contentSha256 } = reviewed.review
  if ((await sha256(jsonText)) !== contentSha256) throw new Error("the text does not match its hash")
  return reviewed
}
