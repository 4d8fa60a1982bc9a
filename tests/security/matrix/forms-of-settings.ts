import type { ProviderAction } from '#app/routes/settings/provider-form.ts'
import type { PersonForm } from '#app/routes/users/person-forms.ts'
import { fileForm, form, ownForm, REASON } from './asked-form.ts'
import type { Asked } from './request.ts'
import type { Things } from './world.ts'

const PERSON = {
  ...{ firstName: 'Julia', lastName: 'Mora Díaz', email: 'julia@notaria.example' },
  ...{ rfc: 'MODJ900101QX3', curp: '', capacity: '', 'role-CLERK': 'on' },
}
const OFFICE = {
  ...{ name: 'Notaría 77', number: '77', entity: 'Ciudad de México', municipality: 'Coyoacán' },
  ...{ address: 'Francisco Sosa 202', timeZone: 'America/Mexico_City' },
}

const ACT = {
  ...{ name: 'Compraventa de contado', notary: 'signs', answer: 'unknown', source: '', day: '' },
  ...{ 'character-1': 'Parte vendedora', 'least-1': '1', 'most-1': '2' },
}

const OBLIGATION = {
  ...{ name: 'Aviso cambiado', channel: '', basis: 'document', count: '4', counting: 'working' },
  ...{ shift: 'stay', 'kind-will': 'on', acts: '', source: 'Circular 9', sourceDay: '2026-11-02' },
}
const deadline = (which: 'deadline' | 'doneDeadline') => (things: Things) =>
  `/dashboard/obligations/${things[which]}`
const obligation = (which: 'obligation' | 'offObligation') => (things: Things) =>
  `/dashboard/settings/obligations/${things[which]}`

const about =
  (name: 'user' | 'invited' | 'suspended' | 'locked') =>
  (things: Things): string =>
    `/dashboard/users/${things[name]}`
const managed = (
  who: Parameters<typeof about>[0],
  intent: string,
  fields: Record<string, string> | ((things: Things) => Record<string, string>) = {},
) =>
  form('users.manage', about(who), (things) => ({
    intent,
    ...(typeof fields === 'function' ? fields(things) : fields),
  }))
const policy = (path: string, field: string, value: string) => ({
  decide: ownForm('office.manage', `/dashboard/settings/${path}`, { [field]: value }),
})
const mail = (
  rule: 'mail.manage' | 'mail.read-secret',
  which: 'mail' | 'failedMail',
  intent: string,
  done?: number,
) => form(rule, (things) => `/dashboard/settings/outbox/${things[which]}`, { intent }, done)
const provider = (
  which: 'laterProvider' | 'constanciaProvider',
  fields: Record<string, string> & { intent: ProviderAction['intent'] },
) => form('office.manage', (things) => `/dashboard/settings/providers/${things[which]}`, fields)

export const settingsForms = {
  'routes/users/new': { invite: ownForm('users.manage', '/dashboard/users/new', PERSON) },
  // Only a notary has a capacity.
  'routes/users/capacity/capacity': {
    add: fileForm('users.manage', (things) => `${about('user')(things)}/capacity`, {
      done: 409,
      whose: 'office',
    }),
  },
  'routes/users/person': {
    change: managed('user', 'change', PERSON),
    'renew-invitation': managed('invited', 'renew-invitation'),
    'issue-recovery': managed('user', 'issue-recovery'),
    'require-password-change': managed('user', 'require-password-change', { reason: REASON }),
    suspend: managed('user', 'suspend', { reason: REASON }),
    reactivate: managed('suspended', 'reactivate', { reason: REASON }),
    'end-session': managed('user', 'end-session', ({ userSession: sessionId }) => ({ sessionId })),
    'end-sessions': managed('user', 'end-sessions'),
    'lift-lock': managed('user', 'lift-lock'),
    'ask-removal': managed('user', 'ask-removal', { reason: REASON }),
    'approve-removal': managed('locked', 'approve-removal', ({ removal: removalId }) => ({
      removalId,
    })),
    'refuse-removal': managed('locked', 'refuse-removal', ({ removal: removalId }) => ({
      removalId,
    })),
  } satisfies Record<PersonForm['intent'], Asked>,
  'routes/settings/outbox/mail': {
    retry: mail('mail.manage', 'failedMail', 'retry'),
    discard: mail('mail.manage', 'mail', 'discard'),
    'read-secret': mail('mail.read-secret', 'mail', 'read-secret', 200),
  },
  'routes/settings/import-authorities-page': {
    import: fileForm('office.manage', '/dashboard/settings/authorities/new', {}),
  },
  'routes/settings/authority': {
    // Each of two offices decides for itself about what the installation knows.
    accept: ownForm(
      'office.manage',
      ({ offered }) => `/dashboard/settings/authorities/${offered}`,
      { kind: 'accept', reason: REASON, revocation: 'required', ocsp: '' },
    ),
    remove: ownForm(
      'office.manage',
      ({ accepted }) => `/dashboard/settings/authorities/${accepted}`,
      { kind: 'remove', reason: REASON },
    ),
  },
  'routes/settings/checklists/act-list': {
    change: form(
      'checklists.manage',
      ({ act }) => `/dashboard/settings/checklists/${act}`,
      ({ listSeenAt }) => ({
        ...{ at: String(listSeenAt), 'text-1': 'Identificaciones' },
        ...{ 'phase-1': 'before', 'need-1': 'required' },
      }),
    ),
  },
  'routes/obligations/deadline': {
    done: form('obligations.mark', deadline('deadline'), {
      ...{ intent: 'done', doneOn: '2026-11-01', acknowledgement: '', note: '' },
    }),
    'not-applicable': form('obligations.mark', deadline('deadline'), {
      ...{ intent: 'not-applicable', reason: REASON },
    }),
    reopen: form('obligations.mark', deadline('doneDeadline'), { intent: 'open' }),
  },
  'routes/settings/obligations/new': {
    add: ownForm('obligations.manage', '/dashboard/settings/obligations/new', {
      ...{ ...OBLIGATION, name: 'Aviso de la matriz' },
      once: '7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a94',
    }),
  },
  'routes/settings/obligations/obligation': {
    change: form('obligations.manage', obligation('obligation'), ({ obligationSeenAt }) => ({
      ...{ intent: 'change', at: String(obligationSeenAt), ...OBLIGATION },
    })),
    'switch-off': form('obligations.manage', obligation('obligation'), { intent: 'switch-off' }),
    'switch-on': form('obligations.manage', obligation('offObligation'), { intent: 'switch-on' }),
  },
  'routes/settings/obligations/non-working-days-page': {
    add: ownForm('obligations.manage', '/dashboard/settings/obligations/days', {
      ...{ intent: 'add', day: '2027-03-25', name: 'Jueves santo', source: '' },
    }),
    remove: ownForm('obligations.manage', '/dashboard/settings/obligations/days', {
      ...{ intent: 'remove', day: '2026-12-24' },
    }),
  },
  'routes/settings/numbers/list': {
    add: ownForm('number-series.manage', '/dashboard/settings/numbers', {
      ...{ name: 'Otra serie', once: '7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a92' },
    }),
  },
  'routes/settings/numbers/series': {
    change: form(
      'number-series.manage',
      ({ series }) => `/dashboard/settings/numbers/${series}`,
      ({ seriesSeenAt }) => ({
        ...{ name: 'Serie de la matriz', next: '10', book: '12', countedFrom: '' },
        ...{ seenNext: '3', seenAt: String(seriesSeenAt) },
      }),
    ),
  },
  'routes/settings/acts/new-act': {
    add: ownForm('office.manage', '/dashboard/settings/acts/new', {
      ...{ once: '7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a90', ...ACT, name: 'Acto de la matriz' },
    }),
  },
  'routes/settings/acts/act': {
    change: form(
      'office.manage',
      ({ act }) => `/dashboard/settings/acts/${act}`,
      ({ actSeenAt }) => ({ intent: 'change', at: String(actSeenAt), ...ACT }),
    ),
    retire: form('office.manage', ({ otherAct }) => `/dashboard/settings/acts/${otherAct}`, {
      intent: 'retire',
    }),
    restore: form('office.manage', ({ otherAct }) => `/dashboard/settings/acts/${otherAct}`, {
      intent: 'restore',
    }),
  },
  'routes/settings/new-provider': {
    add: ownForm('office.manage', '/dashboard/settings/providers/new', {
      ...{ kind: 'timestamp', name: 'Tercero', url: 'https://tsa.example/3' },
      ...{ policy: '', username: '', password: '' },
    }),
  },
  'routes/settings/provider': {
    move: provider('laterProvider', { intent: 'move', direction: 'earlier' }),
    remove: provider('laterProvider', { intent: 'remove' }),
    cost: provider('constanciaProvider', { intent: 'cost', cost: '12.50' }),
  } satisfies Record<ProviderAction['intent'], Asked>,
  'routes/settings/office-data': {
    change: ownForm('office.manage', '/dashboard/settings/office', OFFICE),
  },
  'routes/settings/privacy-notice-page': {
    change: ownForm('office.manage', '/dashboard/settings/privacy', {
      ...{ short: 'Aviso corto.', full: 'Aviso integral.', intent: 'publish' },
    }),
  },
  'routes/settings/timestamp-policy': policy('timestamps', 'timestampPolicy', 'required'),
  'routes/settings/constancia-policy': policy('constancias', 'constanciaPolicy', 'at-completion'),
  'routes/settings/mail/mail-server-page': {
    set: ownForm('mail.manage', '/dashboard/settings/mail', {
      ...{ intent: 'set', host: 'correo.notaria.example', port: '587', security: 'starttls' },
      ...{ username: '', password: '', seenAt: '' },
      ...{ fromName: 'Notaría 12', fromAddress: 'rubrica@notaria.example' },
    }),
    test: ownForm('mail.manage', '/dashboard/settings/mail', { intent: 'test' }, 200),
    remove: ownForm('mail.manage', '/dashboard/settings/mail', { intent: 'remove' }),
  },
  'routes/settings/policies/public-page': {
    decide: ownForm('office.manage', '/dashboard/settings/public-page', {
      ...{ publicNames: 'initials', publicDownloads: 'disabled' },
    }),
  },
  'routes/settings/presence-policy': policy('presence', 'presence', 'required'),
  'routes/settings/server-signing-policy': policy('server-signing', 'serverSigning', 'disabled'),
  'routes/settings/second-factor-policy': policy('second-factor', 'secondFactorGrace', '7'),
  'routes/settings/upload-limit-policy': policy('upload-limit', 'uploadLimit', '10'),
  'routes/settings/reminder-policy': policy('reminders', 'reminders', '3,7'),
  'routes/settings/report-schedule': policy('reports', 'reportSchedule', 'monthly'),
  'routes/reports/files': {
    request: ownForm('reports.read', '/dashboard/reports/files', {
      ...{ intent: 'request', kind: 'documents', format: 'csv' },
    }),
  },
  'routes/settings/idle-policy': policy('idle', 'sessionIdle', '10'),
  'routes/settings/session-length-policy': policy('session-length', 'sessionAbsolute', '4'),
} satisfies Record<string, Readonly<Record<string, Asked>>>
