import type { PresencePolicy } from '#server/domain/identity/office.ts'
import type { FullOffice } from './office/full-office.ts'

/** A visit of one page of the site map in the office of `aFullOffice`. */
export type Visit = {
  as?: 'member' | 'guest'
  to: string | ((office: FullOffice) => string)
  /** The policies of the office; none if absent. */
  presence?: PresencePolicy
}

const byMember = (to: Visit['to']): Visit => ({ as: 'member', to })
const byGuest = (to: Visit['to']): Visit => ({ as: 'guest', to })
const byAnybody = (to: Visit['to']): Visit => ({ to })

/** How each page of the site map is visited, by the id of its route. */
export const VISITS: Record<string, Visit> = {
  'routes/alerts/list': byMember('/dashboard/alerts'),
  'routes/reports/list': byMember('/dashboard/reports'),
  'routes/reports/report': byMember('/dashboard/reports/documents'),
  'routes/reports/files': byMember('/dashboard/reports/files'),
  'routes/reports/instruments': byMember('/dashboard/reports/instruments'),
  'routes/care/arco/list': byMember('/dashboard/arco'),
  'routes/care/arco/new-request': byMember('/dashboard/arco/new'),
  'routes/care/arco/request': byMember(({ arco }) => `/dashboard/arco/${arco}`),
  'routes/settings/care/arco-terms-page': byMember('/dashboard/settings/arco'),
  'routes/care/retention/list': byMember('/dashboard/retention'),
  'routes/care/retention/item': byMember(({ retained }) => `/dashboard/retention/${retained}`),
  'routes/settings/care/retention-page': byMember('/dashboard/settings/retention'),
  'routes/care/consents': byMember('/dashboard/consents'),
  'routes/public/privacy-page': byAnybody(({ office }) => `/privacy/${office.id}`),
  'routes/search/search': byMember('/dashboard/search?text=poder'),
  'routes/audit/list': byMember('/dashboard/audit'),
  'routes/auth/activate': byAnybody('/activate'),
  'routes/auth/change-password-page': byMember('/change-password'),
  'routes/auth/login': byAnybody('/login'),
  'routes/certificates/list': byMember('/dashboard/certificates'),
  'routes/certificates/new': byMember('/dashboard/certificates/new'),
  'routes/certificates/file/file': byMember('/dashboard/certificates/file'),
  'routes/certificates/detail': byMember(
    ({ certificate }) => `/dashboard/certificates/${certificate}`,
  ),
  'routes/certificates/keys/list': byMember('/dashboard/certificates/keys'),
  'routes/certificates/keys/new': byMember('/dashboard/certificates/keys/new'),
  'routes/certificates/keys/key': byMember(
    ({ yubikey }) => `/dashboard/certificates/keys/${yubikey}`,
  ),
  'routes/certificates/keys/attestation': byMember(
    ({ yubikey }) => `/dashboard/certificates/keys/${yubikey}/attestation`,
  ),
  'routes/certificates/keys/receipt': byMember(
    ({ yubikey }) => `/dashboard/certificates/keys/${yubikey}/receipts/2`,
  ),
  'routes/certificates/keys/makers': byMember('/dashboard/certificates/keys/makers'),
  'routes/certificates/keys/new-maker': byMember('/dashboard/certificates/keys/makers/new'),
  'routes/dashboard/overview': byMember('/dashboard'),
  'routes/documents/cancel': byMember(({ draft }) => `/dashboard/documents/${draft}/cancel`),
  'routes/documents/chosen/cancel-several': byMember(
    ({ draft }) => `/dashboard/documents/cancel?document=${draft}`,
  ),
  'routes/documents/detail': byMember(({ signed }) => `/dashboard/documents/${signed.id}`),
  'routes/documents/checklist/checklist': byMember(
    ({ draft }) => `/dashboard/documents/${draft}/checklist`,
  ),
  'routes/obligations/list': byMember('/dashboard/obligations'),
  'routes/obligations/deadline': byMember(({ deadline }) => `/dashboard/obligations/${deadline}`),
  'routes/documents/numbers/list': byMember('/dashboard/documents/numbers'),
  'routes/documents/numbers/number': byMember(
    ({ number }) => `/dashboard/documents/numbers/${number}`,
  ),
  'routes/documents/numbers/take': byMember(({ draft }) => `/dashboard/documents/${draft}/number`),
  'routes/documents/purge': byMember(({ draft }) => `/dashboard/documents/${draft}/purge`),
  'routes/documents/copies/list': byMember(
    ({ signed }) => `/dashboard/documents/${signed.id}/copies`,
  ),
  'routes/documents/copies/new-copy': byMember(
    ({ signed }) => `/dashboard/documents/${signed.id}/copies/new`,
  ),
  'routes/documents/copies/cancel-copy': byMember(
    ({ signed, copy }) => `/dashboard/documents/${signed.id}/copies/${copy}/cancel`,
  ),
  'routes/documents/history': byMember(({ signed }) => `/dashboard/documents/${signed.id}/history`),
  'routes/documents/versions/versions': byMember(
    ({ signed }) => `/dashboard/documents/${signed.id}/versions?from=1&to=2`,
  ),
  'routes/documents/versions/replace': byMember(
    ({ draft }) => `/dashboard/documents/${draft}/replace`,
  ),
  'routes/documents/edit-page': byMember(({ draft }) => `/dashboard/documents/${draft}/edit`),
  'routes/documents/stamp/stamp-page': byMember(
    ({ arrived }) => `/dashboard/documents/${arrived}/stamp`,
  ),
  'routes/documents/list': byMember('/dashboard/documents'),
  'routes/documents/views/views-page': byMember('/dashboard/documents/views?kind=will'),
  'routes/documents/new': byMember('/dashboard/documents/new'),
  'routes/mfa/backup-codes': byMember('/setup-mfa/backup-codes'),
  'routes/mfa/setup': byMember('/setup-mfa'),
  'routes/mfa/setup-key': byMember('/setup-mfa/key'),
  'routes/profile/access-tokens-page': byMember('/dashboard/profile/tokens'),
  'routes/profile/calendar-page': byMember('/dashboard/profile/calendar'),
  'routes/profile/accounts-page': byMember('/dashboard/profile/offices'),
  'routes/profile/alert-mail-page': byMember('/dashboard/profile/alerts'),
  'routes/profile/authenticator': byMember('/dashboard/profile/authenticator'),
  'routes/profile/backup-codes': byMember('/dashboard/profile/backup-codes'),
  'routes/profile/own': byMember('/dashboard/profile'),
  'routes/profile/security-key': byMember(({ key }) => `/dashboard/profile/keys/${key}`),
  'routes/public/home': byAnybody('/'),
  'routes/verification/upload-verdict': byMember(
    ({ awaited }) => `/dashboard/documents/${awaited.id}/verdict`,
  ),
  'guest-upload-verdict': byGuest(({ awaited }) => `/sign/documents/${awaited.id}/verdict`),
  'routes/reader/page-text-page': byMember(
    ({ awaited }) => `/dashboard/documents/${awaited.id}/text?version=${awaited.version}`,
  ),
  'guest-page-text': byGuest(
    ({ awaited }) => `/sign/documents/${awaited.id}/text?version=${awaited.version}`,
  ),
  'routes/verification/verify': byAnybody(({ signed }) => `/verify/${signed.id}`),
  'routes/verification/pages/public-pages': byAnybody(({ signed }) => `/verify/${signed.id}/pages`),
  'routes/verification/verify-document': byAnybody('/verify/document'),
  'routes/settings/acts/list': byMember('/dashboard/settings/acts'),
  'routes/settings/acts/new-act': byMember('/dashboard/settings/acts/new'),
  'routes/settings/acts/act': byMember(({ act }) => `/dashboard/settings/acts/${act}`),
  'routes/settings/obligations/list': byMember('/dashboard/settings/obligations'),
  'routes/settings/obligations/new': byMember('/dashboard/settings/obligations/new'),
  'routes/settings/obligations/non-working-days-page': byMember(
    '/dashboard/settings/obligations/days',
  ),
  'routes/settings/obligations/obligation': byMember(
    ({ obligation }) => `/dashboard/settings/obligations/${obligation}`,
  ),
  'routes/settings/checklists/list': byMember('/dashboard/settings/checklists'),
  'routes/settings/checklists/act-list': byMember(
    ({ act }) => `/dashboard/settings/checklists/${act}`,
  ),
  'routes/settings/numbers/list': byMember('/dashboard/settings/numbers'),
  'routes/settings/numbers/series': byMember(
    ({ series }) => `/dashboard/settings/numbers/${series}`,
  ),
  'routes/settings/authority': byMember(
    ({ authority }) => `/dashboard/settings/authorities/${authority}`,
  ),
  'routes/settings/constancia-policy': byMember('/dashboard/settings/constancias'),
  'routes/settings/reminder-policy': byMember('/dashboard/settings/reminders'),
  'routes/settings/report-schedule': byMember('/dashboard/settings/reports'),
  'routes/settings/idle-policy': byMember('/dashboard/settings/idle'),
  'routes/settings/import-authorities-page': byMember('/dashboard/settings/authorities/new'),
  'routes/settings/outbox/mail': byMember(({ mail }) => `/dashboard/settings/outbox/${mail}`),
  'routes/settings/new-provider': byMember('/dashboard/settings/providers/new'),
  'routes/settings/office-data': byMember('/dashboard/settings/office'),
  'routes/settings/office-page': byMember('/dashboard/settings'),
  'routes/settings/trust/authorities': byMember('/dashboard/settings/authorities'),
  'routes/settings/trust/providers': byMember('/dashboard/settings/providers'),
  'routes/settings/outbox/outbox-page': byMember('/dashboard/settings/outbox'),
  'routes/settings/mail/mail-server-page': byMember('/dashboard/settings/mail'),
  'routes/settings/policies/public-page': byMember('/dashboard/settings/public-page'),
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
  'routes/signing/new/new': byMember('/dashboard/signing/new'),
  'routes/signing/sessions/session': byMember(({ session }) => `/dashboard/signing/${session}`),
  'routes/signing/review/review': byMember(
    ({ draftSession }) => `/dashboard/signing/${draftSession}/review`,
  ),
  'routes/signing/sessions/signer-link': byMember(
    ({ session, externalSigner }) => `/dashboard/signing/${session}/links/${externalSigner}`,
  ),
  'routes/users/list': byMember('/dashboard/users'),
  'routes/users/new': byMember('/dashboard/users/new'),
  'routes/users/capacity/capacity': byMember(({ user }) => `/dashboard/users/${user}/capacity`),
  'routes/users/person': byMember(({ user }) => `/dashboard/users/${user}`),
  'step-up': byMember('/step-up'),
}

/** Pages that list nothing, in a state in which this office is not. */
export const WITHOUT_ROWS = [
  'routes/auth/activate-installation-page',
  'routes/dashboard/not-found',
  'routes/documents/further-signing',
  'routes/mfa/challenge',
  'routes/mfa/setup-app',
  'routes/public/not-found',
  'routes/settings/roles/roles',
  'routes/signing/guests/guest-acknowledge',
  'routes/signing/one/acknowledge',
  'routes/verification/upload-as-file',
  'step-up-and-resume',
  'upload-report-pdf',
  'upload-signed-revision',
]

/** The path and query of a visit. */
export const addressOf = ({ to }: Visit, office: FullOffice) =>
  typeof to === 'string' ? to : to(office)
