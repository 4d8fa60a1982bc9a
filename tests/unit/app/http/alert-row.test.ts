import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { alertRow } from '#app/http/alert-row.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import { AlertId, OfficeId, UserId } from '#server/domain/ids.ts'
import { after, hours } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const reader = UserId.parse(randomUUID())
const alert: Alert = {
  ...{
    id: AlertId.parse(randomUUID()),
    officeId: OfficeId.parse(randomUUID()),
    userId: null,
    facts: {},
  },
  ...{ kind: 'mail-failed', severity: 'warning', subjectKind: 'nothing', subjectId: null },
  ...{ at: after(MORNING, hours(2)), firstAt: MORNING, occurrences: 1 },
  ...{ state: 'open', stateSince: MORNING, stateBy: null },
}
const rowOf = (changed: Partial<Alert>) =>
  alertRow({ ...alert, ...changed, about: null }, 'America/Mexico_City')

test.each<[string, Partial<Alert>, string | null, string | null]>([
  ['a mail', { subjectKind: 'mail', subjectId: '7' }, '/settings/outbox/7', 'Ver el correo'],
  ['a document', { subjectKind: 'document', subjectId: '7' }, '/documents/7', 'Ver el documento'],
  ['a person', { subjectKind: 'user', subjectId: '7' }, '/users/7', 'Ver a la persona'],
  [
    'a removal of factors',
    { kind: 'removal-to-approve', subjectKind: 'user', subjectId: '7' },
    ...(['/users/7', 'Revisar solicitud'] as const),
  ],
  [
    "a signing session of the reader's",
    { userId: reader, subjectKind: 'signing-session', subjectId: '7' },
    ...(['/signing/7', 'Ver la sesión'] as const),
  ],
  [
    "the reader's account",
    { userId: reader, subjectKind: 'user', subjectId: '7' },
    ...(['/profile', 'Ir a Mi Perfil'] as const),
  ],
  [
    "a certificate of the reader's",
    { userId: reader, facts: { certificate: '7' } },
    ...(['/certificates/7', 'Ver el certificado'] as const),
  ],
  [
    "a YubiKey of the reader's",
    { userId: reader, facts: { yubikey: '7' } },
    ...(['/certificates/keys/7', 'Ver la YubiKey'] as const),
  ],
  [
    'a deadline',
    { kind: 'deadline-near', facts: { deadline: '7', obligationId: '8' } },
    ...(['/obligations/7', 'Ver la obligación'] as const),
  ],
  [
    'several deadlines of an obligation',
    { kind: 'deadline-late', facts: { obligationId: '8' } },
    ...(['/obligations?obligation=8', 'Ver la lista'] as const),
  ],
  ['an account that is not named', { subjectKind: 'user' }, null, null],
  ['a mail that is not named', { subjectKind: 'mail' }, null, null],
  ['a document that is not named', { subjectKind: 'document' }, null, null],
  ['the office', {}, null, null],
  [
    'a recovered administrator',
    { kind: 'administrator-recovered', userId: reader, subjectKind: 'user', subjectId: '7' },
    ...([null, null] as const),
  ],
])('alert about %s: leads to the page where the reader can act', (_, changed, path, name) => {
  const { to } = rowOf(changed)
  expect(to).toEqual(path === null ? null : { path: `/dashboard${path}`, name })
})

test('alert: says how often it occurred, and since when it is resolved', () => {
  expect(rowOf({})).toMatchObject({ name: 'Atención', repeated: null, resolved: null })
  const row = rowOf({ occurrences: 2, state: 'resolved', stateSince: after(MORNING, hours(3)) })
  expect(row.when).not.toBe(rowOf({ at: MORNING }).when)
  expect(row.repeated).toBe(`Ocurrió 2 veces desde el ${rowOf({ at: MORNING }).when}.`)
  expect(row.resolved).toBe(`Atendida el ${rowOf({ at: after(MORNING, hours(3)) }).when}.`)
})
