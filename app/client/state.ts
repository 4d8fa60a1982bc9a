import { NOTICE_DURATION_MS } from '#app/messages/notices.ts'

export type Toast = {
  /** Derived from the time when it was added. */
  id: string
  type: 'success' | 'warning' | 'error' | 'info'
  message: string
  /** An offer to undo the action. */
  undo?: string
  /** In milliseconds; zero or negative keeps it until it is closed. */
  duration: number
}

/** The state of the open dashboard page. */
export type ClientState = {
  /** Whether the side menu of wide screens shows labels; its icons are always visible. */
  sidebarOpen: boolean
  /** Stored in a cookie. */
  theme: 'light' | 'dark' | 'system'
  notifications: readonly Toast[]
  /** Whether an operation other than a navigation is running, and its label. */
  globalLoading: boolean
  loadingMessage: string | null
  /** Whether a sign-in waits for a second factor, and its id. */
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

/* In the browser only: rendering on the server never changes it. */
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
  // Ids stay unique within a millisecond.
  lastId = Math.max(Date.now(), lastId + 1)
  const id = String(lastId)
  const { duration = NOTICE_DURATION_MS } = toast
  change({ notifications: [...state.notifications, { ...toast, id, duration }] })
  if (duration > 0) setTimeout(() => removeNotification(id), duration)
  return id
}

export const removeNotification = (id: string) =>
  change({ notifications: state.notifications.filter((toast) => toast.id !== id) })

/** An offer ends with the next message: only the last action is undone. */
export function endUndoOffers(): void {
  for (const { id, undo } of state.notifications) if (undo !== undefined) removeNotification(id)
}

export const clearNotifications = () => change({ notifications: [] })

export const toggleSidebar = () => setSidebarOpen(!state.sidebarOpen)

export const setSidebarOpen = (sidebarOpen: boolean) => change({ sidebarOpen })

/** Applies the theme at once; a form stores it. */
export function setTheme(theme: ClientState['theme']): void {
  change({ theme })
  document.documentElement.dataset.mantineColorScheme = theme === 'system' ? 'auto' : theme
}

export const setGlobalLoading = (globalLoading: boolean, message?: string) =>
  change({ globalLoading, loadingMessage: (globalLoading && message) || null })

export const setMfaChallenge = (mfaSessionToken: string) =>
  change({ requiresMFA: true, mfaSessionToken })

export const clearMfaChallenge = () => change({ requiresMFA: false, mfaSessionToken: null })
