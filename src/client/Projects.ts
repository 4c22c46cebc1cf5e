/** Projects from the source that is asked for: the chain itself, or the indexed source. */
import type { Caller } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"

export interface ProjectQuery {
  readonly chainId: number
  /** Decimal. */
  readonly projectId: string
  /** Never replaced by the other. */
  readonly source: "onchain" | "indexer"
}

export interface OmnichainQuery extends ProjectQuery {
  /** 1 to 8, the origin included; 8 by default. */
  readonly maxMembers?: number | undefined
}

export const projectMethods = (caller: Caller) => ({
  projects: {
    /** One project; what could not be read is an unknown observation with its reason. */
    get: ({ chainId, projectId, source }: ProjectQuery) =>
      caller.call(endpoints.getProject, { path: { chainId, projectId }, query: { source } }),
    /** The projects on other chains that bridges join to this one, each with its own state and finality. */
    omnichain: ({ chainId, projectId, source, maxMembers }: OmnichainQuery) =>
      caller.call(endpoints.getOmnichainProject, {
        path: { chainId, projectId },
        query: { source, maxMembers }
      })
  }
})
