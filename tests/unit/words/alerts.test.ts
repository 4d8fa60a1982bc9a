import { expect, test } from 'vitest'
import { AlertKind } from '#server/domain/alerts/alert.ts'
import { UserId } from '#server/domain/ids.ts'
import { sentenceOfAlert } from '#server/words/alerts.ts'

const owner = UserId.parse('3b241101-e2bb-4255-8caf-4136c566a962')
type Facts = Parameters<typeof sentenceOfAlert>[0]['facts']

const own = (kind: AlertKind, facts: Facts = {}) =>
  sentenceOfAlert({ kind, facts, userId: owner, about: null }).text
const ofOffice = (kind: AlertKind, facts: Facts = {}) =>
  sentenceOfAlert({ kind, facts, userId: null, about: 'Iván Cruz' }).text

test.each(AlertKind.options)(
  '%s: has a text for its owner and for the office, with any facts',
  (kind) => {
    for (const facts of [{}, { device: 'Chrome en Windows', ip: '203.0.113.7', by: 'Ana Ruiz' }]) {
      const { title } = sentenceOfAlert({ kind, facts, userId: owner, about: null })
      expect(title).toMatch(/^[A-ZÁÉÍÓÚ]/)
      for (const text of [own(kind, facts), ofOffice(kind, facts)]) {
        expect(text).toMatch(/\.$/)
        expect(text).not.toMatch(/undefined|null|NaN|!| {2}|\(\)| \./)
      }
      expect(ofOffice(kind, facts)).not.toContain('su cuenta.')
    }
  },
)

const HERE = { device: 'Firefox en Linux', ip: '2001:db8::1' }

test.each<[AlertKind, Facts, string]>([
  ['new-device', HERE, 'un equipo que no se había usado (Firefox en Linux, 2001:db8::1).'],
  ['factors-changed', { change: 'key-registered', name: 'Roja' }, 'Se agregó la llave “Roja” a su'],
  ['factors-changed', { change: 'totp-disabled' }, 'Se quitó la aplicación de autenticación'],
  ['factors-changed', { change: 'all-removed', by: 'Ana Ruiz' }, 'Ana Ruiz retiró toda'],
  ['factors-changed', { change: 'removal-asked', by: 'Ana Ruiz' }, 'Ana Ruiz pidió retirar'],
  ['key-anomaly', { anomaly: 'counter-rewound', name: 'Roja' }, 'Ya no se acepta.'],
  ['key-anomaly', { anomaly: 'backed-up', name: 'Roja' }, 'Se sigue aceptando.'],
  ['session-late', { session: 'Crédito', missing: 1 }, 'de “Crédito” y falta una firma.'],
  ['certificate-ending', { on: '3 dic 2026' }, 'Su certificado vence el 3 dic 2026.'],
  [
    'certificate-ending',
    { on: '3 dic 2026', number: '30001000000700000111' },
    'Su certificado 30001000000700000111 vence el',
  ],
  ['capacity-ending', { on: '3 dic 2026' }, 'Su calidad termina el 3 dic 2026.'],
  ['clock-wrong', { against: 'log', seconds: 300 }, 'bitácora: 300 segundos.'],
  [
    'clock-wrong',
    { against: 'authority', seconds: 90 },
    'del servidor difiere 90 segundos de la de',
  ],
  [
    'clock-wrong',
    { machine: 'rubrica-2', against: 'log', seconds: 9 },
    'La hora del equipo rubrica-2',
  ],
  [
    'disk-low',
    { machine: 'rubrica-2', megabytes: 99 },
    'MB (menos de 10 %) en el disco del equipo rubrica-2. ',
  ],
  ['disk-low', { megabytes: 99 }, 'en el disco del servidor. '],
  ['server-slow', { machine: 'rubrica-2', seconds: 3 }, 'en el equipo rubrica-2, hubo páginas'],
  ['server-slow', { seconds: 3 }, 'en el servidor, hubo páginas que esperaron hasta 3 segundos.'],
  ['backup-codes-low', { left: 0 }, 'Ya no quedan códigos'],
  ['backup-codes-low', { left: 1 }, 'Queda un código'],
  ['backup-codes-low', { left: 2 }, 'Quedan 2 códigos'],
  [
    'file-damaged',
    { folio: '2026-000012', version: 2 },
    'El archivo guardado de la versión 2 del documento 2026-000012 ya no es',
  ],
  [
    'signing-rejected',
    { session: 'Compraventa', by: 'Inés Luna' },
    'Inés Luna rechazó firmar “Compraventa”.',
  ],
  ['sessions-ended', { sessions: 1, by: 'Ana Ruiz', ...HERE }, 'cerró una sesión de su cuenta'],
  ['sessions-ended', { sessions: 3, by: 'Ana Ruiz' }, 'cerró 3 sesiones de su cuenta.'],
  ['account-changed', { changed: 'reactivated', by: 'Ana Ruiz' }, 'Ana Ruiz reactivó su cuenta.'],
  [
    'account-changed',
    { changed: 'email,roles' },
    'cambió de su cuenta: correo electrónico, roles.',
  ],
])('%s %j', (kind, facts, part) => {
  expect(own(kind, facts)).toContain(part)
})

test('the office hears whose account it is, and why', () => {
  expect(ofOffice('removal-to-approve', { by: 'Ana Ruiz', reason: 'Perdió la llave' })).toBe(
    'Ana Ruiz pide retirar la verificación en dos pasos de Iván Cruz. Motivo: Perdió la llave. Debe decidirlo otro administrador.',
  )
  expect(ofOffice('secret-unreadable', { keyVersion: 2 })).toContain('la cuenta de Iván Cruz')
})
