/** What effects are declared and judged with. */
import {
  agreeing,
  atMostOne,
  between,
  disproved,
  doubted,
  eventsAbout,
  exactlyOne,
  is,
  isWith,
  none
} from "./Judgement.ts"
import { teamEffects, unmodeled } from "./PlanEffects.ts"
import { predicate, sole } from "./Predicate.ts"

export const effects = {
  predicate,
  planEffects: teamEffects,
  unmodeled,
  sole,
  exactlyOne,
  atMostOne,
  none,
  eventsAbout,
  agreeing,
  is,
  isWith,
  between,
  doubted,
  disproved
} as const
