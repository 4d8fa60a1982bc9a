import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { keepTyped } from '#app/client/keep-typed.ts'
import { NonceContext } from '#app/ui/frame/nonce.ts'

// The property: browsers hide the attribute's value from scripts.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
setNonce(nonce)
keepTyped()

/*
 * In one piece, not in a transition: a transition lets events in between, but no event is answered before the whole
 * page works, and its slices take a tenth of the start on a slow computer.
 */
hydrateRoot(
  document,
  <StrictMode>
    <NonceContext value={nonce}>
      <HydratedRouter />
    </NonceContext>
  </StrictMode>,
)
