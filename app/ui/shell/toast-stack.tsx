import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import {
  createNotificationsStore,
  type NotificationData,
  Notifications,
  showNotification,
  updateNotificationsState,
} from '@mantine/notifications'
import { useEffect } from 'react'
import { removeNotification, type Toast } from '#app/client/state.ts'
import { TOAST_TONES, TONE_ICONS, toneClass } from '#app/ui/feedback/tone.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './toast-stack.module.css'
import { useClientState } from './use-client-state.ts'

/** What Mantine draws. It follows the state of the client, which alone decides what is shown and for how long. */
const drawn = createNotificationsStore()

/** The toasts of the client's state as Mantine's notifications. Loaded with the first toast. */
export function ToastStack({ toasts }: { toasts: readonly Toast[] }) {
  useEffect(() => draw(toasts), [toasts])
  return (
    <Notifications
      store={drawn}
      classNames={{ root: css.stack }}
      withinPortal={false}
      containerWidth={400}
      autoClose={false}
      // Mantine would queue the sixth, and its time would run out unseen.
      limit={Number.POSITIVE_INFINITY}
      // A toast is gone when its time is over; its entry is animated in CSS.
      transitionDuration={0}
    />
  )
}

function draw(toasts: readonly Toast[]): void {
  const ids = new Set(toasts.map(({ id }) => id))
  updateNotificationsState(drawn, (all) => all.filter(({ id }) => id !== undefined && ids.has(id)))
  // One that is drawn already stays as it is.
  for (const toast of toasts) showNotification(notificationOf(toast), drawn)
}

function notificationOf({ id, type, message }: Toast): NotificationData {
  const tone = TOAST_TONES[type]
  return {
    id,
    message: <Message id={id} text={message} />,
    icon: <Icon name={TONE_ICONS[tone]} size={20} />,
    // The region around the stack announces it: an alert in there would be read twice.
    role: 'presentation',
    classNames: { root: `${css.toast} ${toneClass(tone)}`, icon: css.icon ?? '' },
    closeButtonProps: { 'aria-label': 'Cerrar aviso' },
    onClose: () => removeNotification(id),
  }
}

/** Nothing once the toast is over: Mantine removes what is around it with its next timer only. */
function Message({ id, text }: { id: string; text: string }) {
  const { notifications } = useClientState()
  return notifications.some((toast) => toast.id === id) && <p>{text}</p>
}
