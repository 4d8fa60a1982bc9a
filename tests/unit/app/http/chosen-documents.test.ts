import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chosenIn, mustHaveChosen } from '#app/http/documents/chosen-documents.ts'
import { CHOSEN } from '#app/messages/field-names.ts'
import { MOST_CHOSEN } from '#server/domain/documents/chosen.ts'
import { DocumentId } from '#server/domain/ids.ts'

const query = (...ids: string[]) => new URLSearchParams(ids.map((id) => [CHOSEN, id]))
const ids = Array.from({ length: MOST_CHOSEN + 1 }, () => DocumentId.parse(randomUUID()))

test('chosen documents: each once, and what is no id is left out', () => {
  const [one, other] = ids
  expect(chosenIn(query(one!, other!, 'x', one!))).toEqual([one, other])
})

test('chosen documents: no more than a page of the list', () => {
  expect(chosenIn(query(...ids))).toEqual(ids.slice(0, MOST_CHOSEN))
})

test('page of chosen documents: without any it leads back to the list, with a message', () => {
  expect(mustHaveChosen(query(ids[0]!))).toEqual([ids[0]])
  const answer = (() => {
    try {
      return mustHaveChosen(query('x'))
    } catch (thrown) {
      return thrown
    }
  })()
  expect(answer).toBeInstanceOf(Response)
  const { status, headers } = answer as Response
  expect([status, headers.get('Location')]).toEqual([302, '/dashboard/documents'])
  expect(headers.get('Set-Cookie')).toContain('none-chosen')
})
