/** The console: one application in one tab. */
import "./console.css"
import "./app/app.css"
import "./doing/doing.css"
import { openConsole } from "./app/OpenConsole.ts"

const root = document.getElementById("review")

if (root !== null) openConsole(root)
