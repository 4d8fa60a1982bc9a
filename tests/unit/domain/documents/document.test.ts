import { expect, test } from 'vitest'
import { DocumentState } from '#server/domain/documents/document.ts'
import { isTransition, mustBeAbleToBecome } from '#server/domain/documents/document-state.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { folioOf, yearOf } from '#server/domain/documents/folio.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { parseInstant } from '#server/domain/time.ts'

test('folios', () => {
  expect(folioOf(2026, 123)).toBe('2026-000123')
  expect(folioOf(2026, 1_234_567)).toBe('2026-1234567')
})

test('the year of a folio is that of the office', () => {
  const newYear = parseInstant('2027-01-01T05:59:59Z')
  expect(yearOf(newYear, 'America/Mexico_City')).toBe(2026)
  expect(yearOf(newYear, 'America/Cancun')).toBe(2027)
})

test('all transitions', () => {
  const next = Object.fromEntries(
    DocumentState.options.map((from) => [
      from,
      DocumentState.options.filter((to) => isTransition(from, to)).join(),
    ]),
  )
  expect(next).toEqual({
    draft: 'signing,signed,rejected,cancelled',
    signing: 'draft,signing,signed,rejected,cancelled',
    signed: 'signing',
    rejected: '',
    cancelled: '',
  })
})

test('a refused transition', () => {
  const id = DocumentId.parse('7d5c1a3e-6d0b-4c43-9c55-0d9f6a3d2b11')
  expect(() => mustBeAbleToBecome({ id, state: 'cancelled' }, 'signed')).toThrow(
    expect.objectContaining({ code: 'wrong-state' }),
  )
})

test.each([
  ['Escritura ñ.pdf', 'Escritura ñ.pdf'],
  ['C:\\Users\\ana\\acta.pdf', 'acta.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['a\u0000b\r\nc.pdf', 'abc.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['', 'documento.pdf'],
  [`${'ñ'.repeat(300)}.pdf`, 'ñ'.repeat(200)],
])('the file name %j becomes %j', (given, expected) => {
  expect(FileName.parse(given)).toBe(expected)
})
