import { useEffect } from 'react'
import { addNotification, clearNotifications, removeNotification } from '#app/client/state.ts'
import { errors } from '#app/messages/errors.ts'
import { NOTICE_DURATION_MS, SESSION_EXPIRED_DURATION_MS } from '#app/messages/notices.ts'
import { useFlash } from '#app/ui/feedback/flash-notice.tsx'
import { TONE_ICONS, toneClass } from '#app/ui/feedback/tone.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './toasts.module.css'
import { useClientState } from './use-client-state.ts'

const TONES = { success: 'good', warning: 'wait', error: 'bad', info: 'note' } as const

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
  return (
    <section className={css.stack} aria-label="Avisos" aria-live="polite">
      {notifications.map((toast) => (
        <div key={toast.id} className={`${css.toast} ${toneClass(TONES[toast.type])}`}>
          <Icon name={TONE_ICONS[TONES[toast.type]]} size={20} />
          <p>{toast.message}</p>
          <button
            type="button"
            onClick={() => removeNotification(toast.id)}
            aria-label="Cerrar aviso"
          >
            <Icon name="cross" size={16} />
          </button>
        </div>
      ))}
      {notifications.length > 1 && (
        <button type="button" className={css.all} onClick={clearNotifications}>
          Cerrar todos los avisos
        </button>
      )}
    </section>
  )
}
