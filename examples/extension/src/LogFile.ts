/** Log lines into a file instead of standard output. */
import { appendFile } from "node:fs"
import { LogSink } from "signed-request-service/service"

const file = process.env.TIP_JAR_LOG ?? "tip-jar.log"

export const logFile = LogSink.to((text, written) => appendFile(file, text, () => written()))
