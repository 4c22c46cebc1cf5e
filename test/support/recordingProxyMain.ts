/** The recording proxy as a process: `<upstream> <file> [port]`; prints its URL on one line. */
import { startRecordingProxy } from "./RecordingProxy.ts"

const [upstream = "", file = "", port = "0"] = process.argv.slice(2)

const proxy = await startRecordingProxy({ upstream, file, port: Number(port) })

process.stdout.write(`${proxy.url}\n`)
