import { useEffect, useRef } from 'react'
import { useNavigation } from 'react-router'

/** Focuses the refusal of a form or its first invalid field. Pages rendered by the server use `autofocus`. */
export function useFirstFault(): void {
  const { state } = useNavigation()
  const isSent = useRef(false)
  useEffect(() => {
    if (state === 'submitting') isSent.current = true
    if (state !== 'idle' || !isSent.current) return
    isSent.current = false
    document
      .querySelector<HTMLElement>('main :is([aria-invalid=true], [data-form-refusal])')
      ?.focus()
  }, [state])
}
