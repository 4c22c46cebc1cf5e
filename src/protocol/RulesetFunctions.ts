/** The canonical signatures of what projects are launched by and rulesets queued by. */

const RULESETS =
  "(uint48,uint32,uint112,uint32,address,(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address,uint16),(uint256,(uint32,uint64,address,bool,uint48,address)[])[],(address,address,(uint224,uint32)[],(uint224,uint32)[])[])[]"

export const QUEUE_RULESETS = `queueRulesetsOf(uint256,${RULESETS},string)` as const
export const LAUNCH_PROJECT =
  `launchProjectFor(address,string,${RULESETS},(address,(address,uint8,uint32)[])[],string)` as const
