/** A client's address as the database may keep it: never in clear. */
import { createHash } from "node:crypto"

export const addressHash = (address: string): string =>
  createHash("sha256").update(address).digest("base64url")
