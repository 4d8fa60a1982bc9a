import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFile } from '#server/adapters/file-source.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { filledForm } from '#tests/support/pdf/filled-forms.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

/* Work is counted, not timed: how busy the machine is does not matter. */

const work = vi.hoisted(() => ({ objects: 0, bytes: 0 }))

vi.mock('#server/domain/pdf/indirect-object.ts', async (original) => {
  const real = await original<typeof import('#server/domain/pdf/indirect-object.ts')>()
  const readIndirectObject: typeof real.readIndirectObject = (...input) => {
    work.objects++
    return real.readIndirectObject(...input)
  }
  return { ...real, readIndirectObject }
})

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const readSync = (...input: Parameters<typeof real.readSync>) => {
    const count = real.readSync(...input)
    work.bytes += count
    return count
  }
  return { ...real, readSync }
})

/** What it takes to judge a form: objects read for each field, and how often the file is read. */
async function workFor(fields: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-form-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'form.pdf')
  writeFileSync(file, (await filledForm(fields)).file)
  const policy = await testPolicy()
  const source = openFile(file)
  onTestFinished(() => source.close())
  work.objects = 0
  work.bytes = 0
  const report = verifyFile(source, 'form.pdf', policy)
  expect(report).toMatchObject({
    verdict: 'VALID',
    signatures: [{ modification: 'FORM_FILLING' }],
  })
  expect(report.signatures[0]!.changes).toHaveLength(51)
  return { objects: work.objects / fields, readings: work.bytes / source.length }
}

/** Field and look, before and after. */
const OBJECTS = 4

test('a form with 20,000 filled fields: each object is read a few times, and the file little more often', {
  timeout: 180_000,
}, async () => {
  const { objects, readings } = await workFor(20_000)
  expect(objects).toBeLessThan(5 * OBJECTS)
  expect(readings).toBeLessThan(7.5)
})
