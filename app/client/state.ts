import { NOTICE_DURATION_MS } from '#app/messages/notices.ts'

export type Toast = {
  /** Made from the time at which it was added. */
  id: string
  type: 'success' | 'warning' | 'error' | 'info'
  message: string
  /** In milliseconds; it stays until it is closed when this is not positive. */
  duration: number
}

/** What the pages of the dashboard keep while they are open. */
export type ClientState = {
  /** Whether the side menu of wide screens shows its words; it is never out of sight. */
  sidebarOpen: boolean
  /** A cookie of this browser keeps it. */
  theme: 'light' | 'dark' | 'system'
  notifications: readonly Toast[]
  /** Whether something is going on that is no change of page, and what. */
  globalLoading: boolean
  loadingMessage: string | null
  /** Whether a call was answered with the wish for a second factor, and for which sign-in. */
  requiresMFA: boolean
  mfaSessionToken: string | null
}

export const INITIAL_STATE: ClientState = {
  sidebarOpen: true,
  theme: 'system',
  notifications: [],
  globalLoading: false,
  loadingMessage: null,
  requiresMFA: false,
  mfaSessionToken: null,
}

/* Lives in the browser alone: nothing ever changes while a page is rendered on the server. */
let state = INITIAL_STATE
let lastId = 0
const listeners = new Set<() => void>()

export const currentState = () => state

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(part: Partial<ClientState>): void {
  state = { ...state, ...part }
  for (const listener of listeners) listener()
}

export function addNotification(
  toast: Omit<Toast, 'id' | 'duration'> & { duration?: number },
): string {
  // Two of one millisecond are two.
  lastId = Math.max(Date.now(), lastId + 1)
  const id = String(lastId)
  const { duration = NOTICE_DURATION_MS } = toast
  change({ notifications: [...state.notifications, { ...toast, id, duration }] })
  if (duration > 0) setTimeout(() => removeNotification(id), duration)
  return id
}

export const removeNotification = (id: string) =>
  change({ notifications: state.notifications.filter((toast) => toast.id !== id) })

export const clearNotifications = () => change({ notifications: [] })

export const toggleSidebar = () => setSidebarOpen(!state.sidebarOpen)

export const setSidebarOpen = (sidebarOpen: boolean) => change({ sidebarOpen })

/** Shows the theme at once; a form has it kept. */
export function setTheme(theme: ClientState['theme']): void {
  change({ theme })
  document.documentElement.dataset.mantineColorScheme = theme === 'system' ? 'auto' : theme
}

export const setGlobalLoading = (globalLoading: boolean, message?: string) =>
  change({ globalLoading, loadingMessage: (globalLoading && message) || null })

export const setMfaChallenge = (mfaSessionToken: string) =>
  change({ requiresMFA: true, mfaSessionToken })

export const clearMfaChallenge = () => change({ requiresMFA: false, mfaSessionToken: null })
