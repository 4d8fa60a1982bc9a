import { expect, test } from 'vitest'
import { createPasswords } from '#server/adapters/passwords.ts'

const cheap = { memory: 8, passes: 1 }

test('a hash says how it was made, and is another one each time', async () => {
  const passwords = await createPasswords()
  const [first, second] = [await passwords.hash('contraseña'), await passwords.hash('contraseña')]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test('right, wrong, malformed, nobody', async () => {
  const passwords = await createPasswords(cheap)
  const hash = await passwords.hash('contraseña'.normalize('NFC'))
  expect(await passwords.verify(hash, 'contraseña'.normalize('NFD'))).toBe(true)
  expect(await passwords.verify(hash, 'contrasena')).toBe(false)
  expect(await passwords.verify('not a hash', 'contraseña')).toBe(false)
  expect(await passwords.verify(undefined, 'contraseña')).toBe(false)
})

test('too many at once are refused, the others are all answered', async () => {
  const passwords = await createPasswords(cheap)
  const settled = await Promise.allSettled(
    Array.from({ length: 80 }, () => passwords.verify(undefined, 'x')),
  )
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(80 - 68)
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-attempts' } })
  expect(await passwords.verify(undefined, 'x')).toBe(false)
})
