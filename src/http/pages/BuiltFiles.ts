/** What `npm run build` made for browsers. Read at the start: what is built while a process serves belongs to the pages of another. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { REVIEW_SCRIPT } from "./PaymentReviewPage.ts"
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "./ReferencePage.ts"

const CONSOLE = "console"

const SINGLE = [
  [REFERENCE_SCRIPT, "reference.js"],
  [REFERENCE_STYLE, "reference.css"],
  [REVIEW_SCRIPT, "payment-review.js"]
] as const

/** The console's script in its parts, and its stylesheet; none where they were not built, which the shell tells of itself. */
const consoleFiles = (folder: string): ReadonlyArray<readonly [path: string, file: string]> =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter(name => /\.(?:js|css)$/.test(name))
    .map(name => [`/console/${name}`, join(CONSOLE, name)])

export const builtFiles = (folder: string): ReadonlyArray<readonly [path: string, body: Uint8Array]> =>
  [...SINGLE, ...consoleFiles(join(folder, CONSOLE))]
    .map(([path, file]) => [path, join(folder, file)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([path, file]) => [path, readFileSync(file)])
