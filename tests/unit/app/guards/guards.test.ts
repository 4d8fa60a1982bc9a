import { createStaticHandler, type MiddlewareFunction, RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import * as checklistManagers from '#app/guards/checklist-managers.tsx'
import * as guest from '#app/guards/guest.tsx'
import * as numberSeriesManagers from '#app/guards/number-series-managers.tsx'
import * as obligationManagers from '#app/guards/obligation-managers.tsx'
import * as officeManagers from '#app/guards/office-managers.tsx'
import * as signedIn from '#app/guards/signed-in.tsx'
import * as userManagers from '#app/guards/user-managers.tsx'
import * as withDuty from '#app/guards/with-duty.tsx'
import * as yubikeyManagers from '#app/guards/yubikey-managers.tsx'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import { aGuest, anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

type Guard = { middleware: unknown; loader: () => unknown }

/** Where a visit of the page behind the guard ends: on the page, or at another address. */
async function visit(guard: Guard, actor: Actor, path: string): Promise<string> {
  const { query } = createStaticHandler([
    {
      id: 'guard',
      middleware: guard.middleware as MiddlewareFunction<unknown>[],
      loader: guard.loader,
      children: [{ id: 'page', path: '*', loader: () => null }],
    },
  ])
  const request = () => new Request(`http://localhost:3000${path}`)
  const requestContext = new RouterContextProvider()
  requestContext.set(actorContext, actor)
  requestContext.set(systemContext, {} as System)
  const answer = await query(request(), {
    requestContext,
    generateMiddlewareResponse: async (run) => {
      const result = await run(request())
      return result instanceof Response ? result : new Response('page')
    },
  })
  if (!(answer instanceof Response)) throw new Error('no answer')
  return answer.status === 200 ? 'the page' : `${answer.status} ${answer.headers.get('Location')}`
}

const office = anOffice()
const person = asPerson(aUser(office, { roles: ['CLERK'] }))
const administrator = asPerson(aUser(office, { roles: ['ADMIN'] }))
const mustChange = { ...person, duty: 'change-password' } as const
const mustSetUp = { ...person, duty: 'set-up-second-factor' } as const

const known = aGuest(office)
const unknown = aGuest(office, { consentedAt: null })

describe('guard of signed-in users', () => {
  const at = '/dashboard/audit?page=2'

  test('lets a user pass', async () => {
    expect(await visit(signedIn, person, at)).toBe('the page')
  })

  test.each([
    ['stranger', stranger()],
    ['guest', known],
  ])('sends a %s to the sign-in, and back with the whole address', async (_, actor) => {
    expect(await visit(signedIn, actor, at)).toBe(
      '302 /login?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D2',
    )
  })

  test.each([
    [mustChange, '/change-password'],
    [mustSetUp, '/setup-mfa'],
  ])('sends a user with a duty to its page, and back: $duty', async (actor, page) => {
    expect(await visit(signedIn, actor, at)).toBe(
      `302 ${page}?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D2`,
    )
  })
})

describe('guard of pages of duties', () => {
  test('lets users pass, with their duty and without', async () => {
    for (const actor of [person, mustSetUp, mustChange])
      expect(await visit(withDuty, actor, '/change-password')).toBe('the page')
    for (const actor of [person, mustSetUp])
      expect(await visit(withDuty, actor, '/setup-mfa/app')).toBe('the page')
  })

  test('sends a stranger to the sign-in', async () => {
    expect(await visit(withDuty, stranger(), '/setup-mfa')).toBe(
      '302 /login?returnUrl=%2Fsetup-mfa',
    )
  })

  test('sends a user who must change the password there before the second factor', async () => {
    expect(await visit(withDuty, mustChange, '/setup-mfa/key?a=b')).toBe(
      '302 /change-password?returnUrl=%2Fsetup-mfa%2Fkey%3Fa%3Db',
    )
  })
})

describe('guard of guests', () => {
  test('lets a guest pass who has accepted the notice', async () => {
    expect(await visit(guest, known, '/sign/batch')).toBe('the page')
  })

  test('lets a guest who has not accepted the aviso only read it and the documents', async () => {
    for (const path of [
      ...['/sign/documents', '/sign/privacy', '/sign/documents/1', '/sign/documents/1/text'],
      ...['/sign/documents/1/pages/1.png', '/sign/documents/1/download/2'],
    ])
      expect([path, await visit(guest, unknown, path)]).toEqual([path, 'the page'])
    for (const path of [
      ...['/sign/batch', '/sign/documents/1/key', '/sign/documents/1/sign', '/sign/reject'],
      ...['/sign/documents/1/download', '/sign/documents/1/pages/1/2', '/sign/privacy/x'],
    ])
      expect([path, await visit(guest, unknown, path)]).toEqual([path, '303 /sign/documents'])
  })

  test('sends a visitor without a valid link to the page that opens links', async () => {
    for (const actor of [stranger(), person])
      expect(await visit(guest, actor, '/sign/documents')).toBe('303 /sign')
  })
})

test.each([
  ['numbering', numberSeriesManagers, '/dashboard/settings/numbers'],
  ['checklists', checklistManagers, '/dashboard/settings/checklists'],
  ['obligations', obligationManagers, '/dashboard/settings/obligations/new'],
])(
  'guard of %s: lets administrators and notaries pass and sends others to the dashboard',
  async (_, guard, at) => {
    const notary = asPerson(aUser(office, { roles: ['NOTARY'] }))
    for (const actor of [administrator, notary])
      expect(await visit(guard, actor, at)).toBe('the page')
    expect(await visit(guard, stranger(), at)).toBe('302 /dashboard')
  },
)

test.each([
  ['settings', officeManagers, '/dashboard/settings/office'],
  ['users', userManagers, '/dashboard/users/new'],
  ['YubiKeys', yubikeyManagers, '/dashboard/certificates/keys/new'],
])(
  'guard of %s: lets administrators pass and sends others to the dashboard',
  async (_, guard, path) => {
    expect(await visit(guard, administrator, path)).toBe('the page')
    expect(await visit(guard, stranger(), path)).toBe('302 /dashboard')
  },
)
