import { expect, test } from 'vitest'
import type { Person } from '#server/domain/identity/actor.ts'
import { Role } from '#server/domain/identity/role.ts'
import {
  ACTIONS,
  type Action,
  authorize,
  isAllowed,
  mustBeGuest,
} from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, minutes } from '#server/domain/time.ts'
import { aGuest, anOffice, asPerson, aUser, MORNING, stranger } from '#tests/support/builders.ts'

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
    'accounts.link-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'accounts.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'accounts.switch-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'access-tokens.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'access-tokens.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'alerts.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'alerts.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'alerts.read-office': 'ADMIN',
    'audit.read': 'ADMIN,NOTARY,AUDITOR',
    'audit.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'calendar-feed.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'calendar-feed.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'arco.answer': 'ADMIN,NOTARY',
    'document.read-blocked': 'ADMIN,NOTARY,AUDITOR',
    'retention.decide': 'ADMIN,NOTARY',
    'retention.read': 'ADMIN,NOTARY,AUDITOR',
    'arco.read': 'ADMIN,NOTARY,LAWYER,AUDITOR',
    'arco.record': 'ADMIN,NOTARY,LAWYER',
    'consents.read': 'ADMIN,NOTARY,AUDITOR',
    'certificates.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'certificates.register-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'checklists.manage': 'ADMIN,NOTARY',
    'document-views.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'document.check': 'NOTARY,LAWYER,CLERK',
    'document.cancel': 'NOTARY,LAWYER',
    'document.cancel-copy': 'NOTARY,LAWYER,CLERK',
    'document.record-copy': 'NOTARY,LAWYER,CLERK',
    'document.replace-file': 'NOTARY,LAWYER,CLERK',
    'document.describe': 'NOTARY,LAWYER,CLERK',
    'document.place-stamp': 'NOTARY,LAWYER,CLERK',
    'document.export-evidence': 'ADMIN,NOTARY,LAWYER,AUDITOR',
    'document.purge': 'ADMIN',
    'document.withdraw-own': 'NOTARY,LAWYER,CLERK',
    'document.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'document.request-constancia': 'NOTARY,LAWYER',
    'document.sign-in-session': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'document.sign': 'NOTARY,LAWYER',
    'document.set-public-lookup': 'NOTARY',
    'document.set-public-pictures': 'NOTARY',
    'document.upload': 'NOTARY,LAWYER,CLERK',
    'factors.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'factors.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'identity.prove-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'mail.manage': 'ADMIN',
    'mail.read': 'ADMIN',
    'mail.read-secret': 'ADMIN',
    'number-series.manage': 'ADMIN,NOTARY',
    'numbers.explain': 'ADMIN,NOTARY,LAWYER',
    'numbers.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'numbers.reserve': 'NOTARY,LAWYER,CLERK',
    'obligations.manage': 'ADMIN,NOTARY',
    'obligations.mark': 'ADMIN,NOTARY,LAWYER,CLERK',
    'obligations.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'office.manage': 'ADMIN',
    'office.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'yubikeys.manage': 'ADMIN',
    'yubikeys.manage-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'yubikeys.read': 'ADMIN,NOTARY,AUDITOR',
    'yubikeys.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'password.change-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'reports.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'reports.read-people': 'ADMIN,NOTARY,AUDITOR',
    'sessions.end-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'sessions.read-own': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'signing-sessions.manage': 'NOTARY,LAWYER,CLERK',
    'signing-sessions.reject': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'signing-sessions.read': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
    'users.manage': 'ADMIN',
    'users.read': 'ADMIN,NOTARY,AUDITOR',
    'users.read-access': 'ADMIN',
    'users.read-names': 'ADMIN,NOTARY,LAWYER,CLERK,AUDITOR',
  })
})

test('authorize: returns the person who passes', () => {
  const notary = personWith('CLERK', 'NOTARY')
  expect(authorize(notary, 'document.sign', { officeId: office.id }, MORNING)).toBe(notary)
})

test.each([
  ['a stranger', stranger(), office, 'not-signed-in'],
  ['a person without the role', personWith('CLERK'), office, 'forbidden'],
  ['a person without any role', personWith(), office, 'forbidden'],
  ['a person of another office', personWith('NOTARY'), anOffice(), 'not-found'],
  ['even there, what the role forbids', personWith('CLERK'), anOffice(), 'not-found'],
] as const)('%s is refused', (_, actor, { id }, code) => {
  expect(() => authorize(actor, 'document.sign', { officeId: id }, MORNING)).toThrow(
    expect.objectContaining({ code }),
  )
})

const at = (minute: number) => after(MORNING, minutes(minute))
const asked = (action: Action, person: Person, now = MORNING) => {
  try {
    authorize(person, action, { officeId: office.id }, now)
    return 'passes'
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

test('authorize: sensitive actions need a proof of identity of the last ten minutes', () => {
  const administrator = personWith('ADMIN')
  for (const action of [
    'factors.manage-own',
    'office.manage',
    'sessions.end-own',
    'users.manage',
  ] as const) {
    expect(asked(action, administrator, at(9.99)), action).toBe('passes')
    expect(asked(action, administrator, at(10)), action).toBe('step-up-needed')
  }
  expect(asked('document.read', administrator, at(600))).toBe('passes')
})

test.each([
  [
    'change-password',
    'password-change-needed',
    ['identity.prove-own', 'password.change-own', 'sessions.read-own'],
  ],
  [
    'set-up-second-factor',
    'second-factor-needed',
    [
      'factors.manage-own',
      'factors.read-own',
      'identity.prove-own',
      'password.change-own',
      'sessions.read-own',
    ],
  ],
] as const)('authorize: a user who must %s may do little else', (duty, code, allowed) => {
  const person = asPerson(aUser(office, { roles: Role.options }), { duty })
  const passing = ACTIONS.filter((action) => asked(action, person) === 'passes')
  expect(passing.toSorted()).toEqual(allowed)
  for (const action of ACTIONS.filter((action) => !passing.includes(action)))
    expect(asked(action, person), action).toBe(code)
})

test('guest: passes, and an actor without a signing link is refused', () => {
  const guest = aGuest(office)
  expect(mustBeGuest(guest)).toBe(guest)
  for (const actor of [stranger(), personWith('NOTARY')])
    expect(() => mustBeGuest(actor)).toThrow(expect.objectContaining({ code: 'signing-link-over' }))
})
