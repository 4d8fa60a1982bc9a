import { expect, test } from 'vitest'
import { rolesOf } from '#server/words/people.ts'

test('roles of a person: a notary is named with the capacity, others by the role alone', () => {
  expect(rolesOf({ roles: ['ADMIN', 'NOTARY'], capacity: 'titular' })).toBe(
    'Administrador, Notario titular',
  )
  expect(rolesOf({ roles: ['NOTARY'], capacity: null })).toBe('Notario')
  expect(rolesOf({ roles: ['CLERK'], capacity: null })).toBe('Auxiliar')
})
