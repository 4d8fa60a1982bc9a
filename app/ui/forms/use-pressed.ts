import { type RefObject, useRef } from 'react'

/** The button of the last click on this page; Enter in a field clicks the first button of its form too. */
let lastPressed: HTMLElement | null = null

/** Whether a button is the one that was pressed last, so that it alone shows that its form is on its way. */
export function usePressed(): {
  button: RefObject<HTMLButtonElement | null>
  press: () => void
  isPressed: () => boolean
} {
  const button = useRef<HTMLButtonElement>(null)
  const press = () => {
    lastPressed = button.current
  }
  return { button, press, isPressed: () => lastPressed !== null && lastPressed === button.current }
}
