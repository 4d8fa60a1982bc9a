import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { beforeAll, expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { CompareVersions, compareVersions } from '#server/features/documents/compare-versions.ts'
import { listVersions } from '#server/features/documents/list-versions.ts'
import { ReplaceFile, replaceFile } from '#server/features/documents/replace-file.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import {
  aScene,
  onEachSigningSystem,
  readyTrust,
  signAs,
} from '#tests/support/office/signing-system.ts'

beforeAll(readyTrust)

async function aPdf(...pages: string[][]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (const lines of pages) {
    const page = document.addPage([612, 792])
    for (const [index, line] of lines.entries())
      page.drawText(line, { x: 50, y: 700 - index * 20, size: 12 })
  }
  return await document.save()
}

const replace = (system: System, actor: Actor, { id }: Document, content: Uint8Array) =>
  replaceFile(system, actor, {
    ...ReplaceFile.parse({ documentId: id, version: 1, fileName: 'dos.pdf', reason: null }),
    content: [content],
  })

const compare = (system: System, actor: Actor, { id }: Document, from: number, to: number) =>
  compareVersions(system, actor, CompareVersions.parse({ documentId: id, from, to }))

const FIRST = [['Vende el lote 12', 'Precio: cien pesos'], ['Firmas']]

onEachSigningSystem('comparing versions', (system) => {
  test('shows words that changed, with the page before and after, and logs the view', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    const corrected = await aPdf(
      ['Vende el lote 14', 'Precio: cien pesos'],
      ['Clausula nueva'],
      ['Firmas'],
    )
    await replace(system(), person, document, corrected)
    expect(await compare(system(), person, document, 1, 2)).toEqual({
      ...{ kind: 'compared', isCut: false, blank: { before: [], after: [] } },
      pages: { before: 2, after: 3 },
      places: [
        {
          page: { before: 1, after: 1 },
          parts: [
            { kind: 'same', text: 'Vende el lote' },
            { kind: 'removed', text: '12' },
            { kind: 'added', text: '14' },
            { kind: 'same', text: 'Precio: cien pesos' },
          ],
        },
        {
          page: { before: null, after: 2 },
          parts: [
            { kind: 'same', text: 'Precio: cien pesos' },
            { kind: 'added', text: 'Clausula nueva' },
            { kind: 'same', text: 'Firmas' },
          ],
        },
      ],
    })
    expect((await system().log()).at(-1)).toMatchObject({
      ...{ action: 'document.compared', details: { from: 1, to: 2 } },
      subject: { kind: 'document', id: document.id },
    })
    const backwards = await compare(system(), person, document, 2, 1)
    expect(backwards).toMatchObject({ kind: 'compared', pages: { before: 3, after: 2 } })
  })

  test('compares what was signed with the original: the text of the sheet is what was added', async () => {
    const { person, efirma, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    await signAs(system(), person, efirma, document)
    const comparison = await compare(system(), person, document, 1, 2)
    const parts =
      comparison.kind === 'compared' ? comparison.places.flatMap(({ parts }) => parts) : []
    expect(parts.filter(({ kind }) => kind === 'removed')).toEqual([])
    expect(parts.find(({ kind }) => kind === 'added')?.text).toContain('Hoja de firmas')
  })

  test('says that a version is identical to itself without reading it', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    expect(await compare(system(), person, document, 1, 1)).toEqual({ kind: 'identical' })
  })

  test('says that files which take too long cannot be compared here', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    await replace(system(), person, document, await aPdf(['Otro']))
    const pdf: System['pdf'] = {
      ...system().pdf,
      compareTexts: () => Promise.reject(new Problem('pdf-too-complex', 'too long')),
    }
    const slow = { ...system(), pdf }
    expect(await compare(slow, person, document, 1, 2)).toEqual({ kind: 'too-complex' })
    // It was not kept: the next one is tried again.
    expect(await compare(system(), person, document, 1, 2)).toMatchObject({ kind: 'compared' })
  })

  test('reports which of the two files is damaged', async () => {
    const { person, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    await replace(system(), person, document, await aPdf(['Otro']))
    const first = (await findVersion(system().db, document.id, 1))!
    const { file } = (await findStoredFile(system().db, first))!
    writeFileSync(join(system().folder, file), 'roto')
    expect(await outcomeOf(compare(system(), person, document, 1, 2))).toBe('stored-file-damaged')
    const events = (await system().log()).filter(({ action }) => action === 'document.damaged')
    expect(events).toMatchObject([{ details: { version: 1, sha256: first.sha256 } }])
  })

  test('is for those who may read the document; versions name their authors', async () => {
    const { person, efirma, document } = await aScene(system(), { content: await aPdf(...FIRST) })
    await signAs(system(), person, efirma, document)
    const foreigner = asPerson(
      await storedUser(system().db, await storedOffice(system().db, { number: 7 }), ['NOTARY']),
    )
    for (const [actor, code] of [
      [stranger(), 'not-signed-in'],
      [foreigner, 'not-found'],
    ] as const) {
      expect(await outcomeOf(compare(system(), actor, document, 1, 2))).toBe(code)
      expect(await outcomeOf(listVersions(system(), actor, { documentId: document.id }))).toBe(code)
    }
    expect(await outcomeOf(compare(system(), person, document, 1, 9))).toBe('not-found')
    const { versions } = await listVersions(system(), person, { documentId: document.id })
    expect(versions.map(({ author, version }) => `${version} ${author}`)).toEqual([
      '2 Ana María Muñoz López',
      '1 Ana María Muñoz López',
    ])
  })
})
