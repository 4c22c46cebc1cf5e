import { int } from "../shared/inputs/Parts.ts"

export const TwapWindow = int(300, 172_800).annotations({ description: "seconds from 300 to 172800" })
