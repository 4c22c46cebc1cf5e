/** Bare node:http that writes the bytes and headers it is given. */
import { createServer } from "node:http"

const headers = JSON.parse(process.env.HEADERS ?? "{}")
const body = Buffer.from(process.env.BODY ?? "", "base64")

createServer((_, response) => response.writeHead(200, headers).end(body)).listen(
  Number(process.env.PORT),
  "127.0.0.1"
)
