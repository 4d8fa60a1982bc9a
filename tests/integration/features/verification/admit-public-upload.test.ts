import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  type AdmittedUpload,
  admitPublicUpload,
  UNFINISHED_OF_NETWORK,
  UNFINISHED_UPLOADS,
} from '#server/features/verification/admit-public-upload.ts'

const strangerFrom = (ip: string): Actor => ({
  kind: 'anonymous',
  ip,
  device: 'Test',
  requestId: 'a',
  browser: null,
})

/** Uploads that never end, one from each address; the code of the refusal stops them. */
function unfinishedFrom(addresses: readonly string[]) {
  const system = { memory: createMemory() }
  const admitted: AdmittedUpload[] = []
  const admit = (ip: string) => {
    admitted.push(admitPublicUpload(system, strangerFrom(ip)))
  }
  let refusal: unknown
  try {
    for (const ip of addresses) admit(ip)
  } catch (error) {
    refusal = error
  }
  return { admitted, refusal, admit }
}

const ATTEMPTS = 40
const from = (ipOf: (turn: number) => string) => Array.from({ length: ATTEMPTS }, (_, n) => ipOf(n))

test.each([
  ['one IPv4 address', () => '192.0.2.7', UNFINISHED_OF_NETWORK],
  ['one IPv6 network of 64 bits', (n: number) => `2001:db8:1:2::${n}`, UNFINISHED_OF_NETWORK],
  ['one of 56 bits', (n: number) => `2001:db8:1:${(0x200 + n).toString(16)}::1`, 8],
  ['one of 48 bits', (n: number) => `2001:db8:1:${(n * 256).toString(16)}::1`, 16],
])('unfinished uploads from %s: refused above its share', (_, ipOf, most) => {
  const { admitted, refusal, admit } = unfinishedFrom(from(ipOf))
  expect(admitted).toHaveLength(most)
  expect(refusal).toMatchObject({ code: 'too-many-attempts' })
  // Others still come in.
  admit('203.0.113.9')
  admitted[0]?.leave()
  admitted[0]?.leave()
  admit(ipOf(0))
  expect(() => admit(ipOf(0))).toThrow(/unfinished uploads/)
})

test('unfinished uploads from everywhere: refused above the places of all strangers', () => {
  const { admitted, refusal } = unfinishedFrom(from((n) => `192.0.2.${n}`))
  expect(admitted).toHaveLength(UNFINISHED_UPLOADS.places)
  expect(refusal).toMatchObject({ code: 'verification-busy' })
})

test('unfinished uploads: a user of the office is admitted beside any number of strangers', () => {
  const system = { memory: createMemory() }
  const strangers = from((n) => `192.0.2.${n}`).slice(0, UNFINISHED_UPLOADS.places)
  for (const ip of strangers) admitPublicUpload(system, strangerFrom(ip))
  const user = { ...strangerFrom('192.0.2.1'), kind: 'person' } as unknown as Actor
  expect(admitPublicUpload(system, user)).toMatchObject({ isPaced: false })
})
