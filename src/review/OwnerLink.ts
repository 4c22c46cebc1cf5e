/** Links by which owners of a wallet ask each other: all that they carry follows the number sign, so it stays in the browser. */

const REQUEST = "request"
const SIGNATURE = "signature"

/** More than the largest operation and its calls have. */
const MOST_BYTES = 2_097_152

const encoded = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

const decoded = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0))

const through = async (
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream
): Promise<Uint8Array> => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > MOST_BYTES) throw new RangeError("the link carries too much")
    parts.push(read.value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Where another owner signs, given the text of what is asked. */
export const requestLink = async (origin: string, text: string): Promise<string> => {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"))
  return `${origin}/console/sign#${REQUEST}=${encoded(packed)}`
}

/** Brings a signature back to who asked. */
export const answerLink = (origin: string, digest: string, signature: string): string =>
  `${origin}/console/sign#${SIGNATURE}=${digest}.${signature}`

export interface LinkedText {
  readonly request?: string
  readonly answer?: { readonly digest: string; readonly signature: string }
}

/** What a page was opened with; throws where it is not what such a link carries. */
export const linkedIn = async (hash: string): Promise<LinkedText> => {
  const members = new URLSearchParams(hash.slice(1))
  const packed = members.get(REQUEST)
  const [digest, signature] = members.get(SIGNATURE)?.split(".") ?? []
  if (digest !== undefined && signature !== undefined) return { answer: { digest, signature } }
  if (packed === null) return {}
  const bytes = await through(decoded(packed), new DecompressionStream("deflate-raw"))
  return { request: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
}
