import { expect, test } from 'vitest'
import { AnswerOfKey } from '#app/http/answer-of-key.ts'

test('answer of a security key: is the value in its JSON', () => {
  expect(AnswerOfKey.parse('{"id":"x","ok":[true]}')).toEqual({ id: 'x', ok: [true] })
})

test('answer of a security key that is no JSON, or too long: is refused', () => {
  const { error } = AnswerOfKey.safeParse('{"id":')
  expect(error?.issues).toMatchObject([{ code: 'custom', message: 'no JSON' }])
  expect(AnswerOfKey.safeParse(JSON.stringify('x'.repeat(60_000))).success).toBe(false)
})
