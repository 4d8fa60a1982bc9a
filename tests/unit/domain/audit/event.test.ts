import { expect, test } from 'vitest'
import {
  AuditEvent,
  canonicalEvent,
  canonicalParts,
  parseCanonicalEvent,
  placeOf,
} from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { MORNING, origin } from '#tests/support/builders.ts'

const { browser: _, ...from } = origin
const event = AuditEvent.parse({
  at: MORNING,
  officeId: null,
  actor: { kind: 'anonymous' },
  action: 'session.refused',
  subject: { kind: 'nothing' },
  result: 'refused',
  ...from,
  details: { reason: 'unknown-account' },
})

test('the bytes that are hashed', () => {
  expect(new TextDecoder().decode(canonicalEvent(7, event))).toBe(
    '{"action":"session.refused","actor":{"kind":"anonymous"},"at":"2026-11-20T15:00:00.000Z","details":{"reason":"unknown-account"},"device":"Chrome en Windows","ip":"203.0.113.7","officeId":null,"requestId":"request-1","result":"refused","seq":7,"subject":{"kind":"nothing"},"version":1}',
  )
})

test('they can be read back', () => {
  expect(parseCanonicalEvent(canonicalEvent(7, event))).toEqual({ seq: 7, event })
})

const id = '3f0c8f56-6c1e-4c39-9c9c-6d2d1a3f0b11'

test.each([
  ['a user', { actor: { kind: 'person', userId: id, sessionId: id, name: 'Ana' } }],
  ['an external signer', { actor: { kind: 'guest', signerId: id, name: 'Benito' } }],
  ['a job', { actor: { kind: 'system', name: 'job' } }],
  ['an event about something', { subject: { kind: 'document', id } }],
  ['a success', { result: 'success' }],
  ['numbers and absent facts', { details: { count: 3, reason: null } }],
])('%s can be read back', (_, change) => {
  const changed = AuditEvent.parse({ ...event, ...change })
  expect(parseCanonicalEvent(canonicalEvent(7, changed))).toEqual({ seq: 7, event: changed })
})

test.each([
  ['an ordinary event', {}],
  ['a detail that is called like the number', { details: { seq: 99, '"seq":7,': '"seq":7,' } }],
  ['texts that look like the end of an event', { device: ',"seq":99,"version":1}' }],
  ['details that sort behind the number', { details: { zzz: 1, '\u{10ffff}': 'ñ 👩🏽‍⚖️' } }],
  ['an event about something', { subject: { kind: 'document', id: '"seq":' } }],
])('%s: the bytes around its number are those of the whole', (_, change) => {
  const changed = AuditEvent.parse({ ...event, ...change })
  const { head, tail } = canonicalParts(changed)
  for (const seq of [0, 7, 2 ** 40 - 1]) {
    const whole = new TextEncoder().encode(`${head}${seq}${tail}`)
    expect(whole).toEqual(canonicalEvent(seq, changed))
  }
})

test('bytes that are no UTF-8 are refused: two texts would have the same meaning', () => {
  const bytes = canonicalEvent(7, event)
  bytes[new TextDecoder().decode(bytes).indexOf('Chrome')] = 0xff
  expect(() => parseCanonicalEvent(bytes)).toThrow(TypeError)
})

test.each([
  ['an unknown kind of event', { action: 'coffee.made' }],
  ['an unknown field', { mood: 'good' }],
  ['NUL', { device: 'a\0b' }],
  ['half a character', { details: { reason: '\ud800' } }],
])('%s is refused', (_, change) => {
  expect(AuditEvent.safeParse({ ...event, ...change }).success).toBe(false)
})

// RFC 6962, 2.1: the hash of an empty leaf
test('the hash of a leaf', () => {
  expect(leafHash(new Uint8Array(0))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
})

test('the place of an event is in its bytes, unless they are no text or no event', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  expect(placeOf(bytes('{"seq":7,"device":"a"}'))).toBe(7)
  expect(placeOf(bytes('{"seq":7,"device":"\u00ff"}'))).toBeUndefined()
  for (const text of ['', '{}', '{"seq":"7"}', '{"seq":-1}', '[7]', '{"seq":7'])
    expect(placeOf(bytes(text))).toBeUndefined()
})
