import { expect, test } from 'vitest'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { namedSubjectOf } from '#server/domain/audit/named-subject.ts'

type Subject = AuditEvent['subject']
const named = (subject: Subject, details: AuditEvent['details'] = {}) =>
  namedSubjectOf({ subject, details })

test('event about nothing: names nothing', () => {
  expect(named({ kind: 'nothing', id: null } as Subject, { name: 'x' })).toBeUndefined()
})

test.each(['session', 'activation'] as const)(
  'event about a number (%s): names the account, where the event states it',
  (kind) => {
    const subject = { kind, id: '7' } as Subject
    const account = { kind: 'user', id: 'u1', name: null }
    expect(named(subject, { user: 'u1', name: 'x' })).toEqual(account)
    expect(named(subject, { userId: 'u1' })).toEqual(account)
    expect(named(subject, { user: 7 })).toBeUndefined()
    expect(named(subject)).toBeUndefined()
  },
)

test.each([
  'access-token',
  'act',
  'certificate',
  'number',
  'number-series',
  'provider',
  'second-factor',
  'yubikey',
] as const)('event about a thing that may be gone (%s): has the name of that time', (kind) => {
  const subject = { kind, id: '7' } as Subject
  expect(named(subject, { name: 'Llave roja' })).toEqual({ kind, id: '7', name: 'Llave roja' })
  expect(named(subject, { name: 7 })).toEqual({ kind, id: '7', name: null })
  expect(named(subject)).toEqual({ kind, id: '7', name: null })
})

test.each(['document', 'user', 'signing-session'] as const)(
  'event about a %s: its name today is looked up, whatever the event states',
  (kind) => {
    expect(named({ kind, id: '7' } as Subject, { name: 'x' })).toEqual({
      ...{ kind, id: '7', name: null },
    })
  },
)
