/** A page made of components, in an element of its own until it is left. */
import { type ComponentType, h, render } from "preact"
import { keepFocus } from "./KeepFocus.ts"
import type { PageProps } from "./Seat.ts"

export const mount = (
  into: HTMLElement,
  component: ComponentType<PageProps>,
  props: PageProps
): (() => void) => {
  const end = keepFocus(into)
  render(h(component, props), into)
  return () => {
    end()
    render(null, into)
  }
}
