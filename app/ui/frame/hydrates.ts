import { createContext, use } from 'react'

/** Whether the page runs React in the browser. */
export const HydratesContext = createContext(false)

/**
 * Returns whether the page runs React in the browser. Dashboard pages do, and use Mantine's components;
 * public, sign-in and signing pages do not, and use lighter markup and styles (decision 0034).
 */
export const useHydrates = () => use(HydratesContext)
