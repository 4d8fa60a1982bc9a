import { expect, test } from 'vitest'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import {
  AssertionAnswer,
  RegistrationAnswer,
  readClientData,
} from '#server/domain/identity/webauthn-answer.ts'
import { refusalOfData } from '#server/domain/identity/webauthn-authenticator-data.ts'
import {
  anomalyOf,
  type KeyState,
  nameFor,
  WebauthnCredentialName,
} from '#server/domain/identity/webauthn-credential.ts'
import { rpIdOf } from '#server/domain/identity/webauthn-options.ts'

const seen = (counter: number, changes: Partial<KeyState> = {}): KeyState => ({
  counter,
  deviceType: 'single-device',
  backup: 'not-backed-up',
  ...changes,
})

test.each([
  [0, 0, undefined],
  [0, 7, undefined],
  [7, 8, undefined],
  [7, 4_294_967_295, undefined],
  [7, 7, 'counter-rewound'],
  [7, 6, 'counter-rewound'],
  [7, 0, 'counter-rewound'],
])('a key at %i that says %i: %s', (counter, now, anomaly) => {
  expect(anomalyOf({ counter, deviceType: 'single-device' }, seen(now))).toBe(anomaly)
})

test('a key that can suddenly be copied, or no longer, is another key', () => {
  const copyable = seen(8, { deviceType: 'multi-device' })
  expect(anomalyOf({ counter: 7, deviceType: 'single-device' }, copyable)).toBe(
    'device-type-changed',
  )
  expect(anomalyOf({ counter: 7, deviceType: 'multi-device' }, seen(8))).toBe('device-type-changed')
})

test('models are known by their AAGUID, however it is written', () => {
  expect(modelOf('2fc0579f-8113-47ea-b116-bb5a8db9202a')).toBe('YubiKey 5 NFC')
  expect(modelOf('08987058-CADC-4B81-B6E1-30DE50DCBE96')).toBe('Windows Hello')
  expect(modelOf('00000000-0000-0000-0000-000000000000')).toBe('Llave de seguridad')
  expect(modelOf('toString')).toBe('Llave de seguridad')
})

test('keys of one model are told apart by a number', () => {
  expect(nameFor('Nitrokey 3', [])).toBe('Nitrokey 3')
  const two = [{ name: 'Nitrokey 3' }, { name: 'Nitrokey 3 2' }]
  expect(nameFor('Nitrokey 3', two)).toBe('Nitrokey 3 3')
})

test.each(['', '   ', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(61)])('%j is no name', (name) => {
  expect(WebauthnCredentialName.safeParse(name).success).toBe(false)
})

test('a name is one line, composed, and may have any letter', () => {
  expect(WebauthnCredentialName.parse('  Llave  de Nu\u0301ñez ✓ ')).toBe('Llave de Núñez ✓')
})

test('keys answer to the host of the public origin', () => {
  expect(rpIdOf('https://rubrica.notaria.mx')).toBe('rubrica.notaria.mx')
  expect(rpIdOf('http://localhost:3000')).toBe('localhost')
})

const text = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const answer = (clientDataJSON: string) => ({
  id: 'AQ',
  rawId: 'AQ',
  type: 'public-key' as const,
  response: { clientDataJSON, authenticatorData: 'AQ', signature: 'AQ' },
})

test.each([
  ['no JSON', text('{')],
  ['no object', text('[]')],
  ['no UTF-8', Buffer.from([0x7b, 0xff]).toString('base64url')],
  ['no challenge', text({ type: 'webauthn.get', origin: 'https://a.mx' })],
  ['a number as challenge', text({ type: 'webauthn.get', origin: 'https://a.mx', challenge: 1 })],
  ['a challenge that is no base64url', text({ type: 't', origin: 'o', challenge: '%' })],
])('client data: unreadable: %s', (_, clientData) => {
  expect(readClientData(answer(clientData))).toBeUndefined()
})

test.each([
  ['another type', { ...answer('AQ'), type: 'password' }],
  ['padding', { ...answer('AQ'), id: 'AQ==' }],
  ['no answer', { ...answer('AQ'), response: undefined }],
  ['a signature that is no text', { ...answer('AQ'), response: { signature: {} } }],
  ['too long', answer('A'.repeat(8193))],
  ['a list', []],
])('no answer of a key: %s', (_, value) => {
  expect(AssertionAnswer.safeParse(value).success).toBe(false)
  expect(RegistrationAnswer.safeParse(value).success).toBe(false)
})

test('client data: unknown members are ignored', () => {
  const more = { ...answer('AQ'), clientExtensionResults: { x: 1 }, somethingNew: 1 }
  expect(AssertionAnswer.parse(more)).not.toHaveProperty('somethingNew')
})

test('the first bytes of a key are looked at before its signature', () => {
  const expected = { rpId: 'localhost', isVerificationRequired: true }
  expect(refusalOfData(new Uint8Array(36), expected)).toBe('unreadable')
  expect(refusalOfData(new Uint8Array(37), expected)).toBe('wrong-relying-party')
})
