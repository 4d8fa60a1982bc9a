import { useCallback, useEffect, useRef } from 'react'
import { type BlockerFunction, useBlocker, useNavigation } from 'react-router'
import { endSending, hasUnsaved, startSending, touch } from '#app/client/unsaved.ts'
import dialogCss from './dialog.module.css'

/**
 * Asks before a page is left in which something was typed and not sent. The browser asks itself when the
 * tab is closed or another document is loaded.
 */
export function UnsavedGuard() {
  useSentForms()
  useBrowserQuestion()
  const blocker = useBlocker(isLosing)
  const dialog = useRef<HTMLDialogElement>(null)
  const isAsked = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsked) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isAsked])
  const stay = useCallback(() => blocker.reset?.(), [blocker])
  return (
    <dialog
      ref={dialog}
      className={dialogCss.dialog}
      aria-labelledby="unsaved-title"
      onClose={stay}
    >
      <h2 id="unsaved-title">¿Salir sin guardar?</h2>
      <p className={dialogCss.text}>Si sale de esta página se pierde lo que escribió en ella.</p>
      <div className={dialogCss.actions}>
        <button type="button" className={dialogCss.first} onClick={stay}>
          Seguir en esta página
        </button>
        <button type="button" className={dialogCss.bad} onClick={() => blocker.proceed?.()}>
          Salir sin guardar
        </button>
      </div>
    </dialog>
  )
}

/** Another query is the same page: its fields stay. */
const isLosing: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsaved()

function useBrowserQuestion(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

/** Follows each form from the click to its answer. */
function useSentForms(): void {
  const { state, formMethod } = useNavigation()
  const isSent = useRef(false)
  useEffect(() => {
    const send = ({ target }: Event) => {
      if (target instanceof HTMLFormElement && target.method === 'post') startSending(target)
    }
    const type = ({ target }: Event) => touch(target)
    // Before React Router starts the navigation that the guard would stop.
    document.addEventListener('submit', send, true)
    document.addEventListener('input', type)
    return () => {
      document.removeEventListener('submit', send, true)
      document.removeEventListener('input', type)
    }
  }, [])
  useEffect(() => {
    if (formMethod === 'POST') isSent.current = true
    if (state !== 'idle' || !isSent.current) return
    isSent.current = false
    const fault = document.querySelector('main :is([aria-invalid="true"], [role="alert"])')
    endSending(fault === null)
  }, [state, formMethod])
}
