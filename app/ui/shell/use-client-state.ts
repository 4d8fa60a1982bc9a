import { useSyncExternalStore } from 'react'
import { type ClientState, currentState, INITIAL_STATE, subscribe } from '#app/client/state.ts'

/** Returns the client state; the initial one on the server and until hydration. */
export function useClientState(): ClientState {
  return useSyncExternalStore(subscribe, currentState, () => INITIAL_STATE)
}

/**
 * Returns `sidebarOpen` alone: the shell and its menus do not render again when something else changes, as the
 * theme does at each start.
 */
export function useSidebarOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => currentState().sidebarOpen,
    () => INITIAL_STATE.sidebarOpen,
  )
}
