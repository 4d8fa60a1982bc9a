import { expect, test } from 'vitest'
import { type Ammunition, aShot } from '#tests/campaign/hostile/shots.ts'
import { randomFrom } from '#tests/fuzz/random.ts'

const ammunition: Ammunition = {
  forms: ['/login', '/dashboard/documents/00000000-0000-4000-8000-000000000000/sign'],
  calls: [{ method: 'PUT', path: '/api/v1/auth/webauthn/credentials/{credentialId}' }],
  file: (_, random) => random.bytes(40),
  keyPassword: 'secreta',
  host: 'localhost:3000',
}
const shotOf = (number: number) => aShot(randomFrom(1, number), ammunition)

test('hostile inputs: each is the same for the same seed and number, and all families come', () => {
  const families = new Set<string>()
  for (let number = 0; number < 800; number++) {
    const shot = shotOf(number)
    families.add(shot.family)
    expect(shot.path).toMatch(/^\//)
    if (number % 100 === 0) expect(shotOf(number)).toEqual(shot)
  }
  expect([...families].toSorted()).toEqual([
    ...['CMS', 'JSON', 'PDF', 'PDF upload', 'PKCS#12', 'addresses', 'certificates', 'cookies'],
    ...['e.firmas', 'forms', 'headers', 'multipart', 'raw requests', 'zip'],
  ])
})
