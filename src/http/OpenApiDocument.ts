/** The OpenAPI description of this deployment, generated from the API's definition. */
import { OpenApi } from "@effect/platform"
import { Effect } from "effect"
import { Settings } from "../settings/Settings.ts"
import { Api } from "./api/Api.ts"

export const openApiDocument = Effect.map(Settings, ({ audience }) => ({
  ...OpenApi.fromApi(Api),
  servers: [{ url: new URL(audience).origin }]
}))
