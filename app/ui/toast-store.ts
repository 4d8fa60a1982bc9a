import { NOTICE_DURATION_MS } from '#app/messages.ts'

export type Toast = {
  /** Made from the time at which it was added. */
  id: string
  type: 'success' | 'warning' | 'error' | 'info'
  message: string
  /** In milliseconds; it stays until it is closed when this is not positive. */
  duration: number
}

/* Lives in the browser alone: nothing is ever added while a page is rendered on the server. */
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

export function addToast(toast: Omit<Toast, 'id' | 'duration'> & { duration?: number }): string {
  last = Math.max(Date.now(), last + 1)
  const id = String(last)
  const { duration = NOTICE_DURATION_MS } = toast
  show([...toasts, { ...toast, id, duration }])
  if (duration > 0) setTimeout(() => removeToast(id), duration)
  return id
}

export const removeToast = (id: string) => show(toasts.filter((toast) => toast.id !== id))

export const clearToasts = () => show([])

export const currentToasts = () => toasts

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
