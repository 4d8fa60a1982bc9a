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
 * Loaded with the first toast. Imports no module and no style sheet that the pages have, as that of Mantine's
 * buttons: the browser would link their sheets once more, behind all others.
 */

export type DrawnToast = Omit<NotificationData, 'id'> & { id: string }

/** What Mantine draws. It follows the state of the client, which alone decides what is shown and for how long. */
const drawn = createNotificationsStore()

/** Shows exactly these, as Mantine's notifications. */
export function ToastStack({ toasts }: { toasts: readonly DrawnToast[] }) {
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

function draw(toasts: readonly DrawnToast[]): void {
  const ids = new Set(toasts.map(({ id }) => id))
  updateNotificationsState(drawn, (all) => all.filter(({ id }) => id !== undefined && ids.has(id)))
  // One that is drawn already stays as it is.
  for (const toast of toasts) showNotification(withLook(toast), drawn)
}

const withLook = (toast: DrawnToast): DrawnToast => ({
  ...toast,
  // The region around the stack announces it: an alert in there would be read twice.
  role: 'presentation',
  classNames: { root: css.toast ?? '', icon: css.icon ?? '' },
})
