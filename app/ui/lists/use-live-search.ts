import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { useSubmit } from 'react-router'

/** A pause in typing, in milliseconds: a person who types on sends nothing. */
const PAUSE = 300

type LiveSearch = {
  form: RefObject<HTMLFormElement | null>
  /** To be called when a field of the form changes; other fields than the search wait for the button. */
  typed(event: FormEvent): void
  /** To be called when the form is sent. */
  sent(): void
}

/**
 * Sends a search form while its user types. The field keeps the focus and its text; when the search on the page changes otherwise,
 * such as by the back button, the field follows.
 *
 * @param text the search on the page
 */
export function useLiveSearch(name: string, text: string): LiveSearch {
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const field = form.current?.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement)) return
    // What is being typed stays, and so does a space after the last word.
    if (timer.current === undefined && field.value.trim() !== text) field.value = text
  }, [name, text])
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    form,
    typed({ target }) {
      if (target !== form.current?.elements.namedItem(name)) return
      clearTimeout(timer.current)
      // The first search is a step of the history; the following ones replace it.
      const options = { replace: text !== '', preventScrollReset: true }
      timer.current = setTimeout(() => {
        timer.current = undefined
        submit(form.current, options)
      }, PAUSE)
    },
    sent() {
      clearTimeout(timer.current)
      timer.current = undefined
    },
  }
}
