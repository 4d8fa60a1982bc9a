import { expect, test } from 'vitest'
import { deadlineView } from '#app/http/deadline.ts'
import { orErrorText } from '#app/http/file-answer.ts'
import { redirectToSigningLink } from '#app/http/redirect-to-signing-link.ts'
import { shownPerson } from '#app/http/shown-person.ts'
import { Problem } from '#server/domain/problem.ts'
import { anOffice, asPerson, aUser, MORNING, stranger } from '#tests/support/builders.ts'

test('deadline: its day in the zone of the office, or none', () => {
  expect(deadlineView(null, 'America/Mexico_City')).toBeNull()
  expect(deadlineView(MORNING, 'America/Mexico_City')).toEqual({
    at: MORNING,
    day: expect.stringContaining('2026'),
  })
})

test('person of a page: has names and roles; a stranger is none', () => {
  const person = asPerson(aUser(anOffice(), { firstName: 'Ana', lastName: 'Prado' }))
  expect(shownPerson(person)).toEqual({
    ...{ firstName: 'Ana', lastName: 'Prado', initials: 'AP' },
    roles: person.roles,
  })
  expect(shownPerson(stranger())).toBeNull()
})

test('file that is refused: the answer is a sentence; a fault is none', async () => {
  const refusal = orErrorText(Promise.reject(new Problem('not-found', 'a test')))
  const answer = await refusal.catch((thrown: unknown) => thrown)
  expect(answer).toBeInstanceOf(Response)
  expect((answer as Response).status).toBe(404)
  const fault = new TypeError('a test')
  await expect(orErrorText(Promise.reject(fault))).rejects.toBe(fault)
})

const asked = (headers: Record<string, string>, method = 'GET') =>
  new Request('http://localhost/sign/documents', { method, headers })

test('guest without a valid link: gets the page that opens links, and a message if there was one', async () => {
  const first = await redirectToSigningLink(asked({}))
  expect([first.status, first.headers.get('Location')]).toEqual([303, '/sign'])
  expect(first.headers.getSetCookie()).toEqual([])
  const ended = await redirectToSigningLink(asked({ Cookie: '__Host-guest=1' }))
  const cookies = ended.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  expect(cookies).toEqual(['__Host-guest=', '__Host-flash=signing-link-over'])
})

test('guest who rejected: gets the page that says so, and keeps the token that shows it', async () => {
  const ended = await redirectToSigningLink(asked({ Cookie: '__Host-guest=1' }), true)
  expect([ended.status, ended.headers.get('Location')]).toEqual([303, '/sign'])
  expect(ended.headers.getSetCookie()).toEqual([])
})

test('guest without a valid link: a form that a script sent gets the message alone', async () => {
  const answer = redirectToSigningLink(asked({ 'X-Form': 'send' }, 'POST'))
  await expect(answer).rejects.not.toBeInstanceOf(Response)
})
