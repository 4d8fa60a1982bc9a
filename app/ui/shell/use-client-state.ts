import { useSyncExternalStore } from 'react'
import { type ClientState, currentState, INITIAL_STATE, subscribe } from '#app/client/state.ts'

/** Returns the client state; the initial one on the server and until hydration. */
export function useClientState(): ClientState {
  return useSyncExternalStore(subscribe, currentState, () => INITIAL_STATE)
}
