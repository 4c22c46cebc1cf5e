import { runService } from "./main/Run.ts"
import { serviceLayer } from "./main/ServiceLayer.ts"

runService(serviceLayer({}))
