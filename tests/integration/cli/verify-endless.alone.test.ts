import { expect, test, vi } from 'vitest'
import { verify } from '#server/cli/verify.ts'
import { milliseconds } from '#server/domain/time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, said } from '#tests/support/processes/command-line.ts'

/* A file that is judged without end. */
vi.mock('#server/domain/verification/verify-file.ts', async (original) => {
  const real = await original<{ verifyFile: typeof verifyFile }>()
  return { ...real, verifyFile: vi.fn(real.verifyFile) }
})

test('verify: a file that takes too long is not determined, and hides no other', async () => {
  const pdf = pdfWithTable(bodiesWithPages(1))
  const folder = await aFolder({ 'acta.pdf': pdf, 'carta.pdf': pdf })
  vi.mocked(verifyFile).mockImplementationOnce(() => {
    for (;;);
  })
  const { status, output } = await said(() =>
    verify(['--json', '--offline', 'acta.pdf', 'carta.pdf'], folder, TEST_NOW, milliseconds(200)),
  )
  expect(status).toBe(1)
  expect(output.map((line) => JSON.parse(line))).toMatchObject([
    {
      file: 'acta.pdf',
      bytes: pdf.length,
      verdict: 'INDETERMINATE',
      sentence:
        'El archivo es demasiado complejo para verificarlo aquí, por lo que no se llegó a un resultado.',
    },
    { file: 'carta.pdf', verdict: 'NO_SIGNATURE' },
  ])
})
