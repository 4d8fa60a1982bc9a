import { type ComponentType, useEffect, useState } from 'react'
import { addNotification, clearNotifications, type Toast } from '#app/client/state.ts'
import { errors } from '#app/messages/errors.ts'
import { NOTICE_DURATION_MS, SESSION_EXPIRED_DURATION_MS } from '#app/messages/notices.ts'
import { useFlash } from '#app/ui/feedback/flash-notice.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { TOAST_TONES } from '#app/ui/feedback/tone.ts'
import css from './toasts.module.css'
import { useClientState } from './use-client-state.ts'

type Toasts = { toasts: readonly Toast[] }

/** The stack of messages at the bottom right, and the message that the last action left. */
export function Toasts() {
  const { notifications } = useClientState()
  const flash = useFlash()
  useEffect(() => {
    if (!flash) return
    const isExpiry = flash.message === errors.sessionExpired
    const duration = isExpiry ? SESSION_EXPIRED_DURATION_MS : NOTICE_DURATION_MS
    addNotification({ ...flash, duration })
  }, [flash])
  const Stack = useStack(notifications.length > 0)
  return (
    <section className={css.place} aria-label="Avisos" aria-live="polite">
      {Stack && <Stack toasts={notifications} />}
      {notifications.length > 1 && (
        <button type="button" className={css.all} onClick={clearNotifications}>
          Cerrar todos los avisos
        </button>
      )}
    </section>
  )
}

/** What draws the toasts, loaded with the first of them; undefined until it is there. */
function useStack(isWanted: boolean): ComponentType<Toasts> | undefined {
  const [stack, setStack] = useState<ComponentType<Toasts>>()
  useEffect(() => {
    if (!isWanted) return
    import('./toast-stack.tsx').then(
      ({ ToastStack }) => setStack(() => ToastStack),
      // The connection may be what the toast is about.
      () => setStack(() => PlainStack),
    )
  }, [isWanted])
  return stack
}

/** The messages alone: they go when their time is over. */
function PlainStack({ toasts }: Toasts) {
  return toasts.map(({ id, type, message }) => (
    <Notice key={id} tone={TOAST_TONES[type]} isNews={false}>
      <p>{message}</p>
    </Notice>
  ))
}
