/** Lists with filters, on their first and later pages, as a member of a large office asks for them. */
const NONE = '00000000-0000-4000-8000-000000000000'
const behind = `${Date.now() - 90 * 24 * 3600 * 1000}.${NONE}`

/** Those that compare rows until they have a page, or for as long as a search may take. */
export const SEARCHES = [
  '/dashboard/documents?text=99999',
  '/dashboard/documents?text=no+hay',
  '/dashboard/signing/parties?text=nunez+9999',
  '/dashboard/search?text=poder',
  `/dashboard/documents?kind=will&by=${NONE}`,
  `/dashboard/documents?signer=${NONE}`,
  `/dashboard/documents?text=poder&signingSession=${NONE}&signer=${NONE}`,
  '/dashboard/documents?text=poder&behind=other.1700000000000000',
  '/dashboard/signing/new?text=poder&kind=will&from=2026-01-01&to=2026-10-31',
  '/dashboard/documents?kind=collation&state=signed',
]

const CANCELLED = `/dashboard/documents?state=cancelled&behind=${behind}`
const CANCELLED_SESSIONS = `/dashboard/signing?show=all&state=cancelled&behind=${behind}`
const EXPIRED_SESSIONS = '/dashboard/signing?show=mine&state=expired'
const COMPLETED_SESSIONS = '/dashboard/signing?show=all&state=completed'

/** What a small office is asked for in place of a list that it cannot fill: a page with as many rows. */
export const AS_LONG: Readonly<Record<string, string>> = {
  [CANCELLED]: '/dashboard/documents?state=draft',
  [CANCELLED_SESSIONS]: COMPLETED_SESSIONS,
  [EXPIRED_SESSIONS]: COMPLETED_SESSIONS,
}

export const LISTS = [
  '/dashboard/documents?state=signed',
  CANCELLED,
  '/dashboard/signing?show=all',
  CANCELLED_SESSIONS,
  EXPIRED_SESSIONS,
  '/dashboard/settings/outbox?state=failed',
  `/dashboard/alerts?show=resolved&behind=${behind}`,
  '/dashboard/audit?about=access',
  ...SEARCHES,
]
