import { Layer } from "effect"
import { runService, serviceLayer } from "signed-request-service/service"
import { logFile } from "./LogFile.ts"
import { prepareTip } from "./PrepareTip.ts"
import { tipRoutes } from "./Routes.ts"
import { Thanks } from "./Thanks.ts"
import { tipJar } from "./TipJar.ts"
import { getTips } from "./Tips.ts"

const layers = Layer.merge(logFile, Thanks.layer)

runService(
  serviceLayer({
    contracts: [tipJar],
    operations: [getTips, prepareTip],
    routes: [tipRoutes],
    layers
  })
)
