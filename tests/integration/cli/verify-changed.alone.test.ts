import { truncateSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { openFile } from '#server/adapters/file-source.ts'
import { verify } from '#server/cli/verify.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, said } from '#tests/support/processes/command-line.ts'

/* The file is truncated between opening and reading. */
vi.mock('#server/adapters/file-source.ts', async (original) => {
  const real = await original<{ openFile: typeof openFile }>()
  return { ...real, openFile: vi.fn(real.openFile) }
})

test('a file that is cut off while it is read is named, and hides no other', async () => {
  const pdf = pdfWithTable(bodiesWithPages(1))
  const folder = await aFolder({ 'acta.pdf': pdf, 'carta.pdf': pdf })
  const open = vi.mocked(openFile).getMockImplementation()
  vi.mocked(openFile).mockImplementationOnce((file) => {
    const opened = open!(file)
    truncateSync(file, 100)
    return opened
  })
  const { status, output, errors } = await said(() =>
    verify(['--json', '--offline', 'acta.pdf', 'carta.pdf'], folder, TEST_NOW),
  )
  expect([status, errors]).toEqual([2, ['acta.pdf cambió mientras se leía.']])
  expect(output.map((line) => JSON.parse(line))).toMatchObject([{ file: 'carta.pdf' }])
})
