import { randomUUID } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  activationLinkCookie,
  readActivationLinkCookie,
} from '#app/http/cookies/activation-link-cookie.ts'
import { createVault } from '#server/adapters/vault.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { anOffice, asPerson, aUser, MORNING } from '#tests/support/builders.ts'
import { testSealingKeys } from '#tests/support/keys/sealing-keys.ts'

const vault = createVault(testSealingKeys())
const person = asPerson(aUser(anOffice()))
const link = {
  userId: UserId.parse(randomUUID()),
  purpose: 'activation' as const,
  code: ActivationCode.parse('0123456789ABCDEFGHJKMNPQRS'),
  expiresAt: MORNING,
}

function contextOf(actor: Person): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(systemContext, { vault } as System)
  context.set(actorContext, actor)
  return context
}

function shown(line: string, { actor = person, userId = link.userId } = {}) {
  const [cookie = ''] = line.split(';', 1)
  const request = new Request('http://localhost/', { headers: { cookie } })
  return readActivationLinkCookie(request, contextOf(actor), userId)
}

test('new link: is shown to the session that made it, on the page of its user, within two minutes', () => {
  const line = activationLinkCookie(contextOf(person), link)
  expect(shown(line)).toEqual(link)
  expect(line).toMatch(/Max-Age=120\b/)
  expect(line).not.toContain(link.code)
})

test('new link: is not shown on the page of another user, in another session, or without its cookie', () => {
  const line = activationLinkCookie(contextOf(person), link)
  expect(shown(line, { userId: UserId.parse(randomUUID()) })).toBeUndefined()
  const other = { ...person, sessionId: 'other' as Person['sessionId'] }
  expect(shown(line, { actor: other })).toBeUndefined()
  for (const text of ['a=1', '__Host-activation-link=1.AAAA']) expect(shown(text)).toBeUndefined()
})
