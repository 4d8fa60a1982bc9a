import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { longWorkbook, workbook } from '#server/adapters/reports/workbook.ts'
import type { ReportPiece } from '#server/domain/reports/report-piece.ts'

const HEAD = { title: 'Índice & más', lines: ['12 notarías', 'Hecho hoy'] }

/** The rows of a workbook with these texts, as another reader of the file finds them. */
async function readBack(texts: readonly string[]) {
  async function* pieces(): AsyncGenerator<ReportPiece> {
    yield { kind: 'table', table: { name: 'Acto', columns: [{ name: 'Acto', isNumber: false }] } }
    yield { kind: 'rows', rows: texts.map((text) => [text]) }
  }
  const { sheets } = await readXlsx(await workbook(HEAD, pieces()))
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
  const chunks = await Array.fromAsync(longWorkbook(HEAD, pieces()))
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

test('workbook: is printed with its head on each page, long texts in several lines, and its note below', async () => {
  const acts = 'Poder general para pleitos y cobranzas, y para actos de administración'
  async function* pieces(): AsyncGenerator<ReportPiece> {
    const columns = [
      { name: 'Acto', isNumber: false },
      { name: 'Total', isNumber: true },
    ]
    yield { kind: 'table', table: { name: 'Acto', columns, note: 'Una nota. '.repeat(20) } }
    yield { kind: 'rows', rows: [[acts, 3]] }
    yield { kind: 'rows', rows: [['Total', 3]], isSum: true }
  }
  const { sheets } = await readXlsx(await workbook(HEAD, pieces()), { readStyles: true })
  const [sheet] = sheets
  expect(sheet?.pageSetup).toMatchObject({ printTitlesRow: '$1:$1', fitToWidth: 1 })
  expect(sheet?.headerFooter).toMatchObject({
    oddHeader: '&L 12 notarías&R&BÍndice && más',
    oddFooter: '&LHecho hoy&RPágina &P de &N',
  })
  expect(sheet?.columns?.map(({ width }) => Math.round(width ?? 0))).toEqual([32, 8])
  expect(sheet?.merges).toEqual([{ startRow: 4, startCol: 0, endRow: 4, endCol: 1 }])
  expect(sheet?.rowDefs?.get(1)).toMatchObject({ height: 45 })
  const styleAt = (at: string) => sheet?.cells?.get(at)?.style
  expect(styleAt('1,0')).toMatchObject({ alignment: { wrapText: true } })
  expect(styleAt('2,1')).toMatchObject({ font: { bold: true } })
})
