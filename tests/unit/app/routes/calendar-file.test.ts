import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { calendarFile } from '#app/routes/obligations/calendar-file.ts'
import type { Day } from '#server/domain/day.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { DeadlineId, DocumentId, OfficeId } from '#server/domain/ids.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import { defaultObligations } from '#server/domain/obligations/default-obligations.ts'
import type { Month } from '#server/domain/reports/month.ts'
import { parseInstant } from '#server/domain/time.ts'

const ID = DeadlineId.parse('0f8fad5b-d9cb-469f-a165-70867728950e')
const [OBLIGATION] = defaultObligations({
  ...{ id: OfficeId.parse(randomUUID()), entity: 'Jalisco' },
})

function named(name: string, document?: { kind: 'will'; number: number }): NamedDeadline {
  const documentId = DocumentId.parse(randomUUID())
  return {
    deadline: {
      ...{ id: ID, officeId: OBLIGATION!.officeId, obligationId: OBLIGATION!.id },
      about: document
        ? { kind: 'document', documentId, base: '2026-11-20' as Day }
        : { kind: 'month', period: '2026-11' as Month },
      ...{ dueOn: '2026-12-31' as Day, state: 'open', stateBy: null },
      ...{ stateSince: parseInstant('2026-11-20T15:00:00Z') },
      ...{ doneOn: null, note: null, acknowledgement: null, noticeOn: null, alert: null },
    },
    obligation: { ...OBLIGATION!, name },
    document: document && {
      ...{ id: documentId, kind: document.kind, folio: folioOf(2026, document.number) },
    },
  }
}

const calendarOf = (deadlines: NamedDeadline[], hasMore: boolean) =>
  calendarFile(
    { officeId: OBLIGATION!.officeId, today: '2026-11-29' as Day, deadlines, hasMore },
    { origin: 'https://notaria.example' },
  )
const fileOf = (...deadlines: NamedDeadline[]) => calendarOf(deadlines, false)

/** Unfolded lines, per RFC 5545, 3.1. */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

test('calendar: an event of the whole day, with the folio and kind of its document', () => {
  const lines = linesOf(fileOf(named('Aviso de testamento', { kind: 'will', number: 12 })))
  for (const line of [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', `UID:${ID}@rubrica`, 'DTSTAMP:20261120T150000Z'],
    ...['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101', 'TRANSP:TRANSPARENT'],
    'SUMMARY:Aviso de testamento: 2026-000012 (Testamento)',
    `URL;VALUE=URI:https://notaria.example/dashboard/obligations/${ID}`,
    ...['END:VEVENT', 'END:VCALENDAR'],
  ])
    expect(lines).toContain(line)
})

test('calendar: that of a month is named by it', () => {
  expect(linesOf(fileOf(named('PLD')))).toContain('SUMMARY:PLD: noviembre de 2026')
})

test('calendar: if some were left out, one event of today says so and leads to the list', () => {
  const lines = linesOf(calendarOf([named('PLD')], true))
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2)
  for (const line of [
    ...[`UID:more-${OBLIGATION!.officeId}@rubrica`, 'DTSTAMP:20261129T000000Z'],
    ...['DTSTART;VALUE=DATE:20261129', 'SUMMARY:Hay más obligaciones pendientes en Rúbrica'],
    'URL;VALUE=URI:https://notaria.example/dashboard/obligations',
  ])
    expect(lines).toContain(line)
})

test('calendar: the same deadline has the same text, whenever it is asked for', () => {
  const one = named('Aviso')
  expect(fileOf(one)).toBe(fileOf(one))
})

test('calendar: text is escaped', () => {
  const lines = linesOf(fileOf(named('Uno, dos; tres \\ cuatro')))
  expect(lines).toContain('SUMMARY:Uno\\, dos\\; tres \\\\ cuatro: noviembre de 2026')
})

test.each([
  ['of two bytes', 'ñ'.repeat(100)],
  ['of one byte', 'a'.repeat(100)],
  ['of four bytes', '𝄞'.repeat(50)],
])('calendar: lines of letters %s are folded at 75 octets, and none is cut', (_, name) => {
  const file = fileOf(named(name))
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(linesOf(file)).toContain(`SUMMARY:${name}: noviembre de 2026`)
})

test('calendar: each line ends with CRLF, the last one too, and none with LF alone', () => {
  const file = fileOf(named('Aviso'), named('Otro'))
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(fileOf().split('BEGIN:VEVENT')).toHaveLength(1)
})
