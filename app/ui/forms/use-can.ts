import { useSyncExternalStore } from 'react'

/** Whether this browser can do something; false on the server and until hydration. */
export const useCan = (isPossible: () => boolean) =>
  useSyncExternalStore(NEVER_CHANGES, isPossible, () => false)

const NEVER_CHANGES = () => () => undefined
