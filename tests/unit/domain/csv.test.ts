import { expect, test } from 'vitest'
import { csvLine } from '#server/domain/csv.ts'

test.each([
  ['a line', ['Ñandú', 7, ''], 'Ñandú,7,\r\n'],
  [
    'what separates',
    ['a,b', 'dijo "sí"', 'dos\nrenglones'],
    '"a,b","dijo ""sí""","dos\nrenglones"\r\n',
  ],
  ['formulas', ['=1+1', '+52', '-1', '@SUM(A1)'], "'=1+1,'+52,'-1,'@SUM(A1)\r\n"],
  ['formulas in hiding', [' =1', '\t=1', '\u200b=1', '＝1'], "' =1,'\t=1,'\u200b=1,'＝1\r\n"],
  ['a formula with a link', ['=HYPERLINK("x","y")'], '"\'=HYPERLINK(""x"",""y"")"\r\n'],
  ['numbers, which are none', [-1], '-1\r\n'],
  ['signs that begin nothing', ['a=1', '1-2', 'a@b.mx'], 'a=1,1-2,a@b.mx\r\n'],
])('%s', (_, cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
