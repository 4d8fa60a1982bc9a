import type { Asked, ReadableRoute, Rule } from './request.ts'
import type { ActorName, Things } from './world.ts'

type To = string | ((things: Things) => string)

const page = (rule: Rule, to: To, done: Asked['done'] = 200): Asked => ({
  ...{ rule, to, done },
  whose: typeof to === 'string' ? 'own' : 'office',
})
const open = (to: To, done?: Asked['done']) => page('open', to, done)
const ofLink = (to: To, done?: Asked['done']) => page('link', to, done)
const ofGuest = (to: To, done?: Asked['done']) => page('guest', to, done)

/** A person with a session is sent on from the pages of sign-in. */
const PERSONS: readonly ActorName[] = [
  ...(['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR', 'foreigner'] as const),
  ...(['stale', 'with-password-duty', 'without-factor'] as const),
]
const whileSignedOut =
  (done: number, other = done) =>
  (actor: ActorName) => {
    if (PERSONS.includes(actor)) return 302
    return actor === 'between-factors' ? other : done
  }

const NO_UPLOAD = '00000000-0000-4000-8000-000000000000'

/** What each route answers to a GET. */
export const PAGES: Record<ReadableRoute, Asked> = {
  'routes/public/home': open('/'),
  'routes/public/privacy-page': open(({ officeId }) => `/privacy/${officeId}`),
  'routes/verification/verify-document': open('/verify/document'),
  'routes/verification/upload-as-file': open('/verify/document/report.json', 302),
  'upload-report-pdf': open('/verify/document/report.pdf', 302),
  'upload-signed-revision': open('/verify/document/signed.pdf', 302),
  'routes/verification/verify': open(({ signed }) => `/verify/${signed}`),
  // The pages of a document are not shown until a notary decides it.
  'routes/verification/pages/public-pages': open(({ signed }) => `/verify/${signed}/pages`, 404),
  'routes/verification/pages/public-page-picture': open(
    ({ signed }) => `/verify/${signed}/pages/1.png?width=640`,
    404,
  ),
  'routes/public/not-found': open('/no-such-page', 404),
  'routes/verification/registered': open('/verify/document/registered', 405),
  'routes/verification/log-proof': open(({ signed }) => `/verify/${signed}/log.tlog-proof`),
  'routes/verification/report': open(({ signed }) => `/verify/${signed}/report.json`),
  'report-pdf': open(({ signed }) => `/verify/${signed}/report.pdf`),
  'routes/signing/one/prepare': open(
    ({ awaited }) => `/dashboard/documents/${awaited}/sign/prepare`,
    405,
  ),
  'routes/signing/one/complete': open(
    ({ awaited }) => `/dashboard/documents/${awaited}/sign/complete`,
    405,
  ),
  'routes/documents/uploads/begin': open('/dashboard/documents/uploads', 405),
  'routes/documents/uploads/part': open(`/dashboard/documents/uploads/${NO_UPLOAD}/parts/0`, 405),
  'routes/documents/uploads/finish': open(`/dashboard/documents/uploads/${NO_UPLOAD}/finish`, 405),
  'routes/documents/uploads/discard': open(
    `/dashboard/documents/uploads/${NO_UPLOAD}/discard`,
    405,
  ),
  'routes/signing/presence/begin-presence': open('/dashboard/signing/presence/begin', 405),
  'guest-prepare': open(({ awaited }) => `/sign/documents/${awaited}/prepare`, 405),
  'guest-complete': open(({ awaited }) => `/sign/documents/${awaited}/complete`, 405),
  'routes/signing/guests/reject-call': open('/sign/reject/efirma', 405),
  'routes/signing/guests/open-link': open('/sign'),
  'routes/signing/guests/guest-documents-page': ofLink('/sign/documents'),
  'routes/signing/guests/guest-document': ofLink(({ awaited }) => `/sign/documents/${awaited}`),
  'routes/signing/guests/guest-without-scripts': ofGuest(
    ({ awaited }) => `/sign/documents/${awaited}/without-scripts`,
  ),
  'routes/signing/guests/guest-acknowledge': ofGuest(
    ({ awaited }) => `/sign/documents/${awaited}/acknowledge`,
    303,
  ),
  'guest-upload-verdict': ofLink(({ awaited }) => `/sign/documents/${awaited}/verdict`),
  'guest-page-text': ofLink(({ awaited }) => `/sign/documents/${awaited}/text?version=1`),
  'routes/signing/guests/guest-batch': ofGuest('/sign/batch'),
  'routes/signing/guests/guest-batch-without-scripts': ofGuest('/sign/batch/without-scripts'),
  'routes/signing/guests/guest-reject': ofGuest('/sign/reject'),
  'routes/signing/guests/guest-privacy': ofLink('/sign/privacy'),
  'guest-page-picture': ofLink(({ awaited }) => `/sign/documents/${awaited}/pages/1.png?version=1`),
  'guest-download': ofLink(({ awaited }) => `/sign/documents/${awaited}/download/1`),
  // Only leads to the page of the document, whatever its id is.
  'guest-picture-consent': {
    ...ofGuest(({ awaited }) => `/sign/documents/${awaited}/picture-consent`, 302),
    whose: 'own',
  },
  'routes/api/call': open('/api/v1/auth/health'),
  'routes/auth/login': open('/login', whileSignedOut(200)),
  'routes/mfa/challenge': open('/mfa', whileSignedOut(303, 200)),
  'routes/auth/activate': open('/activate'),
  'routes/auth/activate-installation-page': open('/activate/installation', 302),
  'routes/auth/password-strength': open('/password-strength', 405),
  'routes/auth/keep-form': open('/keep-form', 405),
  'routes/auth/change-password-page': page('person', '/change-password'),
  'routes/mfa/setup': page('factors.read-own', '/setup-mfa'),
  'routes/mfa/setup-key': page('factors.manage-own', '/setup-mfa/key'),
  'routes/mfa/setup-app': page('factors.manage-own', '/setup-mfa/app', 302),
  'routes/mfa/backup-codes': page('person', '/setup-mfa/backup-codes'),
  'routes/mfa/backup-codes-text': page('person', '/setup-mfa/backup-codes.txt', 302),
  'step-up': page('identity.prove-own', '/step-up'),
  'step-up-and-resume': {
    ...page('identity.prove-own', ''),
    to: (_, { own }) => `/step-up/${own.kept}`,
  },
  'routes/auth/logout': open('/logout', 302),
  'routes/profile/theme': open('/theme', 302),
  'routes/dashboard/overview': page('document.read', '/dashboard'),
  'routes/documents/list': page('document.read', '/dashboard/documents'),
  'routes/documents/new': page('document.upload', '/dashboard/documents/new'),
  'routes/documents/detail': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}`,
  ),
  'routes/documents/views/views-page': page(
    'document.read',
    '/dashboard/documents/views?kind=will',
  ),
  'routes/documents/purge': page(
    'document.purge',
    ({ mistake }) => `/dashboard/documents/${mistake}/purge`,
  ),
  'routes/documents/copies/list': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/copies`,
  ),
  'routes/documents/copies/new-copy': page(
    'document.record-copy',
    ({ signed }) => `/dashboard/documents/${signed}/copies/new`,
  ),
  'routes/documents/copies/cancel-copy': page(
    'document.cancel-copy',
    ({ signed, copy }) => `/dashboard/documents/${signed}/copies/${copy}/cancel`,
  ),
  'routes/documents/history': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/history`,
  ),
  'routes/documents/versions/versions': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/versions?from=1&to=2`,
  ),
  'routes/documents/versions/replace': page(
    'document.replace-file',
    ({ draft }) => `/dashboard/documents/${draft}/replace`,
  ),
  'routes/documents/edit-page': page(
    'document.describe',
    ({ draft }) => `/dashboard/documents/${draft}/edit`,
  ),
  'routes/documents/checklist/checklist': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/checklist`,
  ),
  'routes/documents/numbers/list': page('numbers.read', '/dashboard/documents/numbers'),
  'routes/documents/numbers/number': page(
    'numbers.read',
    ({ reservedNumber }) => `/dashboard/documents/numbers/${reservedNumber}`,
  ),
  'routes/documents/numbers/export': page(
    'numbers.read',
    ({ series }) => `/dashboard/documents/numbers.csv?series=${series}`,
  ),
  'routes/documents/numbers/take': page(
    'document.describe',
    ({ draft }) => `/dashboard/documents/${draft}/number`,
  ),
  // The draft gets a sheet.
  'routes/documents/stamp/stamp-page': page(
    'document.place-stamp',
    ({ draft }) => `/dashboard/documents/${draft}/stamp`,
    409,
  ),
  'routes/documents/cancel': page(
    'document.cancel',
    ({ draft }) => `/dashboard/documents/${draft}/cancel`,
  ),
  'routes/documents/chosen/cancel-several': page(
    'document.withdraw-own',
    ({ draft }) => `/dashboard/documents/cancel?document=${draft}`,
  ),
  'routes/documents/chosen/zip': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/chosen.zip?document=${draft}`,
  ),
  'routes/documents/further-signing': page(
    'signing-sessions.manage',
    ({ signed }) => `/dashboard/documents/${signed}/further-signing`,
  ),
  'routes/verification/upload-verdict': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/verdict`,
  ),
  'routes/reader/page-text-page': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/text?version=1`,
  ),
  'routes/signing/one/sign': page(
    'document.sign',
    ({ draft }) => `/dashboard/documents/${draft}/sign`,
  ),
  'routes/signing/one/acknowledge': page(
    'document.sign-in-session',
    ({ awaited }) => `/dashboard/documents/${awaited}/sign/acknowledge`,
    303,
  ),
  // The server of the matrix has no token.
  'routes/signing/one/sign-with-token-page': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/sign/token`,
    404,
  ),
  'routes/signing/one/sign-without-scripts': page(
    'document.sign',
    ({ draft }) => `/dashboard/documents/${draft}/sign/without-scripts`,
  ),
  'routes/signing/presence/presence': page(
    'document.sign-in-session',
    ({ awaited }) => `/dashboard/documents/${awaited}/sign/presence`,
    302,
  ),
  'routes/signing/batch/batch': page('signing-sessions.read', '/dashboard/signing/batch'),
  'routes/signing/batch/batch-without-scripts': page(
    'signing-sessions.read',
    '/dashboard/signing/batch/without-scripts',
  ),
  'routes/signing/sessions/list': page('signing-sessions.read', '/dashboard/signing'),
  'routes/signing/new/new': page('signing-sessions.manage', '/dashboard/signing/new'),
  'routes/signing/parties/list': page('signing-sessions.manage', '/dashboard/signing/parties'),
  'routes/signing/parties/party': page(
    'signing-sessions.manage',
    ({ party }) => `/dashboard/signing/parties/${party}`,
  ),
  'routes/signing/sessions/session': page(
    'signing-sessions.read',
    ({ openSession }) => `/dashboard/signing/${openSession}`,
  ),
  'routes/signing/review/review': page(
    'signing-sessions.manage',
    ({ draftSession }) => `/dashboard/signing/${draftSession}/review`,
  ),
  'routes/signing/review/sheet-picture': page(
    'signing-sessions.manage',
    ({ draftSession, ofDraft }) => `/dashboard/signing/${draftSession}/sheets/${ofDraft}/1.png`,
  ),
  'routes/signing/sessions/signer-link': page(
    'signing-sessions.manage',
    ({ openSession, linkedSigner }) => `/dashboard/signing/${openSession}/links/${linkedSigner}`,
  ),
  'routes/certificates/list': page('certificates.read', '/dashboard/certificates'),
  'routes/certificates/new': page('person', '/dashboard/certificates/new'),
  'routes/certificates/file/file': page('person', '/dashboard/certificates/file'),
  'routes/certificates/detail': page(
    'certificates.read',
    ({ certificate }) => `/dashboard/certificates/${certificate}`,
  ),
  // It is the notary's, and holds personal data.
  'routes/certificates/download': page(
    'users.read',
    ({ certificate }) => `/dashboard/certificates/${certificate}/download`,
  ),
  'routes/certificates/keys/list': page('yubikeys.read-own', '/dashboard/certificates/keys'),
  'routes/certificates/keys/new': page('yubikeys.manage', '/dashboard/certificates/keys/new'),
  'routes/certificates/keys/key': page(
    'yubikeys.read',
    ({ heldYubikey }) => `/dashboard/certificates/keys/${heldYubikey}`,
  ),
  'routes/certificates/keys/attestation': page(
    'yubikeys.manage',
    ({ yubikey }) => `/dashboard/certificates/keys/${yubikey}/attestation`,
  ),
  'routes/certificates/keys/receipt': page(
    'yubikeys.read',
    ({ heldYubikey }) => `/dashboard/certificates/keys/${heldYubikey}/receipts/2`,
  ),
  'routes/certificates/keys/makers': page('yubikeys.read', '/dashboard/certificates/keys/makers'),
  'routes/certificates/keys/new-maker': page(
    'yubikeys.manage',
    '/dashboard/certificates/keys/makers/new',
  ),
  'routes/users/list': page('users.read-names', '/dashboard/users'),
  // The guard asks for the role; its form steps up, so that nothing typed is lost.
  'routes/users/new': page('person', '/dashboard/users/new'),
  'routes/users/capacity/capacity': page(
    'users.read',
    ({ user }) => `/dashboard/users/${user}/capacity`,
  ),
  // Of no document of any actor.
  'routes/users/capacity/document': page(
    'users.read',
    ({ user }) => `/dashboard/users/${user}/capacity/${NO_UPLOAD}`,
    404,
  ),
  'routes/users/person': page('users.read', ({ user }) => `/dashboard/users/${user}`),
  'routes/alerts/list': page('alerts.read', '/dashboard/alerts'),
  'routes/obligations/feed': open(`/calendar/${NO_UPLOAD}.ics`, 404),
  'routes/obligations/list': page('obligations.read', '/dashboard/obligations'),
  'routes/obligations/deadline': page(
    'obligations.read',
    ({ deadline }) => `/dashboard/obligations/${deadline}`,
  ),
  'routes/settings/obligations/list': page('obligations.read', '/dashboard/settings/obligations'),
  'routes/settings/obligations/non-working-days-page': page(
    'obligations.read',
    '/dashboard/settings/obligations/days',
  ),
  'routes/settings/obligations/new': page(
    'obligations.manage',
    '/dashboard/settings/obligations/new',
  ),
  'routes/settings/obligations/obligation': page(
    'obligations.manage',
    ({ obligation }) => `/dashboard/settings/obligations/${obligation}`,
  ),
  'routes/reports/list': page('reports.read', '/dashboard/reports'),
  'routes/reports/report': page('reports.read-people', '/dashboard/reports/activity'),
  'routes/reports/files': page('reports.read', '/dashboard/reports/files'),
  // Of no report of any actor.
  'routes/reports/run-file': page('reports.read', `/dashboard/reports/files/${NO_UPLOAD}`, 404),
  'routes/reports/file': page('reports.read-people', '/dashboard/reports/accesses/file?as=csv'),
  'routes/reports/instruments': page('reports.read', '/dashboard/reports/instruments'),
  'routes/care/consents': page('consents.read', '/dashboard/consents'),
  'routes/care/consents-file': page('consents.read', '/dashboard/consents.csv'),
  'routes/care/retention/list': page('retention.read', '/dashboard/retention'),
  'routes/care/retention/item': page(
    'retention.read',
    ({ retained }) => `/dashboard/retention/${retained}`,
  ),
  'routes/care/arco/list': page('arco.read', '/dashboard/arco'),
  'routes/care/arco/new-request': page('arco.record', '/dashboard/arco/new'),
  'routes/care/arco/request': page('arco.read', ({ arco }) => `/dashboard/arco/${arco}`),
  // It was not asked for.
  'routes/care/arco/package-file': page(
    'arco.answer',
    ({ arco }) => `/dashboard/arco/${arco}/data.zip`,
    404,
  ),
  'routes/search/search': page('document.read', '/dashboard/search'),
  'routes/audit/list': page('audit.read-own', '/dashboard/audit'),
  'routes/settings/office-page': page('office.read', '/dashboard/settings'),
  'routes/settings/roles/roles': page('office.read', '/dashboard/settings/roles'),
  'routes/settings/trust/authorities': page('office.read', '/dashboard/settings/authorities'),
  'routes/settings/trust/providers': page('office.read', '/dashboard/settings/providers'),
  'routes/settings/outbox/outbox-page': page('mail.read', '/dashboard/settings/outbox'),
  'routes/settings/outbox/mail': page(
    'mail.read',
    ({ mail }) => `/dashboard/settings/outbox/${mail}`,
  ),
  'routes/settings/import-authorities-page': page(
    'office.manage',
    '/dashboard/settings/authorities/new',
  ),
  // Authorities belong to the installation, so that an administrator of any office sees them.
  'routes/settings/authority': {
    ...page('office.read', ''),
    to: ({ offered }) => `/dashboard/settings/authorities/${offered}`,
  },
  'routes/settings/checklists/list': page('office.read', '/dashboard/settings/checklists'),
  'routes/settings/checklists/act-list': page(
    'checklists.manage',
    ({ act }) => `/dashboard/settings/checklists/${act}`,
  ),
  'routes/settings/numbers/list': page('numbers.read', '/dashboard/settings/numbers'),
  'routes/settings/numbers/series': page(
    'numbers.read',
    ({ series }) => `/dashboard/settings/numbers/${series}`,
  ),
  'routes/settings/acts/list': page('office.read', '/dashboard/settings/acts'),
  'routes/settings/acts/new-act': page('office.read', '/dashboard/settings/acts/new'),
  'routes/settings/acts/act': page('office.read', ({ act }) => `/dashboard/settings/acts/${act}`),
  'routes/settings/new-provider': page('office.manage', '/dashboard/settings/providers/new'),
  'routes/settings/provider': page(
    'office.read',
    ({ provider }) => `/dashboard/settings/providers/${provider}`,
  ),
  'routes/settings/office-data': page('office.manage', '/dashboard/settings/office'),
  'routes/settings/timestamp-policy': page('office.read', '/dashboard/settings/timestamps'),
  'routes/settings/constancia-policy': page('office.read', '/dashboard/settings/constancias'),
  'routes/settings/care/retention-page': page('office.read', '/dashboard/settings/retention'),
  'routes/settings/care/arco-terms-page': page('office.read', '/dashboard/settings/arco'),
  'routes/settings/privacy-notice-page': page('office.manage', '/dashboard/settings/privacy'),
  'routes/settings/mail/mail-server-page': page('mail.manage', '/dashboard/settings/mail'),
  'routes/settings/policies/public-page': page('office.read', '/dashboard/settings/public-page'),
  'routes/settings/presence-policy': page('office.read', '/dashboard/settings/presence'),
  'routes/settings/server-signing-policy': page(
    'office.read',
    '/dashboard/settings/server-signing',
  ),
  'routes/settings/second-factor-policy': page('office.read', '/dashboard/settings/second-factor'),
  'routes/settings/upload-limit-policy': page('office.read', '/dashboard/settings/upload-limit'),
  'routes/settings/reminder-policy': page('office.read', '/dashboard/settings/reminders'),
  'routes/settings/report-schedule': page('office.read', '/dashboard/settings/reports'),
  'routes/settings/idle-policy': page('office.read', '/dashboard/settings/idle'),
  'routes/settings/session-length-policy': page(
    'office.read',
    '/dashboard/settings/session-length',
  ),
  'routes/profile/own': page('sessions.read-own', '/dashboard/profile'),
  'routes/profile/security-key': {
    ...page('factors.read-own', ''),
    to: (_, { own }) => `/dashboard/profile/keys/${own.key}`,
  },
  'routes/profile/authenticator': page('factors.read-own', '/dashboard/profile/authenticator'),
  'routes/profile/alert-mail-page': page('alerts.manage-own', '/dashboard/profile/alerts'),
  'routes/profile/calendar-page': page('calendar-feed.read-own', '/dashboard/profile/calendar'),
  'routes/profile/accounts-page': page('accounts.link-own', '/dashboard/profile/offices'),
  'routes/profile/access-tokens-page': page('access-tokens.read-own', '/dashboard/profile/tokens'),
  'routes/profile/backup-codes': page('factors.read-own', '/dashboard/profile/backup-codes'),
  'routes/dashboard/not-found': page('office.read', '/dashboard/no-such-page', 404),
  'routes/profile/other-sessions': page('person', '/dashboard/profile/other-sessions', 302),
  'routes/dashboard/undo': page('person', '/dashboard/undo', 302),
  'routes/audit/checkpoint': page('audit.read', '/dashboard/audit/punto-de-control.txt'),
  'routes/audit/new-events': page('audit.read-own', '/dashboard/audit/nuevos?after=0'),
  'routes/audit/export': page('audit.read', '/dashboard/audit/bitacora.csv'),
  'routes/documents/page-picture': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/pages/1.png?version=1`,
  ),
  'routes/documents/download': page(
    'document.read',
    ({ draft }) => `/dashboard/documents/${draft}/download/1`,
  ),
  'routes/documents/evidence': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/evidence.pdf`,
  ),
  'routes/documents/exported-presence': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/presence.json`,
  ),
  'routes/documents/signed-revision': page(
    'document.read',
    ({ signed }) => `/dashboard/documents/${signed}/revision/1.pdf`,
  ),
  'routes/documents/unfinished-upload': page(
    'person',
    `/dashboard/documents/unfinished/${NO_UPLOAD}`,
    302,
  ),
  'routes/documents/public-lookup': page(
    'person',
    ({ signed }) => `/dashboard/documents/${signed}/public-lookup`,
    302,
  ),
  'routes/documents/public-pictures': page(
    'person',
    ({ signed }) => `/dashboard/documents/${signed}/public-pictures`,
    302,
  ),
  'routes/documents/picture-consent': page(
    'person',
    ({ awaited }) => `/dashboard/documents/${awaited}/picture-consent`,
    302,
  ),
  'routes/documents/request-constancia': page(
    'person',
    ({ signed }) => `/dashboard/documents/${signed}/constancia`,
    302,
  ),
  'routes/documents/constancia-file': page(
    'document.read',
    ({ signed, signedVersion }) =>
      `/dashboard/documents/${signed}/constancia/${signedVersion}.asn1`,
    404,
  ),
  'routes/verification/evidence-package': page(
    'document.export-evidence',
    ({ signed }) => `/dashboard/documents/${signed}/evidence.zip`,
  ),
}
