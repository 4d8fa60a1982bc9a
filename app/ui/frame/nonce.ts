import { createContext, use } from 'react'

/** The nonce of this answer; the same on the server and, while it hydrates, in the browser. */
export const NonceContext = createContext('')

export const useNonce = () => use(NonceContext)
