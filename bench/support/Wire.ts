/** Requests in a file between processes, answers on a connection, and what quantiles they came in. */
import { readFileSync, writeFileSync } from "node:fs"

export const writeRequests = (file: string, requests: ReadonlyArray<Buffer>): void => {
  const parts = requests.flatMap(request => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(request.length)
    return [length, request]
  })
  writeFileSync(file, Buffer.concat(parts))
}

export const readRequests = (file: string): ReadonlyArray<Buffer> => {
  const bytes = readFileSync(file)
  const requests: Array<Buffer> = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    requests.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return requests
}

/** Where the first answer's head and body end; absent while it has not come whole. */
export const answerEnd = (buffer: Buffer): { readonly head: number; readonly end: number } | undefined => {
  const head = buffer.indexOf("\r\n\r\n")
  if (head < 0) return undefined
  const length = /content-length: (\d+)/i.exec(buffer.toString("latin1", 0, head))
  const end = head + 4 + Number(length?.[1] ?? 0)
  return buffer.length >= end ? { head, end } : undefined
}

export const statusOf = (answer: Buffer): number => Number(answer.toString("latin1", 9, 12))

export const quantiles = (millis: ReadonlyArray<number>): { readonly p50: number; readonly p99: number } => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
