import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPasswordRating } from '#server/adapters/password-rating.ts'
import { seconds } from '#server/domain/time.ts'

const rate = createPasswordRating()

test.each([
  ['contraseña12345', { isTooCommon: true, score: 1 }],
  ['123456789012345', { isTooCommon: true }],
  ['qwertyuiopasdfg', { isTooCommon: true }],
  ['aaaaaaaaaaaaaaaaa', { score: 0, warning: 'repeated' }],
  ['abcdefghijklmnop', { score: 0, warning: 'sequence' }],
  ['juancarlosperez', { score: 2 }],
  ['aaaa bbbb cccc dddd eeee', { score: 4, isTooCommon: false }],
  ['ñandú ✓ 𝔘nicode', { score: 4, isTooCommon: false }],
  ['caballo correcto batería', { score: 4, isTooCommon: false }],
])('%s', async (password, rating) => {
  expect(await rate(password, [])).toMatchObject(rating)
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

test('too many at once are refused, the others are all answered', async () => {
  const settled = await Promise.allSettled(
    Array.from({ length: 40 }, () => rate('abcdefghijklmnop', [])),
  )
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(40 - 33)
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-attempts' } })
})
