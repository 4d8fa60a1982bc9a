import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import { CancelDocument, cancelDocument } from '#server/features/documents/cancel-document.ts'
import { MOST_AT_ONCE, uploadDocuments } from '#server/features/documents/upload-documents.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Given = [name: string, content: string] | Problem

const bytesOf = (text: string) => new TextEncoder().encode(text)
const aPdf = (what: string) => `%PDF-1.7\n${what}\n%%EOF\n`

const aClerk = async (system: TestSystem, changes = {}) => {
  const office = await storedOffice(system.db, changes)
  return asPerson(await storedUser(system.db, office, ['LAWYER']))
}

/** In two pieces each; a problem in place of a file is how the form breaks. */
async function* coming(given: readonly Given[]) {
  for (const file of given) {
    if (file instanceof Problem) throw file
    const content = bytesOf(file[1])
    yield {
      fileName: FileName.parse(file[0]),
      content: [content.subarray(0, 3), content.subarray(3)],
    }
  }
}

const bring = (
  system: TestSystem,
  actor: Actor,
  given: readonly Given[],
  title: string | null = 'Crédito',
  isAgain = false,
) =>
  uploadDocuments(system, actor, {
    ...{ title, kind: 'act' as const, isAgain },
    files: coming(given),
  })

const titlesOf = ({ stored }: Awaited<ReturnType<typeof bring>>) => stored.map(({ title }) => title)
const codesOf = ({ refused }: Awaited<ReturnType<typeof bring>>) =>
  refused.map(({ fileName, problem }) => [fileName, problem.code])

const uploadsIn = async (system: TestSystem) =>
  (await system.log()).filter(({ action }) => action === 'document.uploaded').length

onEachSystem('uploading several documents', (current) => {
  test('each is a document of its own, with the name of its file in its title', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const instrument = {
      number: '12',
      volume: null,
      folios: null,
      date: null,
      acts: null,
      parties: [],
    }
    const brought = await uploadDocuments(system, clerk, {
      ...{ title: 'Crédito', kind: 'appendix', instrument, isAgain: false },
      files: coming([
        ['poder.pdf', aPdf('1')],
        ['acta.PDF', aPdf('2')],
      ]),
    })
    expect(brought).toMatchObject({ refused: [], cutShort: null })
    expect(brought.stored).toMatchObject([
      {
        folio: '2026-000001',
        title: 'Crédito · poder',
        kind: 'appendix',
        instrument,
        state: 'draft',
      },
      {
        folio: '2026-000002',
        title: 'Crédito · acta',
        kind: 'appendix',
        instrument,
        state: 'draft',
      },
    ])
    const versions = await Promise.all(
      brought.stored.map(async ({ id }) => (await listVersions(system.db, id))[0]?.fileName),
    )
    expect(versions).toEqual(['poder.pdf', 'acta.PDF'])
    expect(await uploadsIn(system)).toBe(2)
  })

  test('of two acts with one number the first is stored; the other waits for a number of its own', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const rest = { volume: null, folios: null, date: null, acts: null, parties: [] }
    const brought = await uploadDocuments(system, clerk, {
      ...{ title: 'Crédito', kind: 'act', instrument: { number: '12', ...rest }, isAgain: false },
      files: coming([
        ['poder.pdf', aPdf('1')],
        ['acta.PDF', aPdf('2')],
      ]),
    })
    expect(titlesOf(brought)).toEqual(['Crédito · poder'])
    expect(codesOf(brought)).toEqual([['acta.PDF', 'number-used']])
    expect(await uploadsIn(system)).toBe(1)
  })

  test('without a title each has the name of its file, and one alone wants one', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const one: Given = ['poder.pdf', aPdf('1')]
    const alone = bring(system, clerk, [one], null)
    await expect(alone).rejects.toMatchObject({ code: 'title-missing' })
    expect(await uploadsIn(system)).toBe(0)
    const both = await bring(system, clerk, [one, ['acta.PDF', aPdf('2')]], null)
    expect(titlesOf(both)).toEqual(['poder', 'acta'])
    expect((await bring(system, clerk, [one, ['acta.PDF', aPdf('2')]], null)).stored).toEqual(
      both.stored,
    )
  })

  test('content that the office has is named and not stored, unless it is wanted again', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const { stored } = await bring(system, clerk, [['poder.pdf', aPdf('1')]])
    const files: Given[] = [
      ['copia.pdf', aPdf('1')],
      ['otro.pdf', aPdf('2')],
    ]
    const asked = await bring(system, clerk, files)
    expect(titlesOf(asked)).toEqual(['Crédito · otro'])
    expect(asked.known).toMatchObject([
      { fileName: 'copia.pdf', document: { id: stored[0]?.id, title: 'Crédito' } },
    ])
    expect(await uploadsIn(system)).toBe(2)
    const again = await bring(system, clerk, [['copia.pdf', aPdf('1')]], 'Copia', true)
    expect(titlesOf(again)).toEqual(['Copia'])
    expect(again.known).toEqual([])
  })

  test('content that another office has, or that was cancelled, is not known', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const other = await aClerk(system, { number: 13 })
    await bring(system, other, [['poder.pdf', aPdf('1')]])
    const { stored } = await bring(system, clerk, [['poder.pdf', aPdf('1')]])
    expect(titlesOf({ stored } as never)).toEqual(['Crédito'])
    const document = stored[0]!
    await cancelDocument(
      system,
      clerk,
      CancelDocument.parse({ documentId: document.id, reason: 'Me equivoqué' }),
    )
    const again = await bring(system, clerk, [['copia.pdf', aPdf('1')]], 'Copia')
    expect(again).toMatchObject({ known: [], stored: [{ title: 'Copia' }] })
  })

  test('a single file keeps its title, and a double submit stores it once', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const [first, second] = await Promise.all([
      bring(system, clerk, [['poder.pdf', aPdf('1')]]),
      bring(system, clerk, [['poder.pdf', aPdf('1')]]),
    ])
    expect(titlesOf(first)).toEqual(['Crédito'])
    expect(second.stored).toEqual(first.stored)
  })

  test('bad ones among good ones are refused by name, and the good ones stay', async () => {
    const system = current()
    const clerk = await aClerk(system, { uploadLimit: 60 })
    const brought = await bring(system, clerk, [
      ['hoja.pdf', 'hola, soy una hoja'],
      ['uno.pdf', aPdf('1')],
      ['grande.pdf', aPdf('x'.repeat(80))],
      ['vacío.pdf', ''],
      ['clave.pdf', '-----BEGIN ENCRYPTED PRIVATE KEY-----\n'],
      ['dos.pdf', aPdf('2')],
    ])
    expect(titlesOf(brought)).toEqual(['Crédito · uno', 'Crédito · dos'])
    expect(codesOf(brought)).toEqual([
      ['hoja.pdf', 'not-a-pdf'],
      ['grande.pdf', 'too-large'],
      ['vacío.pdf', 'empty-file'],
      ['clave.pdf', 'private-key-uploaded'],
    ])
    expect(brought.cutShort).toBeNull()
    expect(brought.stored.map(({ folio }) => folio)).toEqual(['2026-000001', '2026-000002'])
    expect(readdirSync(`${system.folder}/incoming`)).toEqual([])
  })

  test('an interrupted form keeps the files before the interruption', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const broken = new Problem('bad-request', 'the body ended early')
    const given: Given[] = [
      ['uno.pdf', aPdf('1')],
      ['dos.pdf', aPdf('2')],
    ]
    const brought = await bring(system, clerk, [...given, broken])
    expect(titlesOf(brought)).toEqual(['Crédito · uno', 'Crédito · dos'])
    expect(brought.cutShort).toBe(broken)
    system.wait(minutes(30))
    const again = await bring(system, clerk, [...given, ['tres.pdf', aPdf('3')]])
    expect(again.stored.slice(0, 2)).toEqual(brought.stored)
    expect(titlesOf(again)).toEqual(['Crédito · uno', 'Crédito · dos', 'Crédito · tres'])
    expect(await uploadsIn(system)).toBe(3)
  })

  test('a form that breaks behind its only file keeps nothing', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const broken = new Problem('bad-request', 'the body ended early')
    await expect(bring(system, clerk, [['uno.pdf', aPdf('1')], broken])).rejects.toBe(broken)
    expect(await system.log()).toEqual([])
    expect(readdirSync(system.folder)).toEqual(['incoming'])
    expect(readdirSync(`${system.folder}/incoming`)).toEqual([])
  })

  test('a document that was cancelled is not given again', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const given: Given[] = [
      ['uno.pdf', aPdf('1')],
      ['dos.pdf', aPdf('2')],
    ]
    const [first] = (await bring(system, clerk, given)).stored
    await cancelDocument(system, clerk, { documentId: first!.id, reason: 'Era otra cosa' })
    const again = await bring(system, clerk, given)
    expect(again.stored.map(({ folio }) => folio)).toEqual(['2026-000003', '2026-000002'])
  })

  test('files over the number that a form may bring are named, and not stored', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const given = Array.from(
      { length: MOST_AT_ONCE + 2 },
      (_, i): Given => [`n${i}.pdf`, aPdf(String(i))],
    )
    const brought = await bring(system, clerk, given)
    expect(brought.stored).toHaveLength(MOST_AT_ONCE)
    expect(codesOf(brought)).toEqual([
      [`n${MOST_AT_ONCE}.pdf`, 'too-many-files'],
      [`n${MOST_AT_ONCE + 1}.pdf`, 'too-many-files'],
    ])
  })

  test('upload: a forbidden user is refused at the first file, once', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const auditor = asPerson(await storedUser(system.db, office, ['AUDITOR']))
    const refusal = bring(system, auditor, [
      ['uno.pdf', aPdf('1')],
      ['dos.pdf', aPdf('2')],
    ])
    await expect(refusal).rejects.toMatchObject({ code: 'forbidden' })
    expect(await system.log()).toMatchObject([{ action: 'access.refused' }])
    expect(
      existsSync(`${system.folder}/incoming`) && readdirSync(`${system.folder}/incoming`),
    ).toEqual([])
  })
})
