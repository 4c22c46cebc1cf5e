import type { PinnedSnapshot } from "../../../src/protocol/PinnedContracts.ts"
import { Address } from "../../../src/values/Scalars.ts"

export const controllerOf = ({ read }: PinnedSnapshot) =>
  read("JBDirectories", "controllerOf", ["2"], Address)
