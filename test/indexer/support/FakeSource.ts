/** A source that answers whatever a test tells it to. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { keptOpen } from "../../support/KeptOpen.ts"

interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage["headers"]
}

type Act = (response: ServerResponse, asked: Asked) => void

export interface FakeSource {
  readonly url: string
  /** Questions other than the look at the schema, oldest first. */
  readonly asked: ReadonlyArray<Asked>
  /** How the next questions are answered; looks at the schema find nothing, unless `schema` is told. */
  readonly act: (act: Act) => void
  readonly answer: (body: unknown) => void
  readonly schema: (act: Act) => void
  readonly stop: () => Promise<void>
}

const isSchema = ({ query }: Asked) => query.includes("__schema")

const json =
  (body: unknown): Act =>
  response => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

export const startFakeSource = async (): Promise<FakeSource> => {
  const asked: Array<Asked> = []
  let act: Act = json({ data: {} })
  let schema: Act = json({ data: {} })
  const server = createServer(keptOpen, async (request, response) => {
    const parts: Array<Uint8Array> = []
    for await (const part of request) parts.push(part)
    const question: Asked = { ...JSON.parse(Buffer.concat(parts).toString()), headers: request.headers }
    if (isSchema(question)) return schema(response, question)
    asked.push(question)
    act(response, question)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/graphql`,
    asked,
    act: next => {
      act = next
    },
    answer: body => {
      act = json(body)
    },
    schema: next => {
      schema = next
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
