import { createContext, use } from 'react'

/** Whether the page runs React in the browser. */
export const HydratesContext = createContext(false)

/** Returns whether the page runs React in the browser. Dashboard pages do; public, sign-in and signing pages do not. */
export const useHydrates = () => use(HydratesContext)
