import { loans } from "./differences/loans.ts"
import { describeFamily } from "./Family.ts"

describeFamily("loans and bridges", loans)
