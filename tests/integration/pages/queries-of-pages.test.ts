import { beforeAll, expect, test } from 'vitest'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import type { PresencePolicy } from '#server/domain/identity/office.ts'
import { MORNING } from '#tests/support/builders.ts'
import { counted } from '#tests/support/counted-database.ts'
import { aFullOffice, type FullOffice } from '#tests/support/office/full-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { someReport } from '#tests/support/pdf/signed-document.ts'
import { anyPdf, onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Visit = {
  as?: 'member' | 'guest'
  to: string | ((office: FullOffice) => string)
  /** The policies of the office; none if absent. */
  presence?: PresencePolicy
}

const byMember = (to: Visit['to']): Visit => ({ as: 'member', to })
const byGuest = (to: Visit['to']): Visit => ({ as: 'guest', to })
const byAnybody = (to: Visit['to']): Visit => ({ to })

/** How each page of the site map is visited. A page that is missing here fails the first test. */
const VISITS: Record<string, Visit> = {
  'routes/alerts/list': byMember('/dashboard/alerts'),
  'routes/audit/list': byMember('/dashboard/audit'),
  'routes/auth/activate': byAnybody('/activate'),
  'routes/auth/change-password-page': byMember('/change-password'),
  'routes/auth/login': byAnybody('/login'),
  'routes/certificates/list': byMember('/dashboard/certificates'),
  'routes/dashboard/overview': byMember('/dashboard'),
  'routes/documents/cancel': byMember(({ draft }) => `/dashboard/documents/${draft}/cancel`),
  'routes/documents/detail': byMember(({ signed }) => `/dashboard/documents/${signed.id}`),
  'routes/documents/instrument-page': byMember(
    ({ draft }) => `/dashboard/documents/${draft}/instrument`,
  ),
  'routes/documents/list': byMember('/dashboard/documents'),
  'routes/documents/new': byMember('/dashboard/documents/new'),
  'routes/mfa/backup-codes': byMember('/setup-mfa/backup-codes'),
  'routes/mfa/setup': byMember('/setup-mfa'),
  'routes/mfa/setup-key': byMember('/setup-mfa/key'),
  'routes/profile/access-tokens-page': byMember('/dashboard/profile/tokens'),
  'routes/profile/authenticator': byMember('/dashboard/profile/authenticator'),
  'routes/profile/backup-codes': byMember('/dashboard/profile/backup-codes'),
  'routes/profile/own': byMember('/dashboard/profile'),
  'routes/profile/security-key': byMember(({ key }) => `/dashboard/profile/keys/${key}`),
  'routes/public/home': byAnybody('/'),
  'routes/verification/upload-verdict': byMember(
    ({ awaited }) => `/dashboard/documents/${awaited.id}/verdict`,
  ),
  'guest-upload-verdict': byGuest(({ awaited }) => `/sign/documents/${awaited.id}/verdict`),
  'routes/verification/verify': byAnybody(({ signed }) => `/verify/${signed.id}`),
  'routes/verification/verify-document': byAnybody('/verify/document'),
  'routes/settings/authority': byMember(
    ({ authority }) => `/dashboard/settings/authorities/${authority}`,
  ),
  'routes/settings/constancia-policy': byMember('/dashboard/settings/constancias'),
  'routes/settings/idle-policy': byMember('/dashboard/settings/idle'),
  'routes/settings/import-authorities-page': byMember('/dashboard/settings/authorities/new'),
  'routes/settings/mail': byMember(({ mail }) => `/dashboard/settings/outbox/${mail}`),
  'routes/settings/new-provider': byMember('/dashboard/settings/providers/new'),
  'routes/settings/office-data': byMember('/dashboard/settings/office'),
  'routes/settings/office-page': byMember('/dashboard/settings'),
  'routes/settings/outbox-page': byMember('/dashboard/settings/outbox'),
  'routes/settings/presence-policy': byMember('/dashboard/settings/presence'),
  'routes/settings/privacy-notice-page': byMember('/dashboard/settings/privacy'),
  'routes/settings/provider': byMember(
    ({ provider }) => `/dashboard/settings/providers/${provider}`,
  ),
  'routes/settings/second-factor-policy': byMember('/dashboard/settings/second-factor'),
  'routes/settings/server-signing-policy': byMember('/dashboard/settings/server-signing'),
  'routes/settings/session-length-policy': byMember('/dashboard/settings/session-length'),
  'routes/settings/timestamp-policy': byMember('/dashboard/settings/timestamps'),
  'routes/settings/upload-limit-policy': byMember('/dashboard/settings/upload-limit'),
  'routes/signing/batch/batch': byMember('/dashboard/signing/batch'),
  'routes/signing/batch/batch-without-scripts': byMember(
    '/dashboard/signing/batch/without-scripts',
  ),
  'routes/signing/guests/guest-batch': byGuest('/sign/batch'),
  'routes/signing/guests/guest-batch-without-scripts': byGuest('/sign/batch/without-scripts'),
  'routes/signing/guests/guest-document': byGuest(({ awaited }) => `/sign/documents/${awaited.id}`),
  'routes/signing/guests/guest-documents-page': byGuest('/sign/documents'),
  'routes/signing/guests/guest-privacy': byGuest('/sign/privacy'),
  'routes/signing/guests/guest-reject': byGuest('/sign/reject'),
  'routes/signing/guests/guest-without-scripts': byGuest(
    ({ awaited }) => `/sign/documents/${awaited.id}/without-scripts`,
  ),
  'routes/signing/guests/open-link': byAnybody('/sign'),
  'routes/signing/one/sign': byMember(({ awaited }) => `/dashboard/documents/${awaited.id}/sign`),
  'routes/signing/one/sign-with-token-page': byMember(
    ({ awaited }) => `/dashboard/documents/${awaited.id}/sign/token`,
  ),
  'routes/signing/one/sign-without-scripts': byMember(
    ({ awaited }) => `/dashboard/documents/${awaited.id}/sign/without-scripts`,
  ),
  'routes/signing/parties/list': byMember('/dashboard/signing/parties?text=iv%C3%A1n'),
  'routes/signing/parties/party': byMember(({ party }) => `/dashboard/signing/parties/${party}`),
  'routes/signing/presence/presence': {
    ...byMember(({ held: [first, ...others] }) => {
      const query = new URLSearchParams(others.map(({ id }) => ['document', id]))
      return `/dashboard/documents/${first?.id}/sign/presence?${query}`
    }),
    presence: 'required',
  },
  'routes/signing/sessions/list': byMember('/dashboard/signing'),
  'routes/signing/sessions/new': byMember('/dashboard/signing/new'),
  'routes/signing/sessions/session': byMember(({ session }) => `/dashboard/signing/${session}`),
  'routes/signing/sessions/signer-link': byMember(
    ({ session, externalSigner }) => `/dashboard/signing/${session}/links/${externalSigner}`,
  ),
  'routes/users/list': byMember('/dashboard/users'),
  'routes/users/new': byMember('/dashboard/users/new'),
  'routes/users/person': byMember(({ user }) => `/dashboard/users/${user}`),
  'step-up': byMember('/step-up'),
}

/** Pages that list nothing, in a state in which this office is not. */
const WITHOUT_ROWS = [
  'routes/auth/activate-installation-page',
  'routes/dashboard/not-found',
  'routes/documents/further-signing',
  'routes/mfa/challenge',
  'routes/mfa/setup-app',
  'routes/public/not-found',
  'routes/signing/guests/guest-acknowledge',
  'routes/signing/one/acknowledge',
  'routes/verification/upload-as-file',
  'step-up-and-resume',
  'upload-report-pdf',
  'upload-signed-revision',
]

let pages: Pages
beforeAll(async () => {
  pages = await readPages()
}, 240_000)

test('the table of visits names every page of the site map and no other', () => {
  expect([...Object.keys(VISITS), ...WITHOUT_ROWS].toSorted()).toEqual(pages.ids.toSorted())
})

onEachSystem(
  'queries of pages',
  (system) => {
    test('every page asks as many queries at 200 rows as at 10', { timeout: 240_000 }, async () => {
      await aLongLog(system())
      // The few first: authorities belong to no office.
      const few = await queriesAt(system(), 10)
      const many = await queriesAt(system(), 200)
      expect(many).toEqual(few)
    })
  },
  {
    pdf: { ...anyPdf, verify: async () => someReport },
    trust: {
      policy: async (at) => ({ anchors: [], candidates: [], at }),
      fingerprint: async () => 'none',
      builtIn: [],
    },
    tokens: { withTokens: () => Promise.reject(new Error('no token is plugged in')) },
  },
)

/**
 * Events before those of the offices, so that both use subtree roots in their proofs: a short log has none and
 * reads none.
 */
async function aLongLog({ db }: TestSystem): Promise<void> {
  await db.transaction(async (trx) => {
    for (let count = 0; count < 512; count += 1)
      await appendSystemEvent(trx, {
        by: 'test',
        at: MORNING,
        officeId: null,
        action: 'audit.exported',
        subject: { kind: 'nothing' },
        result: 'success',
        details: {},
      })
  })
}

/** How many queries each page asks in an office with so many rows of everything, by the id of its route. */
async function queriesAt(system: TestSystem, rows: number): Promise<Record<string, number>> {
  const office = await aFullOffice(system, rows)
  const { db, take } = counted(system.db)
  const counts: Record<string, number> = {}
  for (const [id, { as, to, presence = 'none' }] of Object.entries(VISITS)) {
    await system.db.transaction((trx) => replaceOffice(trx, { ...office.office, presence }))
    const address = typeof to === 'string' ? to : to(office)
    take()
    const shown = await pages.load({ ...system, db }, address, as && office[as])
    counts[id] = take()
    expect(shown, address).toBe(id)
  }
  return counts
}
