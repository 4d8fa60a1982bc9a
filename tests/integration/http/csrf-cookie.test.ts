import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, browserContext, systemContext } from '#app/http/context.ts'
import { setCookie } from '#app/http/cookies/cookies.ts'
import { csrfCookieFor } from '#app/http/csrf.ts'
import { isCsrfTokenOf } from '#server/domain/crypto/csrf.ts'
import { stranger } from '#tests/support/builders.ts'
import { anAccount, newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('token for the forms of scripts', (current) => {
  test('of a response that sets the cookie of a session twice: is bound to the last, as the browser is', async () => {
    const system = current()
    const account = await anAccount(system)
    const [first, second] = [await newSession(system, account), await newSession(system, account)]
    const context = new RouterContextProvider()
    context.set(systemContext, system)
    context.set(actorContext, stranger())
    context.set(browserContext, { id: 'a browser', isNew: false })
    const headers = new Headers()
    for (const { tokens } of [first, second])
      headers.append('Set-Cookie', setCookie('__Host-session', tokens.access))
    const cookie = await csrfCookieFor(new Request('http://localhost/'), context, headers)
    const token = /^csrftoken=([^;]*)/.exec(cookie ?? '')?.[1] ?? ''
    const { csrfKey } = system.settings
    expect(isCsrfTokenOf(csrfKey, second.session.id, token)).toBe(true)
    expect(isCsrfTokenOf(csrfKey, first.session.id, token)).toBe(false)
  })

  test('that the browser has already: is not set again', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const headers = new Headers({ 'Set-Cookie': setCookie('__Host-session', tokens.access) })
    const ask = async (known: string) => {
      const context = new RouterContextProvider()
      context.set(systemContext, system)
      context.set(actorContext, stranger())
      context.set(browserContext, { id: 'a browser', isNew: false })
      const request = new Request('http://localhost/', { headers: { Cookie: known } })
      return await csrfCookieFor(request, context, headers)
    }
    const given = /^csrftoken=[^;]*/.exec((await ask('')) ?? '')?.[0] ?? ''
    expect(given).not.toBe('')
    expect(await ask(given)).toBeUndefined()
  })
})
