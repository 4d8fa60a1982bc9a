import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'

const FOLDER = '../shared/data/signed-pdfs'
const filesOf = (folder: string) =>
  readdirSync(path.join(FOLDER, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.pdf'))
    .map((file) => path.join(FOLDER, folder, file))

const read = (file: string) => readDocument(memorySource(readFileSync(file)))

test('published files are read or refused, and quickly', async () => {
  for (const file of filesOf('')) {
    const time = await cpuTimeOf(() => {
      try {
        const document = read(file)
        pagesOf(document)
        signatureDictionaries(document)
      } catch (error) {
        expect(error, file).toBeInstanceOf(PdfError)
      }
    })
    expect(time, file).toBeLessThan(2000)
  }
})

test('every signature of an intact file is found', () => {
  for (const file of filesOf('intact')) {
    const signatures = signatureDictionaries(read(file))
    expect(signatures.length, file).toBeGreaterThan(0)
    for (const { byteRange, contentsSpan } of signatures) {
      expect(byteRange, file).toHaveLength(4)
      const [start, length, tail] = byteRange as number[]
      expect([start, length, tail], file).toEqual([0, contentsSpan?.start, contentsSpan?.end])
    }
  }
})
