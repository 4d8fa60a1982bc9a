import type { ArcoForm } from '#app/routes/care/arco/arco-forms.ts'
import type { RetentionForm } from '#app/routes/care/retention/retention-form.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { form, ownForm, REASON } from './asked-form.ts'
import type { Asked } from './request.ts'

const ofRequest = (
  rule: Action,
  which: 'arco' | 'grantedArco',
  intent: ArcoForm['intent'],
  fields: Readonly<Record<string, string>> = {},
) => form(rule, (things) => `/dashboard/arco/${things[which]}`, { intent, ...fields })

const ofItem = (
  which: 'retained' | 'blocked',
  intent: RetentionForm['intent'],
  fields: Readonly<Record<string, string>> = {},
) =>
  form('retention.decide', (things) => `/dashboard/retention/${things[which]}`, {
    ...{ intent, reason: REASON, ...fields },
  })

export const careForms = {
  'routes/care/arco/new-request': {
    record: ownForm('arco.record', '/dashboard/arco/new', {
      ...{ once: '00000000-0000-4000-8000-000000000062', kind: 'access', way: 'letter' },
      ...{ receivedOn: '2026-11-20', name: 'Hilda Rosas Vega', rfc: '', email: '' },
      asked: 'Qué datos míos tienen.',
    }),
  },
  'routes/care/arco/request': {
    identify: ofRequest('arco.record', 'arco', 'identify', {
      ...{ how: 'official-id', on: '2026-11-20', note: '' },
    }),
    extend: ofRequest('arco.answer', 'arco', 'extend', { reason: REASON }),
    answer: ofRequest('arco.answer', 'arco', 'answer', {
      ...{ outcome: 'denied', text: 'No procede.', legal: REASON },
    }),
    effect: ofRequest('arco.answer', 'grantedArco', 'effect', { done: 'Se entregó.' }),
    gather: ofRequest('arco.answer', 'grantedArco', 'gather'),
  } satisfies Record<ArcoForm['intent'], Asked>,
  'routes/care/retention/item': {
    postpone: ofItem('retained', 'postpone', { months: '12' }),
    block: ofItem('retained', 'block'),
    destroy: ofItem('blocked', 'destroy'),
  } satisfies Record<RetentionForm['intent'], Asked>,
  'routes/settings/care/retention-page': {
    change: ownForm('office.manage', '/dashboard/settings/retention', {
      ...{ kind: 'letter', years: '5', blockDays: '90', source: 'Acuerdo de la notaría' },
    }),
  },
  'routes/settings/care/arco-terms-page': {
    change: ownForm('office.manage', '/dashboard/settings/arco', {
      ...{ answerDays: '20', effectDays: '15', source: 'LFPDPPP', sourceDay: '2025-03-20' },
    }),
  },
}
