import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { longWorkbook, workbook } from '#server/adapters/reports/workbook.ts'
import type { ReportPiece } from '#server/domain/reports/report-piece.ts'

/** The rows of a workbook with these texts, as another reader of the file finds them. */
async function readBack(texts: readonly string[]) {
  async function* pieces(): AsyncGenerator<ReportPiece> {
    yield { kind: 'table', table: { name: 'Acto', columns: [{ name: 'Acto', isNumber: false }] } }
    yield { kind: 'rows', rows: texts.map((text) => [text]) }
  }
  const { sheets } = await readXlsx(await workbook(pieces()))
  return sheets[0]?.rows.slice(1).map(([cell]) => cell)
}

test('workbook: a text is no formula, and what XML cannot hold is left out', async () => {
  const texts = ['=1+1', 'uno\0\u0007\u001bdos\ufffe', 'Peñaloza 𝒜']
  expect(await readBack(texts)).toEqual(['=1+1', 'unodos', 'Peñaloza 𝒜'])
})

test('workbook: a text longer than a cell is cut, and no half of a letter is left', async () => {
  const [cell] = (await readBack([`${'x'.repeat(32_766)}𝒜`])) ?? []
  expect(cell).toBe(`${'x'.repeat(32_766)}\ufffd`)
})

/** An index of so many rows, a hundred at a time, as another reader of the file finds it. */
async function longOne(count: number) {
  async function* pieces(): AsyncGenerator<ReportPiece> {
    const columns = [{ name: 'Número', isNumber: true }]
    yield { kind: 'table', table: { name: 'Índice', columns } }
    for (let from = 0; from < count; from += 100)
      yield { kind: 'rows', rows: Array.from({ length: 100 }, (_, index) => [from + index]) }
  }
  const chunks = await Array.fromAsync(longWorkbook(pieces()))
  const { sheets } = await readXlsx(Buffer.concat(chunks))
  return { rows: sheets[0]?.rows.slice(1).map(([cell]) => cell), paper: sheets[0]?.pageSetup }
}

test('long workbook: with few rows it is as wide as its paper, and with many it has each row once', async () => {
  const few = await longOne(300)
  expect(few.rows).toEqual(Array.from({ length: 300 }, (_, index) => index))
  expect(few.paper).toMatchObject({ orientation: 'landscape' })
  const many = await longOne(12_000)
  expect(many.rows).toEqual(Array.from({ length: 12_000 }, (_, index) => index))
})
