import { expect, test } from 'vitest'
import { readCookie, readTheme, Theme } from '#app/http/cookies/cookies.ts'
import { type FlashKey, flash, flashOfNumber, readFlash } from '#app/http/cookies/flash.ts'
import {
  clearSessionCookies,
  sessionCookies,
  signInCookie,
} from '#app/http/cookies/session-cookies.ts'
import { flashTexts } from '#app/messages/notices.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import { after, hours, type Instant, minutes } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

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

test('theme: each can be chosen, and nothing else', () => {
  for (const theme of ['light', 'dark', 'system']) expect(Theme.parse(theme)).toBe(theme)
  expect(Theme.safeParse('purple').success).toBe(false)
})

test('message for the next page: each kind is carried by its key; an unknown key is none', () => {
  for (const key of Object.keys(flashTexts) as FlashKey[]) {
    const [cookie = ''] = flash(key).split(';', 1)
    expect(readFlash(withCookies(cookie))).toStrictEqual(flashTexts[key])
  }
  for (const key of ['toString', 'no-such-key', ''])
    expect(readFlash(withCookies(`__Host-flash=${key}`))).toBeNull()
})

test('message for the next page: says the number of an instrument, and nothing but digits', () => {
  const [cookie = ''] = flashOfNumber('number-taken', 4530).split(';', 1)
  expect(readFlash(withCookies(cookie))).toEqual({
    type: 'success',
    message: 'El número 4,530 quedó en el documento.',
  })
  for (const value of ['number-taken', 'number-taken~', 'number-taken~x', 'number-taken~123456789'])
    expect(readFlash(withCookies(`__Host-flash=${value}`))).toBeNull()
})

test('message for the next page: has the offer to undo that came with it', () => {
  const [cookie = ''] = flash('view-removed', '1.abc_-').split(';', 1)
  expect(readFlash(withCookies(cookie))).toEqual({ ...flashTexts['view-removed'], undo: '1.abc_-' })
})

test('cookies of a session: last an hour longer than it, and never less than no time', () => {
  const tokens = { access: 'a', refresh: 'b', expiresAt: after(MORNING, minutes(30)) }
  const agesAt = (now: Instant) =>
    sessionCookies(tokens as SessionTokens, now).map((line) => /Max-Age=(-?\d+)/.exec(line)?.[1])
  expect(agesAt(MORNING)).toEqual(['5400', '5400', '5400'])
  expect(agesAt(after(MORNING, hours(2)))).toEqual(['0', '0', '0'])
})

test('cookie between the password and the second factor: lasts an hour', () => {
  expect(signInCookie('x' as Token)).toMatch(/^__Host-sign-in=x; .*Max-Age=3600$/)
})

test('sign-out: clears every cookie of the session', () => {
  const cleared = clearSessionCookies()
  expect(cleared.map((line) => line.split('=', 1)[0])).toEqual([
    '__Host-session',
    '__Host-refresh_token',
    'refresh_token',
  ])
  for (const line of cleared) expect(line).toMatch(/^[\w-]+=;.*Max-Age=0/)
})
