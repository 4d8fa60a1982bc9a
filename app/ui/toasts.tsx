import { useEffect, useSyncExternalStore } from 'react'
import { errors, NOTICE_DURATION_MS, SESSION_EXPIRED_DURATION_MS } from '#app/messages.ts'
import { useFlash } from './flash-notice.tsx'
import { Icon } from './icon.tsx'
import {
  addToast,
  currentToasts,
  removeToast,
  subscribeToToasts,
  type Toast,
} from './toast-store.ts'
import css from './toasts.module.css'
import { TONE_ICONS, toneClass } from './tone.ts'

const TONES = { success: 'good', warning: 'wait', error: 'bad', info: 'note' } as const
const NONE: readonly Toast[] = []

/** The stack of messages at the bottom right, and the message that the last action left. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, () => NONE)
  const flash = useFlash()
  useEffect(() => {
    if (!flash) return
    const isExpiry = flash.message === errors.sessionExpired
    addToast({ ...flash, duration: isExpiry ? SESSION_EXPIRED_DURATION_MS : NOTICE_DURATION_MS })
  }, [flash])
  return (
    <section className={css.stack} aria-label="Avisos" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`${css.toast} ${toneClass(TONES[toast.type])}`}>
          <Icon name={TONE_ICONS[TONES[toast.type]]} size={20} />
          <p>{toast.message}</p>
          <button type="button" onClick={() => removeToast(toast.id)} aria-label="Cerrar aviso">
            <Icon name="cross" size={16} />
          </button>
        </div>
      ))}
    </section>
  )
}
