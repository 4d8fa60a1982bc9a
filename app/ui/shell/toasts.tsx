import { useEffect, useState } from 'react'
import {
  addNotification,
  clearNotifications,
  endUndoOffers,
  removeNotification,
  type Toast,
} from '#app/client/state.ts'
import { errors } from '#app/messages/errors.ts'
import {
  NOTICE_DURATION_MS,
  SESSION_EXPIRED_DURATION_MS,
  UNDO_DURATION_MS,
} from '#app/messages/notices.ts'
import { useFlash } from '#app/ui/feedback/flash-notice.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { TOAST_TONES, TONE_ICONS } from '#app/ui/feedback/tone.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import type { DrawnToast, ToastStack } from './toast-stack.tsx'
import css from './toasts.module.css'
import { UndoForm } from './undo-form.tsx'
import { useClientState } from './use-client-state.ts'

/** The toasts at the bottom right, including the flash message of the last action. */
export function Toasts() {
  const { notifications } = useClientState()
  const flash = useFlash()
  useEffect(() => {
    if (!flash) return
    endUndoOffers()
    addNotification({ ...flash, duration: durationOf(flash) })
  }, [flash])
  const stack = useStack(notifications.length > 0)
  return (
    <section className={css.place} aria-label="Avisos" aria-live="polite">
      {stack === 'missing' && <PlainStack toasts={notifications} />}
      {stack && stack !== 'missing' && <stack.ToastStack toasts={notifications.map(drawnToast)} />}
      {notifications.length > 1 && (
        <button type="button" className={css.all} onClick={clearNotifications}>
          Cerrar todos los avisos
        </button>
      )}
    </section>
  )
}

function durationOf({ message, undo }: Pick<Toast, 'message' | 'undo'>): number {
  if (undo !== undefined) return UNDO_DURATION_MS
  return message === errors.sessionExpired ? SESSION_EXPIRED_DURATION_MS : NOTICE_DURATION_MS
}

type Stack = { ToastStack: typeof ToastStack }

/** Loads the toast renderer with the first toast; undefined until then. */
function useStack(isWanted: boolean): Stack | 'missing' | undefined {
  const [stack, setStack] = useState<Stack | 'missing'>()
  useEffect(() => {
    if (!isWanted) return
    void loadStack().then(setStack)
  }, [isWanted])
  return stack
}

/** The toast may be about the lost connection. `import().catch()` would not see a style sheet that is missing. */
async function loadStack(): Promise<Stack | 'missing'> {
  try {
    return await import('./toast-stack.tsx')
  } catch {
    return 'missing'
  }
}

function drawnToast(toast: Toast): DrawnToast {
  const { id, type } = toast
  const tone = TOAST_TONES[type]
  return {
    id,
    color: `var(--${tone})`,
    message: <Message {...toast} />,
    icon: <Icon name={TONE_ICONS[tone]} size={20} />,
    closeButtonProps: { 'aria-label': 'Cerrar aviso' },
    onClose: () => removeNotification(id),
  }
}

/** Empty once the toast is gone; Mantine removes the element around it later. */
function Message({ id, message, undo }: Toast) {
  const { notifications } = useClientState()
  if (!notifications.some((toast) => toast.id === id)) return null
  return (
    <>
      <p>{message}</p>
      {undo !== undefined && <UndoForm undo={undo} />}
    </>
  )
}

/** Fallback without Mantine. */
function PlainStack({ toasts }: { toasts: readonly Toast[] }) {
  return toasts.map(({ id, type, message, undo }) => (
    <Notice key={id} tone={TOAST_TONES[type]} isLive={false}>
      <p>{message}</p>
      {undo !== undefined && <UndoForm undo={undo} />}
    </Notice>
  ))
}
