import { useSyncExternalStore } from 'react'
import { type ClientState, currentState, INITIAL_STATE, subscribe } from '#app/client/state.ts'

/** What the open page keeps; on the server, and until it hydrates, what it begins with. */
export function useClientState(): ClientState {
  return useSyncExternalStore(subscribe, currentState, () => INITIAL_STATE)
}
