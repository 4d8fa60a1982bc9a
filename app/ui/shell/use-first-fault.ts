import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'

/** Focuses the first invalid field of a refused form. Pages rendered by the server use `autofocus`. */
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
