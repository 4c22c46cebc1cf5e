/** The canonical signatures of the two functions that deploy a revnet. */
import { SPLITS, TIERS } from "./ShopFunctions.ts"

const STAGE = `(uint48,(uint32,uint104,address)[],uint16,${SPLITS},uint112,uint32,uint32,uint16,uint16)`
const REVNET = `((string,string,string,bytes32),uint32,address,bool,${STAGE}[])`
const SUCKERS = "((address,bytes32,(address,uint32,bytes32)[])[],bytes32)"
const BASELINE = `(string,string,string,address,string,(${TIERS},uint32,uint8),(bool,bool,bool,bool))`
const SHOP = `(${BASELINE},bytes32,bool,bool,bool,bool)`
const POSTS = "(uint24,uint104,uint32,uint32,uint32,address[])[]"
const WHATEVER_THE_SHOP = `uint256,${REVNET},(address,uint8,uint32)[],${SUCKERS}`

export const DEPLOY_REVNET = `deployFor(${WHATEVER_THE_SHOP})`
export const DEPLOY_REVNET_WITH_SHOP = `deployFor(${WHATEVER_THE_SHOP},${SHOP},${POSTS})`
