import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { COMMON_PASSWORDS } from '#server/adapters/password-rating/common-passwords.ts'
import { createPasswordRating } from '#server/adapters/password-rating.ts'
import { contextWords, weaknessOf } from '#server/domain/identity/password.ts'
import { seconds } from '#server/domain/time.ts'

const rate = createPasswordRating()

test.each([
  ['contraseña12345', { isTooCommon: true, score: 1 }],
  ['123456789012345', { isTooCommon: true }],
  ['qwertyuiopasdfg', { isTooCommon: true }],
  ['aaaaaaaaaaaaaaaaa', { score: 0, warning: 'repeated' }],
  ['abcdefghijklmnop', { score: 0, warning: 'sequence' }],
  ['juancarlosperez', { score: 2 }],
  ['aaaa bbbb cccc dddd eeee', { score: 4, isTooCommon: false, pattern: 'repeated' }],
  ['ñandú ✓ 𝔘nicode', { score: 4, isTooCommon: false }],
  ['caballo correcto batería', { score: 4, isTooCommon: false }],
])('%s', async (password, rating) => {
  expect(await rate(password, [])).toMatchObject(rating)
})

/** Without an office: only what is public is known. */
async function weaknessBy(password: string) {
  const words = contextWords([])
  return weaknessOf(password, words, await rate(password, words))
}

test.each([
  ['Password123456789!', 'sequence'],
  ['contraseña-contraseña', 'repeated'],
  ['aaaa bbbb cccc dddd eeee', 'repeated'],
  ['bienvenido bienvenido', 'repeated'],
  ['virgendeguadalupe1531', 'too-common'],
  ['Virgen de Guadalupe 1531', 'too-common'],
  ['P4ssw0rd-987654321', 'sequence'],
  ['Welcome Welcome 2026', 'repeated'],
  ['iloveyou teamo 2025', 'too-common'],
  ['qwertyuiop 1234567890', 'keyboard'],
  ['1q2w3e4r5t6y7u8i9o0p', 'too-common'],
  ['qazwsxedcrfvtgbyhn', 'too-common'],
  ['diosesamor diosesamor', 'repeated'],
  ['jesusteamo123456', 'too-common'],
  ['mexicolindoyquerido', 'too-common'],
  ['abcdefgh12345678', 'too-common'],
  ['teamo teamo teamo teamo', 'repeated'],
])('%s is refused: %s', async (password, weakness) => {
  expect(await weaknessBy(password)).toBe(weakness)
})

test.each([
  'tortuga verde sobre el tejado',
  'caballo correcto batería',
  'caballo correcto batería grapa',
  'caballo grapa pila correcto',
  'ñandú lámpara treinta ríos',
  'zorro lápiz 9añ',
  'ñandú ✓ 𝔘nicode',
  'todo en minusculas y largo',
  'todas minúsculas está bien',
  'ximena pinta ventanas verdes',
  '15 lámparas y un abedul',
  'monterrey café lluvioso tren',
  'correct horse battery staple',
  'purple elephant dances slowly',
  'mi perro come sandía fría',
  'una jacaranda, dos colibríes',
  'hV7-qkT2-wZ9r-Lm3x',
  'k3Qx9vTz71LmNw8',
  'Lluvia#Barro/Violín=73',
  'el martes compré 4 peras',
  'desde las redes de ayer',
  '雨の日は静かに本を読みたいです',
])('%s is accepted', async (password) => {
  expect(await weaknessBy(password)).toBeUndefined()
})

test('common passwords: tens of thousands, English and Spanish, none of them lost', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(40_000)
  for (const one of ['password', 'contrasena', 'bienvenido', 'virgendeguadalupe', 'teamo'])
    expect([one, COMMON_PASSWORDS.has(one)]).toEqual([one, true])
})

test('password rating: words of the office add little', async () => {
  const without = await rate('zacatlan1847', [])
  const known = await rate('zacatlan1847', ['zacatlan', '1847'])
  expect(known.score).toBeLessThan(without.score)
})

test('begins again after it has ended by itself', async () => {
  const impatient = createPasswordRating(seconds(0.02))
  expect(await impatient('caballo correcto batería', [])).toMatchObject({ score: 4 })
  await wait(100)
  expect(await impatient('caballo correcto batería', [])).toMatchObject({ score: 4 })
})

test('password rating: patient ones wait until no other waits', async () => {
  const order: string[] = []
  const rated = (name: string, isPatient: boolean) =>
    rate('abcdefghijklmnop', [], { isPatient }).then(() => order.push(name))
  await Promise.all([
    rated('first patient', true),
    rated('second patient', true),
    rated('other', false),
  ])
  expect(order).toEqual(['first patient', 'other', 'second patient'])
})

test('too many at once are refused, the others are all answered', async () => {
  const settled = await Promise.allSettled(
    Array.from({ length: 40 }, () => rate('abcdefghijklmnop', [])),
  )
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(40 - 33)
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-attempts' } })
})
