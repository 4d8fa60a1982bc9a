import { expect, test } from 'vitest'
import { readCookie, readTheme } from '#app/http/cookies/cookies.ts'

const withCookies = (text: string) =>
  new Request('http://localhost/', { headers: { Cookie: text } })

test.each([
  ['among others', 'a=1; __Host-flash=two%20words; b=2', 'two words'],
  ['empty', '__Host-flash=', undefined],
  ['not there', '__Host-flashy=1', undefined],
  ['spoiled', '__Host-flash=%zz', undefined],
])('a cookie that is %s', (_, text, value) => {
  expect(readCookie(withCookies(text), '__Host-flash')).toBe(value)
})

test.each([
  ['light', 'light'],
  ['dark', 'dark'],
  ['system', 'system'],
  ['purple', 'system'],
])('the theme %s is shown as %s', (value, theme) => {
  expect(readTheme(withCookies(`__Host-theme=${value}`))).toBe(theme)
})
