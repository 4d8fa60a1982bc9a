import { createContext, use } from 'react'

/** The CSP nonce of this response; the same on the server and during hydration. */
export const NonceContext = createContext('')

export const useNonce = () => use(NonceContext)
