import { PERMISSIONS, TOKEN } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, type Emission, HOLDER, OTHER } from "./Receipts.ts"
import type { Scenario } from "./Scenario.ts"

const PERMIT = "setPermissionsFor(address,(address,uint64,uint8[]))"

const permissionIds = ["1", "5", "255"]

export const setPermissions: Scenario = {
  name: "permissions",
  verifier: "set_permissions",
  call: callTo(PERMISSIONS, PERMIT, [HOLDER, { operator: OTHER, projectId: "2", permissionIds }]),
  emissions: [
    {
      contractId: PERMISSIONS,
      event: "OperatorPermissionsSet",
      role: "proof",
      fields: {
        operator: OTHER,
        account: HOLDER,
        projectId: "2",
        permissionIds,
        packed: String(permissionIds.reduce((bits, id) => bits | (1n << BigInt(id)), 0n)),
        caller: ACCOUNT
      },
      identity: ["operator", "account", "projectId"],
      free: []
    }
  ],
  events: [
    { event: "OperatorPermissionsSet", operator: OTHER, account: HOLDER, projectId: "2", permissionIds }
  ]
}

export const approval = (value: string): Emission => ({
  contractId: TOKEN,
  event: "Approval",
  fields: { owner: ACCOUNT, spender: BENEFICIARY, value }
})

export const approve: Scenario = {
  name: "an allowance",
  verifier: "approve",
  call: callTo(TOKEN, "approve(address,uint256)", [BENEFICIARY, "1000"]),
  emissions: [{ ...approval("1000"), role: "proof", identity: ["owner", "spender"], free: [] }],
  events: [{ event: "Approval", owner: ACCOUNT, spender: BENEFICIARY, value: "1000" }]
}
