import { expect, test } from 'vitest'
import { deadlineRow } from '#app/http/documents/deadline-row.ts'
import { Day, daysAfter } from '#server/domain/day.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { Month } from '#server/domain/reports/month.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'
import { aDeadline, anObligation } from '#tests/support/office/deadline-rows.ts'

const TODAY = Day.parse('2026-11-20')

const obligation = anObligation(aUser(anOffice()), MORNING, 'Aviso de testamento')

function rowOf(deadline: Partial<Deadline>, changed: Partial<Obligation> = {}) {
  const about = { kind: 'month', period: Month.parse('2026-10') } as const
  return deadlineRow(
    {
      deadline: aDeadline(obligation, about, MORNING, { dueOn: TODAY, ...deadline }),
      obligation: { ...obligation, ...changed },
      document: undefined,
    },
    TODAY,
  )
}

test.each([
  [-1, 'bad', 'Vencida'],
  [0, 'wait', 'Vence hoy'],
  [1, 'wait', 'Por vencer'],
  [6, 'wait', 'Por vencer'],
  [7, 'plain', 'Pendiente'],
])('deadline: open, with %i days left, is shown as %s, “%s”', (left, tone, standing) => {
  expect(rowOf({ dueOn: daysAfter(TODAY, left) })).toMatchObject({ tone, standing })
})

test('deadline: a settled one is neither late nor near', () => {
  const dueOn = daysAfter(TODAY, -1)
  expect(rowOf({ dueOn, state: 'done', doneOn: TODAY })).toMatchObject({
    ...{ tone: 'good', done: { text: '20 nov 2026' } },
  })
  for (const state of ['not-applicable', 'withdrawn'] as const)
    expect(rowOf({ dueOn, state })).toMatchObject({ tone: 'plain', done: null })
})

test('deadline: its source is told with the day on which it was read, if there is one', () => {
  expect(rowOf({}).source).toBe('Circular 3 (leída el 01 nov 2026)')
  expect(rowOf({}, { sourceDay: null }).source).toBe('Circular 3')
})
