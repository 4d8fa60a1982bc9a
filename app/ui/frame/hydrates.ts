import { createContext, use } from 'react'

/** Whether the page runs React in the browser. */
export const HydratesContext = createContext(false)

/**
 * Tells whether the page runs React in the browser. Pages of the dashboard do, and show Mantine's components;
 * public, sign-in and signing pages do not, and keep lighter markup and styles (decision 0034).
 */
export const useHydrates = () => use(HydratesContext)
