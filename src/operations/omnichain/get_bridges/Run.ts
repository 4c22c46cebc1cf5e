import { showBridges } from "../../../projects/BridgesView.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { getBridges } from "./Declaration.ts"

export const runGetBridges = defineOperation(getBridges, showBridges)
