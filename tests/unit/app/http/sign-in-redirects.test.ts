import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { systemContext } from '#app/http/context.ts'
import {
  pathAfterDuty,
  returnPathOf,
  sessionHeaders,
  signInRedirect,
} from '#app/http/sign-in-redirects.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import type { Duty } from '#server/domain/identity/actor.ts'
import { after, hours } from '#server/domain/time.ts'
import type { FirstFactorOutcome } from '#server/features/auth/complete-first-factor.ts'
import type { System } from '#server/system.ts'
import { MORNING } from '#tests/support/builders.ts'

const ORIGIN = 'https://rubrica.example'
const context = new RouterContextProvider()
context.set(systemContext, {
  clock: { now: () => MORNING },
  settings: { publicOrigin: ORIGIN },
} as System)

const tokens = { access: 'a', refresh: 'b', expiresAt: after(MORNING, hours(1)) } as SessionTokens

const shownOf = ({ status, headers }: Response) => ({
  status,
  location: headers.get('Location'),
  cookies: namesOf(headers),
})

/** A cookie that is cleared has a minus. */
const namesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => `${/Max-Age=0/.test(line) ? '-' : ''}${line.split('=', 1)[0]}`)

const OF_SESSION = ['__Host-session', '__Host-refresh_token', 'refresh_token']

test('page after the sign-in: the one that the address names, if it is ours', () => {
  const pathOf = (returnUrl: string, ...fallback: string[]) =>
    returnPathOf(new URL(`${ORIGIN}/login${returnUrl}`), context, ...fallback)
  expect(pathOf('?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D2')).toBe('/dashboard/audit?page=2')
  expect(pathOf('?returnUrl=https%3A%2F%2Fe.example%2F')).toBe('/dashboard')
  expect(pathOf('', '/profile')).toBe('/profile')
})

test.each<[Duty | null, string]>([
  [null, '/documents?page=2'],
  ['change-password', '/change-password?returnUrl=%2Fdocuments%3Fpage%3D2'],
  ['set-up-second-factor', '/setup-mfa?returnUrl=%2Fdocuments%3Fpage%3D2'],
])('duty %s: comes before the page that was asked for', (duty, path) => {
  expect(pathAfterDuty(duty, '/documents?page=2')).toBe(path)
  const answer = signInRedirect(context, { kind: 'signed-in', tokens, duty }, '/documents?page=2')
  expect(shownOf(answer)).toEqual({
    ...{ status: 303, location: path },
    cookies: [...OF_SESSION, '-__Host-sign-in'],
  })
})

test('password of an account with a second factor: leads to it, without a session', () => {
  const outcome = { kind: 'second-factor-next', token: 'x' as Token } as FirstFactorOutcome
  expect(shownOf(signInRedirect(context, outcome, '/documents'))).toEqual({
    ...{ status: 303, location: '/mfa?returnUrl=%2Fdocuments' },
    cookies: ['__Host-sign-in'],
  })
})

test('new tokens of a session: each is in its cookie', () => {
  expect(namesOf(sessionHeaders(context, tokens))).toEqual(OF_SESSION)
})
