import type { Deed } from './deeds.ts'
import { DASHBOARD_STOPS, stopsOf, stopsOfDraft } from './site-map.ts'

/** `turn` is a deed that waits for the user's signature. */
type Things = { deed: Deed; turn: Deed; sessionId: string; userId: string }

/** Every page of the office that has a form, or may have one. */
export const formPages = (things: Things) => [
  ...DASHBOARD_STOPS.map(({ path }) => path),
  ...[...stopsOf(things.deed), ...stopsOfDraft(things.deed)]
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/dashboard')),
  ...stopsOf(things.turn)
    .map(({ path }) => path)
    .filter((path) => path.includes('/sign')),
  `/dashboard/signing/${things.sessionId}`,
  `/dashboard/users/${things.userId}`,
  '/change-password',
  '/setup-mfa',
  '/setup-mfa/app',
  '/setup-mfa/key',
  '/step-up',
]

/** Pages whose forms a stranger may send. */
export const FORM_PAGES_OF_STRANGERS = ['/login', '/activate', '/sign', '/verify/document']
