import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'

/**
 * Takes the keyboard to the first field that is wrong when a form was refused. A page that the server sends
 * anew does so by `autofocus`.
 */
export function useFirstFault(): void {
  const { state } = useNavigation()
  const isSent = useRef(false)
  useEffect(() => {
    if (state === 'submitting') isSent.current = true
    if (state !== 'idle' || !isSent.current) return
    isSent.current = false
    document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus()
  }, [state])
}
