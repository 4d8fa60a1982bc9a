import { expect, test } from 'vitest'
import {
  AT_ONCE,
  createPasswords,
  MOST_STRANGERS,
  MOST_WAITING,
  PAUSE_IN_CROWD,
} from '#server/adapters/passwords.ts'

const cheap = { memory: 8, passes: 1 }

test('a hash says how it was made, and is another one each time', async () => {
  const passwords = await createPasswords()
  const [first, second] = [await passwords.hash('contraseña'), await passwords.hash('contraseña')]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test('right, wrong, malformed, unknown account', async () => {
  const passwords = await createPasswords(cheap)
  const hash = await passwords.hash('contraseña'.normalize('NFC'))
  expect(await passwords.verify(hash, 'contraseña'.normalize('NFD'))).toBe(true)
  expect(await passwords.verify(hash, 'contrasena')).toBe(false)
  expect(await passwords.verify('not a hash', 'contraseña')).toBe(false)
  expect(await passwords.verify(undefined, 'contraseña')).toBe(false)
})

test('too many at once are refused, the others are all answered', async () => {
  const passwords = await createPasswords(cheap)
  const most = AT_ONCE + MOST_WAITING
  const settled = await Promise.allSettled(
    Array.from({ length: most + 12 }, () => passwords.verify(undefined, 'x')),
  )
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(12)
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-attempts', retryAfter: 5_000 } })
  expect(await passwords.verify(undefined, 'x')).toBe(false)
})

test('known devices: served before all strangers', async () => {
  const passwords = await createPasswords(cheap)
  const done: string[] = []
  const strangers = Array.from({ length: MOST_STRANGERS }, (_, index) =>
    passwords
      .verify(undefined, 'x', { isPatient: true })
      .then(() => done.push(`stranger ${index}`)),
  )
  await passwords.verify(undefined, 'x').then(() => done.push('known'))
  // Those that ran when it came, and no other.
  expect(done.length).toBeLessThanOrEqual(2 * AT_ONCE + 1)
  await Promise.all(strangers)
  expect(done).toHaveLength(MOST_STRANGERS + 1)
})

test('strangers: one more than may be under way is refused after a pause, and does nothing', async () => {
  const passwords = await createPasswords(cheap)
  const end = Promise.withResolvers<void>()
  const strangers = Array.from({ length: MOST_STRANGERS }, () =>
    passwords.amongStrangers(() => end.promise),
  )
  const started = performance.now()
  let hasRun = false
  const oneMore = passwords.amongStrangers(async () => {
    hasRun = true
  })
  await expect(oneMore).rejects.toMatchObject({ code: 'too-many-attempts', retryAfter: 5_000 })
  // Timers may end a little early.
  expect(performance.now() - started).toBeGreaterThan(PAUSE_IN_CROWD - 50)
  expect(hasRun).toBe(false)
  end.resolve()
  await Promise.all(strangers)
  expect(await passwords.amongStrangers(async () => 'room again')).toBe('room again')
})

test('strangers: a failing attempt releases its place', async () => {
  const passwords = await createPasswords(cheap)
  for (let turn = 0; turn <= MOST_STRANGERS; turn += 1)
    await expect(
      passwords.amongStrangers(() => Promise.reject(new Error(`no ${turn}`))),
    ).rejects.toThrow(`no ${turn}`)
})

test('outdated hash: one of another cost, or no hash at all', async () => {
  const passwords = await createPasswords(cheap)
  expect(passwords.isOutdated(await passwords.hash('contraseña'))).toBe(false)
  const dearer = await createPasswords({ memory: 16, passes: 1 })
  expect(passwords.isOutdated(await dearer.hash('contraseña'))).toBe(true)
  expect(passwords.isOutdated('not a hash')).toBe(true)
})

test('32 bytes of a short secret, the same for the same salt', async () => {
  const passwords = await createPasswords(cheap)
  const salt = new Uint8Array(16).fill(1)
  const derived = await passwords.derive('K7Q2', salt)
  expect(derived).toHaveLength(32)
  expect(await passwords.derive('K7Q2', salt)).toEqual(derived)
  expect(await passwords.derive('K7Q2', new Uint8Array(16))).not.toEqual(derived)
})
