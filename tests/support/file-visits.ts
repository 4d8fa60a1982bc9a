import { ReportKind } from '#server/domain/reports/report-kind.ts'
import type { Visit } from './visits.ts'

const byMember = (to: Visit['to']): Visit => ({ as: 'member', to })

const CALLS = ['auth/health', 'auth/session', 'auth/sessions', 'auth/webauthn/credentials']

/** How the routes that answer a GET without a page are visited, by their ids. */
export const FILES: Record<string, readonly Visit[]> = {
  'routes/reports/file': ReportKind.options.flatMap((kind) =>
    ['csv', 'xlsx'].map((format) => byMember(`/dashboard/reports/${kind}/file?as=${format}`)),
  ),
  'routes/audit/export': ['csv', 'jsonl'].map((format) =>
    byMember(`/dashboard/audit/bitacora.${format}`),
  ),
  'routes/audit/checkpoint': [byMember('/dashboard/audit/punto-de-control.txt')],
  'routes/audit/new-events': [byMember('/dashboard/audit/nuevos?after=0')],
  'routes/care/consents-file': [byMember('/dashboard/consents.csv')],
  'routes/documents/numbers/export': [
    byMember(({ series }) => `/dashboard/documents/numbers.csv?series=${series}`),
  ],
  'routes/documents/chosen/zip': [
    byMember(({ draft }) => `/dashboard/documents/chosen.zip?document=${draft}`),
  ],
  'routes/documents/download': [
    byMember(({ draft }) => `/dashboard/documents/${draft}/download/1`),
  ],
  'guest-download': [
    { as: 'guest', to: ({ awaited }) => `/sign/documents/${awaited.id}/download/1` },
  ],
  'routes/certificates/download': [
    byMember(({ certificate }) => `/dashboard/certificates/${certificate}/download`),
  ],
  'routes/documents/exported-presence': [
    byMember(({ signed }) => `/dashboard/documents/${signed.id}/presence.json`),
  ],
  'routes/verification/log-proof': [{ to: ({ signed }) => `/verify/${signed.id}/log.tlog-proof` }],
  'routes/verification/report': [{ to: ({ signed }) => `/verify/${signed.id}/report.json` }],
  'routes/api/call': CALLS.map((call) => byMember(`/api/v1/${call}`)),
}

/** Made by a job, or at a secret address: what they hold is asked for where they are made. */
export const MADE_APART = [
  'routes/reports/run-file',
  'routes/care/arco/package-file',
  'routes/obligations/feed',
]

/** Of one thing that their address names, and of nothing else: tests/security/matrix asks for those of another office. */
export const OF_ONE_THING = [
  'guest-page-picture',
  'report-pdf',
  'routes/documents/constancia-file',
  'routes/documents/evidence',
  'routes/documents/page-picture',
  'routes/documents/signed-revision',
  'routes/signing/review/sheet-picture',
  'routes/users/capacity/document',
  'routes/verification/evidence-package',
  'routes/verification/pages/public-page-picture',
]

/** Take forms and calls; a GET gets nothing but a refusal, or what one just made oneself. */
export const WITHOUT_FILE = [
  'guest-complete',
  'guest-picture-consent',
  'guest-prepare',
  'routes/auth/keep-form',
  'routes/auth/logout',
  'routes/auth/password-strength',
  'routes/dashboard/undo',
  'routes/documents/picture-consent',
  'routes/documents/public-lookup',
  'routes/documents/public-pictures',
  'routes/documents/request-constancia',
  'routes/documents/unfinished-upload',
  'routes/documents/uploads/begin',
  'routes/documents/uploads/discard',
  'routes/documents/uploads/finish',
  'routes/documents/uploads/part',
  'routes/mfa/backup-codes-text',
  'routes/profile/other-sessions',
  'routes/profile/theme',
  'routes/signing/guests/reject-call',
  'routes/signing/one/complete',
  'routes/signing/one/prepare',
  'routes/signing/presence/begin-presence',
  'routes/verification/registered',
]
