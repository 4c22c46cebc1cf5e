/** The ways in which a node's HTTP answer can go wrong, whatever it would have said. */
import type { ServerResponse } from "node:http"

export type WireFault =
  | { readonly kind: "hang" }
  | { readonly kind: "reset" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | { readonly kind: "html" }
  | { readonly kind: "wrongId" }
  | { readonly kind: "missingAnswer" }
  | { readonly kind: "doubledAnswer" }
  | { readonly kind: "truncated" }
  | { readonly kind: "cutJson" }
  /** One error object in the place of every answer of a batch, or as the only one of their array. */
  | { readonly kind: "inPlace" | "onlyAnswer"; readonly code: number }
  | { readonly kind: "huge"; readonly bytes: number }
  | { readonly kind: "drip"; readonly everyMillis: number }

const JSON_TYPE = { "content-type": "application/json" }

export const answerJson = (response: ServerResponse, body: string): void => {
  response.writeHead(200, { ...JSON_TYPE, "content-length": Buffer.byteLength(body) }).end(body)
}

const refusal = (code: number) => ({ jsonrpc: "2.0", id: null, error: { code, message: "refused" } })

const editAnswers = (body: string, edit: (answers: ReadonlyArray<unknown>) => ReadonlyArray<unknown>) => {
  const parsed: unknown = JSON.parse(body)
  return JSON.stringify(Array.isArray(parsed) ? edit(parsed) : (edit([parsed])[0] ?? null))
}

const misnumbered = (answers: ReadonlyArray<unknown>) =>
  answers.map((answer, at) =>
    at === 0 && typeof answer === "object" ? { ...answer, id: 987_654_321 } : answer
  )

/** Breaks off in the middle of the declared length. */
const truncate = (response: ServerResponse, body: string) => {
  response.writeHead(200, { ...JSON_TYPE, "content-length": Buffer.byteLength(body) })
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
}

/** A valid answer behind more blanks than anyone should read, without a declared length. */
const inflate = (response: ServerResponse, body: string, bytes: number) => {
  response.writeHead(200, JSON_TYPE)
  response.write(" ".repeat(bytes))
  response.end(body)
}

const drip = (response: ServerResponse, body: string, everyMillis: number) => {
  response.writeHead(200, JSON_TYPE)
  let sent = 0
  const timer = setInterval(() => {
    if (sent < body.length) response.write(body.charAt(sent++))
    else response.end()
  }, everyMillis)
  response.once("close", () => clearInterval(timer))
}

/** Faults of the text alone; undefined where the fault is one of the connection. */
const spoiltText = (body: string, fault: WireFault): string | undefined => {
  switch (fault.kind) {
    case "inPlace":
      return JSON.stringify(refusal(fault.code))
    case "onlyAnswer":
      return JSON.stringify([refusal(fault.code)])
    case "cutJson":
      return body.slice(0, -2)
    case "wrongId":
      return editAnswers(body, misnumbered)
    case "missingAnswer":
      return editAnswers(body, answers => answers.slice(1))
    case "doubledAnswer":
      return editAnswers(body, ([first, ...others]) => [first, first, ...others.slice(1)])
    default:
      return undefined
  }
}

export const answerFaultily = (response: ServerResponse, body: string, fault: WireFault): void => {
  const text = spoiltText(body, fault)
  if (text !== undefined) {
    answerJson(response, text)
    return
  }
  switch (fault.kind) {
    case "hang":
      return
    case "reset":
      response.socket?.resetAndDestroy()
      return
    case "status":
      response.writeHead(fault.status, { "content-type": "text/plain" }).end(body)
      return
    case "redirect":
      response.writeHead(fault.status, { location: fault.location }).end()
      return
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>busy</body></html>")
      return
    case "truncated":
      truncate(response, body)
      return
    case "huge":
      inflate(response, body, fault.bytes)
      return
    case "drip":
      drip(response, body, fault.everyMillis)
      return
  }
}
