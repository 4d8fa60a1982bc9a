import type { SessionForm } from '#app/routes/signing/sessions/session-forms.ts'
import { fileForm, form, ownForm, REASON } from './asked-form.ts'
import type { Asked } from './request.ts'
import type { Things } from './world.ts'

const SIGNATURE = Buffer.alloc(256, 1).toString('base64')
const CERTIFICATE = Buffer.from('no certificate').toString('base64')
const PREPARED = '00000000-0000-4000-8000-000000000000'

const upload = (path: string) => `/dashboard/documents/uploads/${PREPARED}${path}`
const draft = (path: string) => (things: Things) => `/dashboard/documents/${things.draft}${path}`
const awaited = (path: string) => (things: Things) =>
  `/dashboard/documents/${things.awaited}${path}`
const guestDocument = (path: string) => (things: Things) =>
  `/sign/documents/${things.awaited}${path}`
const inDraft = (things: Things) => `/dashboard/signing/${things.draftSession}`
const inOpen = (things: Things) => `/dashboard/signing/${things.openSession}`

const SIGNER = {
  ...{ kind: 'external', name: 'Hilda Rosas Vega', email: 'hilda@ejemplo.example', step: '1' },
  ...{ rfc: 'ROVH850101QX2', character: 'Testigo' },
}
const manage = (
  to: (things: Things) => string,
  intent: string,
  fields: (things: Things) => Record<string, string> = () => ({}),
  done: Asked['done'] = 303,
) => form('signing-sessions.manage', to, (things) => ({ intent, ...fields(things) }), done)
const link = (intent: string) =>
  form(
    'signing-sessions.manage',
    ({ openSession, linkedSigner }) => `/dashboard/signing/${openSession}/links/${linkedSigner}`,
    { intent },
  )

const consentAt = (to: Parameters<typeof ownForm>[1]) =>
  ownForm(
    'link',
    to,
    ({ noticeDigest: notice }) => ({ notice, consent: 'yes' }),
    // The others agreed before, to a text that was current then.
    (actor) => (actor === 'guest-without-consent' ? 409 : 303),
  )
const KEY_FILES = { password: 'x', consent: 'yes' }
/** The version that waits: a session adds the sheet of signatures to the original. */
const withKey = (version: '1' | '2') => ({
  fields: { ...KEY_FILES, version },
  files: ['certificate', 'privateKey'],
  whose: 'office' as const,
})

export const documentForms = {
  'routes/documents/new': {
    upload: fileForm('document.upload', '/dashboard/documents/new', {
      fields: { title: 'Nuevo', kind: 'act' },
    }),
  },
  'routes/documents/uploads/begin': {
    begin: ownForm(
      'document.upload',
      '/dashboard/documents/uploads',
      (_, { person }) => ({
        ...{ name: 'poder.pdf', bytes: '10', modifiedAt: '1' },
        owner: person?.userId ?? PREPARED,
      }),
      200,
    ),
  },
  // There is no such upload.
  'routes/documents/uploads/part': {
    send: {
      ...ownForm('document.upload', upload('/parts/0'), {}, 404),
      sent: { kind: 'bytes', bytes: SIGNATURE },
    },
  },
  'routes/documents/uploads/finish': {
    finish: ownForm(
      'document.upload',
      upload('/finish'),
      { title: 'Poder', kind: 'act', digest: 'a'.repeat(64) },
      404,
    ),
  },
  'routes/documents/uploads/discard': {
    discard: ownForm('document.upload', upload('/discard'), {}, 404),
  },
  // One that is gone is discarded.
  'routes/documents/unfinished-upload': {
    discard: ownForm('document.upload', `/dashboard/documents/unfinished/${PREPARED}`, {}),
  },
  'routes/documents/purge': {
    purge: form('document.purge', ({ mistake }) => `/dashboard/documents/${mistake}/purge`, {
      reason: REASON,
    }),
  },
  'routes/documents/copies/new-copy': {
    record: form(
      'document.record-copy',
      ({ signed }) => `/dashboard/documents/${signed}/copies/new`,
      {
        ...{ once: PREPARED, copy: 'simple-copy.1', name: 'Hilda Rosas Vega' },
        ...{ medium: 'electronic', issuedOn: '2026-11-20' },
      },
    ),
  },
  'routes/documents/copies/cancel-copy': {
    cancel: form(
      'document.cancel-copy',
      ({ signed, copy }) => `/dashboard/documents/${signed}/copies/${copy}/cancel`,
      { reason: REASON },
    ),
  },
  'routes/documents/versions/replace': {
    replace: fileForm('document.replace-file', draft('/replace'), {
      fields: { version: '1' },
      whose: 'office',
    }),
  },
  'routes/documents/edit-page': {
    edit: form('document.describe', draft('/edit'), ({ draftSeen }) => ({
      ...{ seen: draftSeen, title: 'Otro título', kind: 'act', number: '123' },
    })),
  },
  'routes/documents/checklist/checklist': {
    add: form('document.check', draft('/checklist'), ({ act }) => ({ intent: 'add', act })),
    remove: form('document.check', draft('/checklist'), ({ otherAct: act }) => ({
      ...{ intent: 'remove', act },
    })),
    check: form('document.check', draft('/checklist'), ({ otherAct: act }) => ({
      ...{ intent: 'check', act, position: '1', note: '' },
    })),
    uncheck: form('document.check', draft('/checklist'), ({ otherAct: act }) => ({
      ...{ intent: 'uncheck', act, position: '1' },
    })),
  },
  'routes/documents/numbers/list': {
    reserve: form('numbers.reserve', '/dashboard/documents/numbers', ({ series }) => ({
      ...{ series, note: REASON, once: '7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a91' },
    })),
  },
  'routes/documents/numbers/number': {
    explain: form(
      'numbers.explain',
      ({ reservedNumber }) => `/dashboard/documents/numbers/${reservedNumber}`,
      { intent: 'explain', first: '1', last: '1', reason: REASON },
    ),
    reopen: form(
      'numbers.explain',
      ({ unusedNumber }) => `/dashboard/documents/numbers/${unusedNumber}`,
      { intent: 'reopen' },
    ),
  },
  'routes/documents/numbers/take': {
    take: form('document.describe', draft('/number'), ({ series }) => ({ series, number: '' })),
  },
  'routes/documents/stamp/stamp-page': {
    // The draft gets a sheet.
    place: form('document.place-stamp', draft('/stamp'), { pagina: '1', place: 'automatic' }, 409),
  },
  'routes/documents/cancel': {
    cancel: form('document.cancel', draft('/cancel'), { reason: REASON }),
  },
  'routes/documents/views/views-page': {
    save: ownForm('document-views.manage-own', '/dashboard/documents/views?kind=will', {
      ...{ change: 'save', name: 'Testamentos' },
    }),
    remove: ownForm('document-views.manage-own', '/dashboard/documents/views', () => ({
      ...{ change: 'remove', viewId: PREPARED },
    })),
  },
  'routes/documents/chosen/cancel-several': {
    cancel: form(
      'document.cancel',
      ({ draft }) => `/dashboard/documents/cancel?document=${draft}`,
      ({ draft }) => ({ document: draft, reason: REASON }),
    ),
  },
  'routes/documents/further-signing': {
    begin: form(
      'signing-sessions.manage',
      ({ signed }) => `/dashboard/documents/${signed}/further-signing`,
      ({ signedVersion }) => ({ version: String(signedVersion), understood: 'on' }),
    ),
  },
  'routes/documents/public-lookup': {
    set: form(
      'document.set-public-lookup',
      ({ signed }) => `/dashboard/documents/${signed}/public-lookup`,
      { state: 'on' },
    ),
  },
  'routes/documents/public-pictures': {
    set: form(
      'document.set-public-pictures',
      ({ signed }) => `/dashboard/documents/${signed}/public-pictures`,
      { state: 'off' },
    ),
  },
  'routes/documents/picture-consent': {
    decide: form('document.sign-in-session', awaited('/picture-consent'), { consent: 'yes' }),
  },
  'guest-picture-consent': {
    decide: form('guest', guestDocument('/picture-consent'), { consent: 'yes' }),
  },
  'routes/documents/request-constancia': {
    request: form(
      'document.request-constancia',
      ({ signed }) => `/dashboard/documents/${signed}/constancia`,
    ),
  },
  'routes/signing/one/acknowledge': {
    // Nothing is to be acknowledged: its page sends the signer on.
    acknowledge: {
      ...form('document.sign-in-session', awaited('/sign/acknowledge'), ({ judgement }) => ({
        judgement,
        'judgement-seen': 'yes',
      })),
      doneAsData: 409,
    },
  },
  'routes/signing/one/sign-with-token-page': {
    // The server of the matrix has no token.
    sign: form('document.read', draft('/sign/token'), { version: '1', pin: '1' }, 404),
  },
  'routes/signing/one/sign-without-scripts': {
    'sign alone': fileForm('document.sign', draft('/sign/without-scripts'), withKey('1')),
    'sign in a session': fileForm(
      'document.sign-in-session',
      awaited('/sign/without-scripts'),
      withKey('2'),
    ),
  },
  'routes/signing/one/prepare': {
    'prepare alone': form(
      'document.sign',
      draft('/sign/prepare'),
      { version: '1', certificate: CERTIFICATE },
      422,
    ),
    'prepare in a session': form(
      'document.sign-in-session',
      awaited('/sign/prepare'),
      { version: '2', certificate: CERTIFICATE },
      422,
    ),
  },
  'routes/signing/one/complete': {
    // Nothing is prepared, and the answer says no more than that.
    complete: form(
      'person',
      awaited('/sign/complete'),
      { preparedId: PREPARED, signature: SIGNATURE },
      404,
    ),
  },
  'routes/signing/presence/begin-presence': {
    begin: {
      ...form('document.sign-in-session', '/dashboard/signing/presence/begin'),
      sent: ({ awaited: documentId }) => ({
        kind: 'json',
        body: { documents: [{ documentId, version: 2 }] },
      }),
      done: 200,
    },
  },
  'routes/signing/presence/presence': {
    // The office asks for none: its page sends the signer on.
    'prove with a code': {
      ...form(
        'document.sign-in-session',
        awaited('/sign/presence'),
        (things) => ({
          ...{ method: 'TOTP', code: '000000' },
          documents: JSON.stringify([{ documentId: things.awaited, version: 2 }]),
        }),
        302,
      ),
      doneAsData: 401,
    },
  },
  'routes/signing/batch/batch-without-scripts': {
    // Without a key, which is asked for first.
    sign: ownForm(
      'document.sign-in-session',
      '/dashboard/signing/batch/without-scripts',
      (things) => ({ document: `${things.awaited}:2` }),
      422,
    ),
  },
  'routes/signing/new/new': {
    create: form('signing-sessions.manage', '/dashboard/signing/new', ({ draft: document }) => ({
      ...{ title: 'Nueva', message: '', deadline: '', document },
    })),
  },
  'routes/signing/sessions/session': {
    change: manage(inDraft, 'change', () => ({ title: 'Otro título' })),
    'add-document': manage(inDraft, 'add-document', ({ otherDraft: documentId }) => ({
      documentId,
    })),
    'remove-document': manage(inDraft, 'remove-document', ({ otherDraft: documentId }) => ({
      documentId,
    })),
    'move-document': manage(inDraft, 'move-document', ({ ofDraft: documentId }) => ({
      ...{ documentId, direction: 'up' },
    })),
    'add-user': manage(inDraft, 'add-user', ({ user: userId }) => ({
      ...{ kind: 'user', userId, character: 'Testigo' },
    })),
    'add-external': manage(inDraft, 'add-external', () => SIGNER),
    'move-signer': manage(inDraft, 'move-signer', ({ draftSigner: signerId }) => ({
      ...{ signerId, step: '2' },
    })),
    'remove-signer': manage(inDraft, 'remove-signer', ({ draftSigner: signerId }) => ({
      signerId,
    })),
    extend: manage(inOpen, 'extend', () => ({ deadline: '2099-01-01' })),
    cancel: manage(inOpen, 'cancel', () => ({ reason: REASON })),
    reject: form('signing-sessions.reject', inOpen, { intent: 'reject', reason: REASON }),
    remind: manage(inOpen, 'remind', ({ openSigner: signerId }) => ({ signerId })),
    'replace-user': manage(inOpen, 'replace-user', ({ openSigner: signerId, user: userId }) => ({
      ...{ signerId, reason: REASON, kind: 'user', userId, character: 'Testigo' },
    })),
    'replace-external': manage(inOpen, 'replace-external', ({ openSigner: signerId }) => ({
      ...{ signerId, reason: REASON },
      ...SIGNER,
    })),
  } satisfies Record<SessionForm['intent'], Asked>,
  'routes/signing/review/review': {
    // The session is not what this form says: its page is shown again.
    open: form(
      'signing-sessions.manage',
      ({ draftSession }) => `/dashboard/signing/${draftSession}/review`,
      { reviewed: 'a'.repeat(64) },
    ),
  },
  'routes/signing/sessions/signer-link': { renew: link('renew'), revoke: link('revoke') },
  'routes/signing/parties/party': {
    change: form(
      'signing-sessions.manage',
      ({ party }) => `/dashboard/signing/parties/${party}`,
      ({ partySeenAt }) => ({
        ...{ intent: 'change', at: String(partySeenAt), name: 'Dora Ibáñez Luna' },
        ...{ rfc: 'IBAD800101QX1', email: '', character: 'Vendedora' },
      }),
    ),
    remove: form('signing-sessions.manage', ({ party }) => `/dashboard/signing/parties/${party}`, {
      intent: 'remove',
    }),
  },
  'routes/verification/verify-document': {
    verify: fileForm('open', '/verify/document', {}),
  },
  'routes/verification/upload-as-file': {
    report: fileForm('open', '/verify/document/report.json', {}),
  },
  'upload-report-pdf': {
    report: fileForm('open', '/verify/document/report.pdf', {}),
  },
  'upload-signed-revision': {
    extract: fileForm('open', '/verify/document/signed.pdf', {}),
  },
  'routes/verification/registered': {
    find: ownForm('open', '/verify/document/registered', { sha256: 'a'.repeat(64) }, 200),
  },
  'routes/public/not-found': { post: ownForm('open', '/no-such-page', {}, 404) },
  'routes/signing/guests/open-link': {
    open: ownForm('open', '/sign', { code: '0'.repeat(26) }, 410),
  },
  'routes/signing/guests/guest-documents-page': {
    consent: consentAt('/sign/documents'),
  },
  'routes/signing/guests/guest-document': {
    consent: consentAt(guestDocument('')),
  },
  'routes/signing/guests/guest-without-scripts': {
    sign: fileForm('guest', guestDocument('/without-scripts'), withKey('2')),
  },
  'routes/signing/guests/guest-acknowledge': {
    acknowledge: {
      ...form('guest', guestDocument('/acknowledge'), ({ judgement }) => ({
        judgement,
        'judgement-seen': 'yes',
      })),
      doneAsData: 409,
    },
  },
  'routes/signing/guests/guest-batch-without-scripts': {
    sign: ownForm(
      'guest',
      '/sign/batch/without-scripts',
      (things) => ({ document: `${things.awaited}:2` }),
      422,
    ),
  },
  'routes/signing/guests/guest-reject': {
    ask: ownForm('guest', '/sign/reject', { proof: 'efirma', reason: REASON }, 200),
    // The guest of the other office has no address.
    mail: ownForm('guest', '/sign/reject', { proof: 'mail', reason: REASON }, (actor) =>
      actor === 'foreign-guest' ? 409 : 200,
    ),
    code: ownForm(
      'guest',
      '/sign/reject',
      { proof: 'code', reason: REASON, code: '7K3F9QZA4M' },
      422,
    ),
    server: fileForm('guest', '/sign/reject', {
      fields: { ...KEY_FILES, proof: 'server', reason: REASON },
      files: ['certificate', 'privateKey'],
    }),
  },
  'routes/signing/guests/reject-call': {
    reject: ownForm(
      'guest',
      '/sign/reject/efirma',
      () => ({
        ...{ reason: REASON, at: String(Date.now()) },
        ...{ certificate: CERTIFICATE, signature: SIGNATURE },
      }),
      // Not a page of the guard of guests: the use case itself asks for the accepted aviso.
      (actor) => (actor === 'guest-without-consent' ? 403 : 422),
    ),
  },
  'guest-prepare': {
    prepare: form(
      'guest',
      guestDocument('/prepare'),
      { version: '2', certificate: CERTIFICATE },
      422,
    ),
  },
  'guest-complete': {
    complete: ownForm(
      'guest',
      guestDocument('/complete'),
      { preparedId: PREPARED, signature: SIGNATURE },
      404,
    ),
  },
} satisfies Record<string, Readonly<Record<string, Asked>>>
