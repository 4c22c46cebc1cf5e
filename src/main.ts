import { answerTo } from "./main/Arguments.ts"
import { runService } from "./main/Run.ts"
import { serviceLayer } from "./main/ServiceLayer.ts"

const said = answerTo(process.argv.slice(2))
if (said === undefined) runService(serviceLayer({}))
else {
  const stream = said.isRefusal ? process.stderr : process.stdout
  stream.write(said.text)
  process.exitCode = said.isRefusal ? 1 : 0
}
