import { expect, test } from 'vitest'
import { ActId } from '#server/domain/ids.ts'
import { addDocumentList } from '#server/features/checklists/change-document-list.ts'
import { setCheckState } from '#server/features/checklists/set-check-state.ts'
import type { DrawPage } from '#server/features/documents/draw-page.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { changeSigningSession } from '#server/features/signing-sessions/change-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { drawSessionSheet } from '#server/features/signing-sessions/draw-session-sheet.ts'
import { addSessionDocuments } from '#server/features/signing-sessions/edit-session-documents.ts'
import {
  addSessionSigner,
  moveSessionSigner,
} from '#server/features/signing-sessions/edit-session-signers.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { reviewSigningSession } from '#server/features/signing-sessions/review-signing-session.ts'
import type { SessionData } from '#server/features/signing-sessions/session-data.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aCeremony, sessionOf } from '#tests/support/office/ceremonies.ts'
import { external } from '#tests/support/office/guests.ts'
import { aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'

/** The program suggests a list for it. */
const SALE = ActId.parse('83258b57-429a-498c-9079-cbdaec32c0ba')

onEachSigningSystem('review of a signing session', (system) => {
  async function aDraftSession() {
    const { person, office, drafts, parties } = await aCeremony(system(), [2], 3)
    const [first, second, third] = drafts
    if (!first || !second || !third) throw new Error('three drafts')
    const signers = [external(), ...parties.map((party) => party.asked)]
    const input = sessionOf([first, second], signers)
    const { id } = await createSigningSession(system(), person, input)
    const asked = { signingSessionId: id }
    const review = () => reviewSigningSession(system(), person, { ...asked, chosen: null })
    const open = (reviewed: Awaited<ReturnType<typeof review>>['digest']) =>
      openSigningSession(system(), person, { ...asked, reviewed })
    return { person, office, first, third, asked, review, open }
  }

  test('session: what was reviewed is opened', async () => {
    const { review, open, person } = await aDraftSession()
    const { ceremony, documents, digest, oddities } = await review()
    expect(ceremony.signers.map(({ name }) => name)).toContain('Benito Núñez Peña')
    expect(documents.map(({ document, getsSheet }) => [document.title, getsSheet])).toEqual([
      ['Poder notarial', true],
      ['Poder 2', true],
    ])
    expect(oddities.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['no-deadline', 'no-notary', 'doubtful-rfc', 'no-address']),
    )
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'signing-session.viewed',
      actor: { userId: person.userId },
    })
    expect(await open(digest)).toMatchObject({ state: 'open' })
  })

  test('document: what its list lacks before signing is named, and the session opens all the same', async () => {
    const { person, first, review, open } = await aDraftSession()
    const of = { documentId: first.id, actId: SALE }
    await addDocumentList(system(), person, of)
    const lacking = async () =>
      (await review()).oddities.find(({ code }) => code === 'checklist-open')
    expect(await lacking()).toEqual({
      ...{ code: 'checklist-open', title: first.title, act: 'Compraventa', count: 7 },
    })
    await setCheckState(system(), person, { ...of, position: 1, state: 'done', note: null })
    expect(await lacking()).toMatchObject({ count: 6 })
    expect(await open((await review()).digest)).toMatchObject({ state: 'open' })
  })

  test('session: not opened if anything was changed after the review, and opened after another one', async () => {
    const { person, review, open, asked, third } = await aDraftSession()
    const change = { title: 'Otra cosa' as SessionData['title'], message: null, deadline: null }
    const signerId = (await review()).ceremony.signers[0]!.id
    const changes: Record<string, () => Promise<unknown>> = {
      title: () => changeSigningSession(system(), person, { ...asked, ...change }),
      order: () => moveSessionSigner(system(), person, { ...asked, signerId, step: 7 }),
      document: () => addSessionDocuments(system(), person, { ...asked, documentIds: [third.id] }),
      signer: () =>
        addSessionSigner(system(), person, {
          ...asked,
          signer: external({ name: 'Marta Ibarra Ríos', rfc: 'IARM700404QX2' }),
        }),
    }
    for (const [name, work] of Object.entries(changes)) {
      const { digest } = await review()
      await work()
      await expect(open(digest), name).rejects.toMatchObject({ code: 'review-outdated' })
    }
    expect(await open((await review()).digest)).toMatchObject({ state: 'open' })
  })

  test('session: two who review the same open it once', async () => {
    const { review, open } = await aDraftSession()
    const { digest } = await review()
    const opened = await Promise.allSettled([open(digest), open(digest)])
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(review()).rejects.toMatchObject({ code: 'session-state' })
  })

  test('review: not of a session without signers, nor by another office', async () => {
    const { person, drafts } = await aCeremony(system(), [])
    const { id } = await createSigningSession(system(), person, sessionOf(drafts, []))
    const asked = { signingSessionId: id, chosen: null }
    await expect(reviewSigningSession(system(), person, asked)).rejects.toMatchObject({
      code: 'session-incomplete',
    })
    const other = await aScene(system(), { office: { number: 13 } })
    await expect(reviewSigningSession(system(), other.person, asked)).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('sheet: the picture before the opening equals the page after it', async () => {
    const { person, review, open, first, asked } = await aDraftSession()
    const input = { ...asked, documentId: first.id, sheet: 1 }
    const before = await drawSessionSheet(system(), person, input)
    await open((await review()).digest)
    const after = await drawPage(system(), person, {
      ...{ documentId: first.id, version: 2, page: first.version + 1, width: 1000 },
    } as DrawPage)
    expect(before.length).toBeGreaterThan(10_000)
    expect(Buffer.from(before).equals(Buffer.from(after.picture ?? []))).toBe(true)
    await expect(drawSessionSheet(system(), person, input)).rejects.toMatchObject({
      code: 'session-state',
    })
  })

  test('sheet: not of a document outside the session, of no second sheet, nor for a role without sessions', async () => {
    const { person, office, first, third, asked } = await aDraftSession()
    const draw = (documentId: typeof first.id, sheet: number, by = person) =>
      drawSessionSheet(system(), by, { ...asked, documentId, sheet })
    await expect(draw(third.id, 1)).rejects.toMatchObject({ code: 'not-found' })
    await expect(draw(first.id, 2)).rejects.toMatchObject({ code: 'not-found' })
    const auditor = asPerson(await storedUser(system().db, office, ['AUDITOR']))
    await expect(draw(first.id, 1, auditor)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
