import { describe, expect, test } from 'vitest'
import {
  conflictsOf,
  newConflicts,
  OfficePolicies,
  policyChanges,
} from '#server/domain/offices/office-policies.ts'
import { type Duration, days, hours, minutes } from '#server/domain/time.ts'
import { anOffice } from '#tests/support/builders.ts'

const policies = (changes: Partial<OfficePolicies> = {}): OfficePolicies =>
  OfficePolicies.parse({
    ...anOffice({ serverSigning: 'disabled', secondFactorGrace: null }),
    ...changes,
  })
const codes = (found: readonly { code: string }[]) => found.map(({ code }) => code)

describe('conflicts of policies', () => {
  test.each<[string, Partial<OfficePolicies>, string[]]>([
    [
      'signing on the server with an optional second factor',
      { serverSigning: 'allowed', secondFactorGrace: null },
      ['server-signing-without-second-factor'],
    ],
    [
      'signing on the server with a second factor that is required after a grace',
      { serverSigning: 'allowed', secondFactorGrace: days(7) },
      [],
    ],
    [
      'signing on the server with a second factor that is required at once',
      { serverSigning: 'allowed', secondFactorGrace: 0 as Duration },
      [],
    ],
    ['an optional second factor without signing on the server', {}, []],
    [
      'an idle limit beyond the whole session',
      { sessionIdle: hours(5), sessionAbsolute: hours(4) },
      ['idle-beyond-absolute'],
    ],
    [
      'an idle limit as long as the whole session',
      { sessionIdle: hours(4), sessionAbsolute: hours(4) },
      [],
    ],
  ])('%s', (_, changes, expected) => {
    expect(codes(conflictsOf(policies(changes)))).toEqual(expected)
  })

  test('a conflict that was there before does not block a change of another policy', () => {
    const before = policies({ serverSigning: 'allowed' })
    expect(newConflicts(before, { ...before, reminders: '3' })).toEqual([])
    const worse = { ...before, sessionIdle: hours(24), sessionAbsolute: hours(4) }
    expect(codes(newConflicts(before, worse))).toEqual(['idle-beyond-absolute'])
  })
})

test('changes of policies: each changed fact with its value before, and no other', () => {
  const before = policies({})
  const after = policies({
    reminders: '1',
    sessionIdle: minutes(10),
  })
  expect(policyChanges(before, after)).toEqual({
    reminders: '1',
    remindersBefore: 'none',
    sessionIdle: minutes(10),
    sessionIdleBefore: minutes(30),
  })
  expect(policyChanges(before, before)).toEqual({})
})
