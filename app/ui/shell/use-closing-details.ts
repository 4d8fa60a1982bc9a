import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Closes a `<details>` on Escape and on navigation. Without scripts only its summary closes it, whose
 * backdrop covers the rest of the page.
 */
export function useClosingDetails(): RefObject<HTMLDetailsElement | null> {
  const ref = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const seen = useRef(key)
  useEffect(() => {
    // Opened before hydration: stays open until a navigation.
    if (seen.current === key) return
    seen.current = key
    if (ref.current) ref.current.open = false
  }, [key])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const details = ref.current
      if (event.key !== 'Escape' || !details?.open) return
      details.open = false
      details.querySelector('summary')?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return ref
}
