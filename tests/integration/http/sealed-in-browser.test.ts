import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  codeField,
  openedCode,
  sealedCode,
  withoutFragment,
  withSealedCode,
} from '#app/http/code-field.ts'
import { actorContext, browserContext, systemContext } from '#app/http/context.ts'
import { readSigningLinkCookie, signingLinkCookie } from '#app/http/cookies/signing-link-cookie.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SignerId, SigningLinkId } from '#server/domain/ids.ts'
import { after, hours, minutes } from '#server/domain/time.ts'
import { anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const CODE = ActivationCode.parse('0123456789ABCDEFGHJKMNPQRS')

function contextOf(system: TestSystem, actor: Actor, browser = 'browser-1') {
  const context = new RouterContextProvider()
  context.set(systemContext, system)
  context.set(actorContext, actor)
  context.set(browserContext, { id: browser, isNew: false })
  return context
}

const requestWith = (lines: readonly string[]) =>
  new Request('http://localhost/', {
    headers: { Cookie: lines.map((line) => line.split(';', 1)[0]).join('; ') },
  })

const linkOf = (system: TestSystem, place: number) => ({
  id: SigningLinkId.parse(`00000000-0000-4000-8000-0000000000${10 + place}`),
  signerId: SignerId.parse(`00000000-0000-4000-9000-0000000000${10 + place}`),
  code: CODE,
  expiresAt: after(system.clock.now(), hours(72)),
})

onEachSystem('codes that the browser keeps sealed', (current) => {
  test('code of a form: opens in its browser alone, and is not in the page', () => {
    const context = contextOf(current(), stranger())
    const kept = sealedCode(context, { code: '0123-4567-89AB-CDEF-GHJK-MNPQ-RS' })
    expect(kept).not.toContain(CODE)
    expect(openedCode(context, { keptCode: kept })).toBe(CODE)
    expect(
      openedCode(contextOf(current(), stranger(), 'browser-2'), { keptCode: kept }),
    ).toBeUndefined()
    expect(openedCode(context, { keptCode: kept?.replace('.', '.AAAA') })).toBeUndefined()
  })

  test('code that was typed: wins over the kept one', () => {
    const context = contextOf(current(), stranger())
    const keptCode = sealedCode(context, { code: CODE })
    const other = 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ'
    expect(openedCode(context, { code: other, keptCode })).toBe(other)
    expect(openedCode(context, { code: '', keptCode })).toBe(CODE)
  })

  test('fault of the vault: is a fault, not an altered text', () => {
    const system = current()
    const keptCode = sealedCode(contextOf(system, stranger()), { code: CODE })
    const open = () => {
      throw new TypeError('a test')
    }
    const faulty = contextOf({ ...system, vault: { ...system.vault, open } }, stranger())
    expect(() => openedCode(faulty, { keptCode })).toThrow(TypeError)
  })

  test('text that is no code: is not kept', () => {
    const context = contextOf(current(), stranger())
    for (const code of ['', 'corto', undefined, 7, [CODE]])
      expect(sealedCode(context, { code })).toBeUndefined()
  })

  test('form with the kept code: has it in the field; without one the sentence says what to type', () => {
    const context = contextOf(current(), stranger())
    const schema = withSealedCode(context, z.object({ code: codeField, name: z.string() }))
    const keptCode = sealedCode(context, { code: CODE })
    expect(schema.parse({ keptCode, name: 'Ana' })).toEqual({ code: CODE, name: 'Ana' })
    const refused = schema.safeParse({ keptCode: [keptCode], name: 'Ana' })
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      'Escriba los 26 caracteres del código, como están en el enlace o en la hoja que le dieron.',
    ])
  })

  test('redirect after a code in the address: names a fragment, so that the browser drops the code', () => {
    const response = new Response(null, { status: 303, headers: { Location: '/activate' } })
    expect(withoutFragment(response).headers.get('Location')).toBe('/activate#contenido')
  })
})

onEachSystem('signing links on the screen', (current) => {
  const person = asPerson(aUser(anOffice()))

  test('links of a session: stay on its screen for thirty minutes', () => {
    const system = current()
    const context = contextOf(system, person)
    const [first, second] = [linkOf(system, 1), linkOf(system, 2)]
    const one = signingLinkCookie(requestWith([]), context, first)
    const line = signingLinkCookie(requestWith([one]), context, second)
    expect(line).toMatch(/Max-Age=1800\b/)
    const both = requestWith([line])
    expect(readSigningLinkCookie(both, context, first.id)).toMatchObject(first)
    expect(readSigningLinkCookie(both, context, second.id)).toMatchObject(second)
    system.wait(minutes(29))
    expect(readSigningLinkCookie(both, context, first.id)).toMatchObject(first)
    system.wait(minutes(1))
    expect(readSigningLinkCookie(both, context, first.id)).toBeUndefined()
  })

  test('new link of the same signer: replaces the one before', () => {
    const system = current()
    const context = contextOf(system, person)
    const first = linkOf(system, 1)
    const second = { ...linkOf(system, 2), signerId: first.signerId }
    const one = signingLinkCookie(requestWith([]), context, first)
    const request = requestWith([signingLinkCookie(requestWith([one]), context, second)])
    expect(readSigningLinkCookie(request, context, first.id)).toBeUndefined()
    expect(readSigningLinkCookie(request, context, second.id)).toMatchObject(second)
  })

  test('more links than a browser keeps: the oldest goes, and the cookie stays below 4,096 bytes', () => {
    const system = current()
    const context = contextOf(system, person)
    let line = ''
    for (let place = 0; place <= 10; place += 1)
      line = signingLinkCookie(requestWith(line ? [line] : []), context, linkOf(system, place))
    expect(line.length).toBeLessThan(4096)
    const shown = Array.from({ length: 11 }, (_, place) =>
      readSigningLinkCookie(requestWith([line]), context, linkOf(system, place).id),
    )
    expect(shown.map((link) => link !== undefined)).toEqual([false, ...Array(10).fill(true)])
  })

  test('cookie of another session, an altered one, none: show no link', () => {
    const system = current()
    const context = contextOf(system, person)
    const link = linkOf(system, 1)
    const line = signingLinkCookie(requestWith([]), context, link)
    const other = contextOf(system, asPerson(aUser(anOffice())))
    expect(readSigningLinkCookie(requestWith([line]), other, link.id)).toBeUndefined()
    for (const text of ['__Host-signing-link=1.AAAA', '__Host-signing-link=x', 'a=1'])
      expect(readSigningLinkCookie(requestWith([text]), context, link.id)).toBeUndefined()
  })
})
