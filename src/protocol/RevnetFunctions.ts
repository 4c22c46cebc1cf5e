/** The canonical signatures of the two functions that deploy a revnet. */
import { SPLITS, TIERS } from "./ShopFunctions.ts"

const STAGE =
  `(uint48,(uint32,uint104,address)[],uint16,${SPLITS},uint112,uint32,uint32,uint16,uint16)` as const
const REVNET = `((string,string,string,bytes32),uint32,address,bool,${STAGE}[])` as const
const SUCKERS = "((address,bytes32,(address,uint32,bytes32)[])[],bytes32)"
const BASELINE =
  `(string,string,string,address,string,(${TIERS},uint32,uint8),(bool,bool,bool,bool))` as const
const SHOP = `(${BASELINE},bytes32,bool,bool,bool,bool)` as const
const POSTS = "(uint24,uint104,uint32,uint32,uint32,address[])[]"
const WHATEVER_THE_SHOP = `uint256,${REVNET},(address,uint8,uint32)[],${SUCKERS}` as const

export const DEPLOY_REVNET = `deployFor(${WHATEVER_THE_SHOP})` as const
export const DEPLOY_REVNET_WITH_SHOP = `deployFor(${WHATEVER_THE_SHOP},${SHOP},${POSTS})` as const
