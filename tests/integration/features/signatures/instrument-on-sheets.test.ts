import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { System } from '#server/system.ts'
import { judge } from '#tests/support/judges.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { describeDraft } from '#tests/support/office/described.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { bytesIn, onDisk } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const instrument = Instrument.parse({
  number: '45,213',
  volume: '1,204',
  folios: '102 a 110',
  date: '2026-03-05',
  acts: 'Donación',
  parties: [{ name: 'Íñiga Peña', character: 'Donante' }],
})

/** The text of the file that counts now. */
async function textOf(system: System, { id }: Document): Promise<string> {
  const [current] = await listVersions(system.db, id)
  return await onDisk(await bytesIn(system, current!), (path) =>
    judge('pdftotext')('-raw', path, '-').output.replace(/\s+/g, ' '),
  )
}

/** The same system; a user edits the instrument while a sheet is drawn. */
function interrupted(system: TestSystem, meanwhile: () => Promise<void>): System {
  const { pdf } = system
  return {
    ...system,
    pdf: {
      ...pdf,
      prepare: async (...asked) => {
        await meanwhile()
        return await pdf.prepare(...asked)
      },
      prepareSheet: async (...asked) => {
        await meanwhile()
        return await pdf.prepareSheet(...asked)
      },
    },
  }
}

onEachSigningSystem('the instrument on the sheets', (system) => {
  test('stands on the sheet of who signs alone, and on the sheet of evidence', async () => {
    const { person, efirma, document } = await aScene(system(), {
      office: { entity: 'Estado de México' },
    })
    await describeDraft(system(), person, document, { instrument })
    await signAs(system(), person, efirma, document)
    const text = await textOf(system(), document)
    for (const part of ['Poder', 'Instrumento: 45,213', 'Volumen: 1,204', 'Donante: Íñiga Peña'])
      expect(text).toContain(part)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.instrument).toContainEqual({ name: 'Volumen', value: '1,204' })
    expect(facts.instrument).toContainEqual({
      name: 'Comparecientes',
      value: 'Donante: Íñiga Peña',
    })
  })

  test('stands on the sheet of a session; without one there is nothing of it', async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1], 2)
    const [one, two] = drafts as [Document, Document]
    await describeDraft(system(), person, one, { instrument })
    const asked = parties.map(({ asked }) => asked)
    await anOpenSession(system(), person, sessionOf([one, two], asked))
    expect(await textOf(system(), one)).toContain('Libro: 1,204')
    expect(await textOf(system(), two)).not.toContain('Instrumento')
  })

  test('is not changed while the sheet is drawn or a signer holds the document', async () => {
    const { person, efirma, document } = await aScene(system())
    const input = { documentId: document.id, version: 1, certificate: efirma.cer }
    const describe = () => describeDraft(system(), person, document, { instrument })
    const late = prepareSignature(interrupted(system(), describe), person, input)
    await expect(late).rejects.toMatchObject({ code: 'stale-version' })

    const prepared = await prepareSignature(system(), person, input)
    expect(prepared.kind).toBe('prepared')
    const other = describeDraft(system(), person, document, { instrument: null, title: 'Otro' })
    await expect(other).rejects.toMatchObject({ code: 'someone-signing' })
  })

  test.each([{ title: 'Otro título' }, { kind: 'act' as const }])(
    'has a title and a kind that stay while the sheet is drawn: %o',
    async (change) => {
      const { person, efirma, document } = await aScene(system())
      const late = prepareSignature(
        interrupted(system(), () => describeDraft(system(), person, document, change)),
        person,
        { documentId: document.id, version: 1, certificate: efirma.cer },
      )
      await expect(late).rejects.toMatchObject({ code: 'stale-version' })
    },
  )

  test('is not changed while a session is opened, which can be opened again', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const asked = parties.map(({ asked }) => asked)
    const session = await createSigningSession(system(), person, sessionOf([document], asked))
    const input = { signingSessionId: session.id }
    const describe = () => describeDraft(system(), person, document, { instrument })
    const late = openSigningSession(interrupted(system(), describe), person, input)
    await expect(late).rejects.toMatchObject({ code: 'session-state' })
    await openSigningSession(system(), person, input)
    expect(await textOf(system(), document)).toContain('Libro: 1,204')
  })
})
