import { createSecretKey } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, browserContext, systemContext } from '#app/http/context.ts'
import { csrfTokenFor, csrfTokenOfPage, mustBeOurForm } from '#app/http/csrf.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import { aGuest, anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

const OFFICE = anOffice()
const settings = {
  csrfKey: createSecretKey(new Uint8Array(32).fill(1)),
  publicOrigin: 'https://notaria.example',
}

function contextOf(actor: Actor, browser = 'a browser'): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(systemContext, { settings } as unknown as System)
  context.set(actorContext, actor)
  context.set(browserContext, { id: browser, isNew: false })
  return context
}

/** Whether the form may be sent to this address. */
function isOurs(actor: Actor, path: string, token: string | undefined, headers = {}): boolean {
  const request = new Request(`https://notaria.example${path}`, { method: 'POST', headers })
  try {
    mustBeOurForm(request, contextOf(actor), token)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'cross-site' })
    return false
  }
}

test('form: has the token of its session, its link or its browser', () => {
  const [person, other] = [asPerson(aUser(OFFICE)), asPerson(aUser(OFFICE))]
  const guest = aGuest(OFFICE)
  for (const actor of [person, guest, stranger()]) {
    const token = csrfTokenFor(contextOf(actor))
    expect(isOurs(actor, '/dashboard', token)).toBe(true)
    expect(isOurs(actor, '/dashboard', undefined, { 'X-CSRFToken': token })).toBe(true)
    expect(isOurs(other, '/dashboard', token)).toBe(false)
    expect(isOurs(actor, '/dashboard', '')).toBe(false)
  }
  const elsewhere = csrfTokenFor(contextOf(stranger(), 'another browser'))
  expect(isOurs(stranger(), '/login', elsewhere)).toBe(false)
})

test('form that was opened before the sign-in: may be sent after it where it needs no session', () => {
  const person = asPerson(aUser(OFFICE))
  const token = csrfTokenFor(contextOf(stranger()))
  for (const path of ['/login', '/login.data', '/logout', '/verify/document'])
    expect(isOurs(person, path, token)).toBe(true)
  for (const path of ['/dashboard', '/documents', '/login/more'])
    expect(isOurs(person, path, token)).toBe(false)
})

test('theme: a stranger needs no token, if the browser says that the form is ours', () => {
  const ours = [{ Origin: settings.publicOrigin }, { 'Sec-Fetch-Site': 'same-origin' }]
  for (const headers of ours) {
    expect(isOurs(stranger(), '/theme', undefined, headers)).toBe(true)
    expect(isOurs(stranger(), '/login', undefined, headers)).toBe(false)
    expect(isOurs(asPerson(aUser(OFFICE)), '/theme', undefined, headers)).toBe(false)
  }
  expect(isOurs(stranger(), '/theme', undefined, { Origin: 'https://other.example' })).toBe(false)
})

test('page: gives a stranger a token only where its forms work without a session', () => {
  expect(csrfTokenOfPage('/login', contextOf(stranger()))).not.toBe('')
  expect(csrfTokenOfPage('/about', contextOf(stranger()))).toBe('')
  expect(csrfTokenOfPage('/about', contextOf(asPerson(aUser(OFFICE))))).not.toBe('')
})
