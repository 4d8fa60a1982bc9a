import { expect, test } from 'vitest'
import { AuditAction, type AuditActor, AuditSubject } from '#server/domain/audit/event.ts'
import type { NamedSubject } from '#server/domain/audit/named-subject.ts'
import { SessionId, SignerId, UserId } from '#server/domain/ids.ts'
import {
  auditSentence,
  plainSentence,
  type ToldEvent,
} from '#server/words/audit/audit-sentences.ts'

const ID = '7d0a9f0e-58c7-4b0d-9d3d-0f6a1f3b2c11'
const ANA = UserId.parse(ID)
const ana: AuditActor = {
  kind: 'person',
  userId: ANA,
  sessionId: SessionId.parse(ID),
  name: 'Ana Lucía Prado',
}
const deed: NamedSubject = { kind: 'document', id: 'd', name: '2026-000123 “Compraventa”' }
const luis: NamedSubject = { kind: 'user', id: 'u', name: 'Luis Téllez' }

const told = (event: Partial<ToldEvent>): string =>
  plainSentence({ actor: ana, action: 'document.signed', about: deed, details: {}, ...event })

test.each(AuditAction.options)('sentence: %s is whole, whatever the event states', (action) => {
  const actors: AuditActor[] = [
    ana,
    { kind: 'anonymous' },
    { kind: 'system', name: 'clock' },
    { kind: 'guest', signerId: SignerId.parse(ID), name: 'Iván Núñez' },
  ]
  const kinds = AuditSubject.options.flatMap(({ shape: { kind } }) =>
    'options' in kind ? kind.options : [],
  )
  const subjects = kinds.flatMap((kind) => [
    { kind, id: ID, name: null },
    { kind, id: ID, name: 'Nombre' },
  ])
  for (const actor of actors)
    for (const about of [undefined, ...subjects])
      for (const details of [{}, { reason: 'error', asked: 'audit.read', kind: 'new-device' }]) {
        const sentence = told({ actor, action, about, details })
        expect(sentence).toMatch(/^\p{Lu}\S.* \S/u)
        expect(sentence).not.toMatch(/[{}]|undefined|null| {2}|\bde el\b|\ba el\b/)
      }
})

test.each<[string, Partial<ToldEvent>]>([
  ['Ana Lucía Prado firmó el documento 2026-000123 “Compraventa”', {}],
  [
    'Ana Lucía Prado anotó los datos del instrumento del documento 2026-000123 “Compraventa”',
    { action: 'document.described' },
  ],
  [
    'Ana Lucía Prado agregó la prueba de largo plazo al documento 2026-000123 “Compraventa”',
    { action: 'document.archived' },
  ],
  [
    'Ana Lucía Prado canceló el documento 2026-000123 “Compraventa”: “duplicado”',
    { action: 'document.cancelled', details: { reason: 'duplicado' } },
  ],
  ['Ana Lucía Prado suspendió la cuenta de Luis Téllez', { action: 'user.suspended', about: luis }],
  [
    'Ana Lucía Prado modificó sus propios datos',
    { action: 'user.changed', about: { kind: 'user', id: ANA, name: 'Ana Lucía Prado' } },
  ],
  [
    'Ana Lucía Prado modificó los datos de Luis Téllez: correo electrónico, roles',
    { action: 'user.changed', about: luis, details: { changed: 'email,roles,otra' } },
  ],
  [
    'Alguien sin sesión no pudo iniciar sesión en la cuenta de Luis Téllez',
    { action: 'session.refused', actor: { kind: 'anonymous' }, about: luis },
  ],
  [
    'Iván Núñez (firmante externo) rechazó la firma en la sesión de firma “Crédito”: “falta un dato”',
    {
      action: 'signing-session.rejected',
      actor: { kind: 'guest', signerId: SignerId.parse(ID), name: 'Iván Núñez' },
      about: { kind: 'signing-session', id: 's', name: '“Crédito”' },
      details: { reason: 'falta un dato' },
    },
  ],
  [
    'Ana Lucía Prado no tiene permiso para “Ver la bitácora de la notaría”',
    { action: 'access.refused', about: undefined, details: { asked: 'audit.read' } },
  ],
  ['Ana Lucía Prado firmó un documento', { about: { ...deed, name: null } }],
])('sentence: %s', (sentence, event) => {
  expect(told(event)).toBe(sentence)
})

test('sentence: marks the names that may be links', () => {
  expect(
    auditSentence({ actor: ana, action: 'document.signed', about: deed, details: {} }),
  ).toEqual([
    { text: 'Ana Lucía Prado', names: 'who' },
    { text: ' firmó ' },
    { text: 'el documento ' },
    { text: '2026-000123 “Compraventa”', names: 'about' },
  ])
})

test('sentence: a name cannot hide anything or turn the line', () => {
  const about = { ...deed, name: '2026-000123 “a\u202eb\nc”' }
  expect(told({ about })).toBe('Ana Lucía Prado firmó el documento 2026-000123 “ab c”')
})
