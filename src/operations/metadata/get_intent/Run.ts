import { currentIntent } from "../../../intents/CurrentIntent.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { getIntent } from "./Declaration.ts"

export const runGetIntent = defineOperation(getIntent, ({ id }) => currentIntent(id))
