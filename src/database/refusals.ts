import { Refusal } from "../values/Refusal.ts"

export class DatabaseUnavailable extends Refusal("DATABASE_UNAVAILABLE") {}
