import { expect, test } from 'vitest'
import { Role } from '#server/domain/identity/role.ts'
import { ACTIONS, authorize, isAllowed } from '#server/domain/policy/authorize.ts'
import { anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

const office = anOffice()
const personWith = (...roles: Role[]) => asPerson(aUser(office, { roles }))

test('the whole table', () => {
  const table = Object.fromEntries(
    ACTIONS.map((action) => [
      action,
      Role.options.filter((role) => isAllowed([role], action)).join(),
    ]),
  )
  expect(table).toEqual({
    'audit.read': 'ADMIN,NOTARY,AUDITOR',
    'audit.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'certificates.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'document.cancel': 'NOTARY,LAWYER',
    'document.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'document.reject': 'NOTARY,LAWYER',
    'document.sign': 'NOTARY,LAWYER',
    'document.upload': 'NOTARY,LAWYER,CLERK',
    'office.manage': 'ADMIN',
    'office.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'sessions.end-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'sessions.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'users.manage': 'ADMIN',
    'users.read': 'ADMIN,NOTARY,AUDITOR',
    'users.read-names': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
  })
})

test('whoever passes is returned', () => {
  const notary = personWith('CLERK', 'NOTARY')
  expect(authorize(notary, 'document.sign', { officeId: office.id })).toBe(notary)
})

test.each([
  ['a stranger', stranger(), office, 'not-signed-in'],
  ['a person without the role', personWith('CLERK'), office, 'forbidden'],
  ['a person without any role', personWith(), office, 'forbidden'],
  ['a person of another office', personWith('NOTARY'), anOffice(), 'not-found'],
  ['even there, what the role forbids', personWith('CLERK'), anOffice(), 'not-found'],
] as const)('%s is refused', (_, actor, { id }, code) => {
  expect(() => authorize(actor, 'document.sign', { officeId: id })).toThrow(
    expect.objectContaining({ code }),
  )
})
