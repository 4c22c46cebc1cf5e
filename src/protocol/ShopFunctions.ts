/** The canonical signatures of what shops are launched and changed by. */

export const SPLITS = "(uint32,uint64,address,bool,uint48,address)[]"
export const TIERS =
  `(uint104,uint32,uint32,uint16,address,bytes32,uint24,uint8,(bool,bool,bool,bool,bool,bool,bool),uint32,${SPLITS})[]` as const
const SHOP =
  `(string,string,string,address,string,(${TIERS},uint32,uint8),(bool,bool,bool,bool,bool))` as const
const AMOUNTS = "(uint224,uint32)[]"
const METADATA =
  "(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,uint16)"
const RULESETS =
  `(uint48,uint32,uint112,uint32,address,${METADATA},(uint256,${SPLITS})[],(address,address,${AMOUNTS},${AMOUNTS})[])[]` as const
const TERMINALS = "(address,(address,uint8,uint32)[])[]"

export const ADJUST_TIERS = `adjustTiers(${TIERS},uint256[])` as const
export const LAUNCH_SHOP =
  `launchProjectFor(address,${SHOP},(string,${RULESETS},${TERMINALS},string),address,bytes32)` as const
