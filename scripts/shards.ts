/** `npm run shards`: writes into docs/scaling.md how load falls on shards. */

import { spreadTable } from "./scaling/Shards.ts"
import { writeTable } from "./scaling/Tables.ts"

writeTable("docs/scaling.md", "shards", spreadTable())
