import { useEffect } from 'react'

/**
 * Runs `act` when a key is pressed that `isWanted`, unless the user types in a field.
 *
 * @param isWanted must stay the same function
 */
export function useKey(isWanted: (event: KeyboardEvent) => boolean, act: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || !isWanted(event)) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [isWanted, act])
}

/** A character that is no command of the browser and is not typed into a field. */
export const isPlainKey = (event: KeyboardEvent, character: string): boolean =>
  event.key === character && !event.ctrlKey && !event.metaKey && !isTyping(event)

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null
