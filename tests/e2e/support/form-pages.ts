import type { Deed } from './deeds.ts'
import { DASHBOARD_STOPS, stopsOf, stopsOfDraft } from './site-map.ts'

/** Every page of the office that has a form, or may have one. */
export const formPages = (things: { deed: Deed; sessionId: string; userId: string }) => [
  ...DASHBOARD_STOPS.map(({ path }) => path),
  ...[...stopsOf(things.deed), ...stopsOfDraft(things.deed)]
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/dashboard')),
  `/dashboard/signing/${things.sessionId}`,
  `/dashboard/users/${things.userId}`,
  '/change-password',
  '/setup-mfa',
  '/setup-mfa/app',
  '/setup-mfa/key',
  '/step-up',
]
