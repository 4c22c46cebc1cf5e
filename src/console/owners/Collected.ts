/** Signatures of a wallet's owners as they arrive, kept in this browser by the digest that they are over until they are handed in. */
import { inStore } from "./BrowserStore.ts"

const nameOf = (digest: string): string => `signatures:${digest}`

/** Where the browser keeps nothing for this page, they are kept while the page is open. */
const kept = new Map<string, string>()

/** Every text that was kept for the digest, from any tab. */
export const recallSignatures = (digest: string): string => {
  const name = nameOf(digest)
  return inStore(storage => storage.getItem(name)) ?? kept.get(name) ?? ""
}

export const keepSignature = (digest: string, signature: string): void => {
  const name = nameOf(digest)
  const before = recallSignatures(digest)
  const all = before.includes(signature) ? before : `${before} ${signature}`.trim()
  kept.set(name, all)
  inStore(storage => storage.setItem(name, all))
}

export const forgetSignatures = (digest: string): void => {
  kept.delete(nameOf(digest))
  inStore(storage => storage.removeItem(nameOf(digest)))
}

/** Whenever another tab keeps one. */
export const onSignature = (digest: string, came: () => void): (() => void) => {
  const listen = ({ key }: StorageEvent) => {
    if (key === nameOf(digest)) came()
  }
  addEventListener("storage", listen)
  return () => removeEventListener("storage", listen)
}
