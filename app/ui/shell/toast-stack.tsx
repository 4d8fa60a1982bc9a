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
import css from './toast-stack.module.css'

/*
 * Loaded with the first toast. Imports no module or style sheet that pages use, such as that of Mantine's
 * buttons: the browser would link the sheet again after all others.
 */

export type DrawnToast = Omit<NotificationData, 'id'> & { id: string }

/** Mantine's store. It mirrors the client state, which alone decides what is shown and for how long. */
const drawn = createNotificationsStore()

/** Shows exactly these toasts as Mantine notifications. */
export function ToastStack({ toasts }: { toasts: readonly DrawnToast[] }) {
  useEffect(() => draw(toasts), [toasts])
  return (
    <Notifications
      store={drawn}
      classNames={{ root: css.stack }}
      withinPortal={false}
      containerWidth={400}
      autoClose={false}
      // Mantine would queue the sixth, whose time would run out unseen.
      limit={Number.POSITIVE_INFINITY}
      // Toasts disappear without a transition; CSS animates their entry.
      transitionDuration={0}
    />
  )
}

function draw(toasts: readonly DrawnToast[]): void {
  const ids = new Set(toasts.map(({ id }) => id))
  updateNotificationsState(drawn, (all) => all.filter(({ id }) => id !== undefined && ids.has(id)))
  // Toasts already shown stay as they are.
  for (const toast of toasts) showNotification(withLook(toast), drawn)
}

const withLook = (toast: DrawnToast): DrawnToast => ({
  ...toast,
  // The region around the stack announces it; `alert` would repeat it.
  role: 'presentation',
  classNames: { root: css.toast ?? '', icon: css.icon ?? '' },
})
