import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { outcomeOf } from '#tests/attacks/attack.ts'
import { mutatedFile } from '#tests/attacks/mutator.ts'
import { type ReaderName, readersOf } from '#tests/attacks/shown-text.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-mutated-'))
afterAll(() => rmSync(folder, { recursive: true }))
const readers = readersOf((bytes) => {
  const file = path.join(folder, 'file.pdf')
  writeFileSync(file, bytes)
  return file
})

const COUNT = 400
const SEED = 12

test('mutated revisions: no reader shows another text than the signed one where the verdict is VALID', async () => {
  const policy = await testPolicy()
  const shown = new Map<string, Promise<string>>()
  const differing: string[] = []
  let valid = 0
  for (let number = 0; number < COUNT; number++) {
    const { name, signed, file } = await mutatedFile(SEED, number)
    if (outcomeOf(file, policy).verdict !== 'VALID') continue
    valid++
    for (const [reader, read] of Object.entries(readers)) {
      const key = `${reader as ReaderName} ${signed.length} ${name.split(': ')[1]?.split(',')[0]}`
      if (!shown.has(key)) shown.set(key, read(signed))
      if ((await read(file)) !== (await shown.get(key))) differing.push(`${reader}, ${name}`)
    }
  }
  console.info(`${COUNT} mutated files, ${valid} of them VALID and read by ${Object.keys(readers)}`)
  expect(differing).toEqual([])
  expect(valid).toBeGreaterThan(COUNT / 20)
}, 120_000)
