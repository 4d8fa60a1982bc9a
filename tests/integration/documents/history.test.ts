import { beforeAll, expect, test } from 'vitest'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { digestOfDescription } from '#server/domain/documents/description.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { minutes } from '#server/domain/time.ts'
import { recordCopy } from '#server/features/copies/record-copy.ts'
import { EditDraft, editDraft } from '#server/features/documents/edit-draft.ts'
import { ListHistory, listHistory } from '#server/features/documents/list-history.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { ReplaceFile, replaceFile } from '#server/features/documents/replace-file.ts'
import { RejectSigning, rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { setPublicLookup } from '#server/features/verification/set-public-lookup.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aCopy } from '#tests/support/office/copies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import {
  aPdf,
  aScene,
  onEachSigningSystem,
  readyTrust,
  signAs,
} from '#tests/support/office/signing-system.ts'

beforeAll(readyTrust)

onEachSigningSystem('history of a document, complete', (system) => {
  const actionsOf = async (
    actor: Parameters<typeof listHistory>[1],
    { id }: Pick<Document, 'id'>,
  ) => (await listHistory(system(), actor, { documentId: id })).events.map(({ action }) => action)

  test('has what was done, newest first, and not who read it; staff without the log see it, too', async () => {
    const { person, office, efirma, document } = await aScene(system(), {
      content: await aPdf('Uno'),
    })
    const seen = digestOfDescription(document)
    const description = { title: 'Otro título', kind: document.kind, instrument: null }
    await editDraft(
      system(),
      person,
      EditDraft.parse({ documentId: document.id, seen, ...description }),
    )
    system().wait(minutes(1))
    await replaceFile(system(), person, {
      ...ReplaceFile.parse({
        documentId: document.id,
        version: 1,
        fileName: 'b.pdf',
        reason: 'Lindero',
      }),
      content: [await aPdf('Dos')],
    })
    await readDocument(system(), person, { documentId: document.id })
    await signAs(system(), person, efirma, { ...document, version: 2 })
    await setPublicLookup(system(), person, { documentId: document.id, state: 'off' })
    await recordCopy(system(), person, aCopy(document.id))
    const clerk = asPerson(await storedUser(system().db, office, ['CLERK']))
    expect(await actionsOf(clerk, document)).toEqual([
      'document.copy-recorded',
      'document.lookup-changed',
      'document.signed',
      'document.file-replaced',
      'document.edited',
      'document.uploaded',
    ])
  })

  test('has the events of its sessions, with the reason of a rejection, and none of other sessions', async () => {
    const { person, document, drafts, parties } = await aCeremony(system(), [1], 2)
    const [party] = parties
    if (!party) throw new Error('one party')
    const session = await anOpenSession(system(), person, sessionOf([drafts[0]!], [party.asked]))
    await anOpenSession(system(), person, sessionOf([drafts[1]!], [party.asked]))
    await rejectSigning(
      system(),
      party.person,
      RejectSigning.parse({ signingSessionId: session.id, reason: 'Falta un lindero' }),
    )
    const { events } = await listHistory(system(), person, { documentId: drafts[0]!.id })
    const about = events.flatMap(({ subject }) =>
      subject.kind === 'signing-session' ? [subject.id] : [],
    )
    expect(new Set(about)).toEqual(new Set([session.id]))
    expect(events.find(({ action }) => action === 'signing-session.rejected')).toMatchObject({
      details: { reason: 'Falta un lindero' },
    })
    expect(events.map(({ action }) => action)).toContain('signing-session.opened')
    expect(await actionsOf(person, document)).toContain('document.uploaded')
  })

  test('is read by pages of a document with thousands of views, each event once', {
    timeout: 240_000,
  }, async () => {
    const { person, document } = await aScene(system(), { content: await aPdf('Uno') })
    const subject = { kind: 'document', id: document.id } as const
    // Views stand between what was done.
    for (let round = 0; round < 5; round += 1) {
      await system().db.transaction(async (trx) => {
        const at = system().clock.now()
        await appendEvent(trx, { actor: person, at, action: 'document.edited', subject })
        for (let view = 0; view < 500; view += 1)
          await appendEvent(trx, { actor: person, at, action: 'document.viewed', subject })
      })
      system().wait(minutes(1))
    }
    const seen: number[] = []
    let before: number | undefined
    let pages = 0
    do {
      const query = ListHistory.parse({ documentId: document.id, before })
      const page = await listHistory(system(), person, { ...query, size: 2 })
      expect(page.events.length).toBeGreaterThan(0)
      seen.push(...page.events.map(({ seq }) => seq))
      before = page.next
      pages += 1
    } while (before !== undefined && pages < 20)
    const done = (await system().log()).flatMap((event, seq) =>
      event.subject.kind === 'document' && event.action !== 'document.viewed' ? [seq] : [],
    )
    expect(seen).toEqual(done.toReversed())
  })

  test('is for those who may read the document', async () => {
    const { document } = await aScene(system())
    const foreigner = asPerson(
      await storedUser(system().db, await storedOffice(system().db, { number: 7 }), ['NOTARY']),
    )
    const read = (actor: Parameters<typeof listHistory>[1]) =>
      outcomeOf(listHistory(system(), actor, { documentId: document.id }))
    expect(await read(stranger())).toBe('not-signed-in')
    expect(await read(foreigner)).toBe('not-found')
  })
})
