import { appendFileSync, readdirSync, truncateSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { stageAppended } from '#server/adapters/appended-file.ts'
import { sign } from '#server/cli/sign.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, PASSWORD_VARIABLE, said } from '#tests/support/processes/command-line.ts'

/* The input is changed between opening and copying. */
vi.mock('#server/adapters/appended-file.ts', async (original) => {
  const real = await original<{ stageAppended: typeof stageAppended }>()
  return { stageAppended: vi.fn(real.stageAppended) }
})

const order = [
  ...['--cer', 'ana.cer', '--key', 'ana.key', '--key-password-env', PASSWORD_VARIABLE],
  ...['--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf'],
]
const REFUSED = { status: 1, output: [], errors: ['acta.pdf cambió mientras se firmaba.'] }
const signedIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith('firmada'))

test('an input that grows while it is signed is refused, and nothing is left', async () => {
  const folder = await aFolder({ 'acta.pdf': pdfWithTable(bodiesWithPages(1)) })
  const stage = vi.mocked(stageAppended).getMockImplementation()
  vi.mocked(stageAppended).mockImplementationOnce((base, target) => {
    appendFileSync(base, '\n% más')
    return stage!(base, target)
  })
  expect(await said(() => sign(order, folder, TEST_NOW))).toEqual(REFUSED)
  expect(signedIn(folder)).toEqual([])
  expect((await said(() => sign(order, folder, TEST_NOW))).status).toBe(0)
})

test('an input that is cut off while it is read is refused, and nothing is left', async () => {
  const folder = await aFolder({ 'acta.pdf': pdfWithTable(bodiesWithPages(1)) })
  const stage = vi.mocked(stageAppended).getMockImplementation()
  vi.mocked(stageAppended).mockImplementationOnce((base, target) => {
    const staged = stage!(base, target)
    return { ...staged, copied: () => staged.copied().finally(() => truncateSync(base, 100)) }
  })
  expect(await said(() => sign(order, folder, TEST_NOW))).toEqual(REFUSED)
  expect(signedIn(folder)).toEqual([])
})
