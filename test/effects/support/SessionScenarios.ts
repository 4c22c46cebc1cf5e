import { compiledHashOf, permissionIdOf } from "../../../src/sessions/Compile.ts"
import { installationData } from "../../../src/sessions/Enabling.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import { policyFor } from "../../sessions/support/Policies.ts"
import { SESSION_GUARD, WALLET_ADAPTER } from "./ContractIds.ts"
import { ACCOUNT, callTo, deployment, HASH, OTHER } from "./Receipts.ts"
import type { Evented, Scenario } from "./Scenario.ts"

const guard = deployment(SESSION_GUARD).address
const place = { chainId: 1, guard, account: ACCOUNT }
const policy = policyFor(OTHER, HASH, 1_790_000_030)
const encoded = encodePolicy(policy)
const permissionId = permissionIdOf(place, policy)
const compiledHash = compiledHashOf(place, encoded)

const enabled: Evented = {
  contractId: SESSION_GUARD,
  event: "SessionEnabled",
  role: "proof",
  fields: { account: ACCOUNT, permissionId, compiledHash, enableNonce: "3", epoch: "7", history: HASH },
  identity: ["account", "permissionId"],
  free: ["epoch", "history"]
}

const enabledShown = {
  event: "SessionEnabled",
  ...{ permissionId, compiledHash },
  ...{ enableNonce: "3", epoch: "7", history: HASH }
}

export const enableSession: Scenario = {
  name: "a session that is enabled",
  verifier: "sessionEnabled",
  call: callTo(SESSION_GUARD, "enable(uint64,bytes)", ["3", encoded]),
  emissions: [enabled],
  events: [enabledShown]
}

export const revokeSession: Scenario = {
  name: "a session that is revoked",
  verifier: "sessionRevoked",
  call: callTo(SESSION_GUARD, "revoke(bytes32)", [permissionId]),
  emissions: [
    {
      contractId: SESSION_GUARD,
      event: "SessionRevoked",
      role: "proof",
      fields: { account: ACCOUNT, permissionId, enableNonce: "4", epoch: "8", history: HASH },
      identity: ["account", "permissionId"],
      free: ["enableNonce", "epoch", "history"]
    }
  ],
  events: [{ event: "SessionRevoked", permissionId, enableNonce: "4", epoch: "8", history: HASH }]
}

export const installGuard: Scenario = {
  name: "a guard that is installed with a session",
  verifier: "moduleInstalled",
  call: callTo(WALLET_ADAPTER, "installModule(uint256,address,bytes)", [
    "1",
    guard,
    installationData({ expectedEnableNonce: 3n, encoded })
  ]),
  emissions: [
    enabled,
    {
      contractId: WALLET_ADAPTER,
      event: "ModuleInstalled",
      role: "proof",
      fields: { moduleTypeId: "1", module: guard },
      identity: ["module"],
      free: []
    }
  ],
  events: [{ event: "ModuleInstalled", moduleTypeId: "1", module: guard }, enabledShown]
}
