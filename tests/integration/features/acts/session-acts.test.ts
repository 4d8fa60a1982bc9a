import { expect, test } from 'vitest'
import { findOffice, replaceOffice } from '#server/db/people/offices.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { Day } from '#server/domain/day.ts'
import { leavesProtocol } from '#server/domain/signing/act/act.ts'
import { defaultActs } from '#server/domain/signing/act/default-acts.ts'
import { after, days, seconds } from '#server/domain/time.ts'
import { changeAct } from '#server/features/acts/change-act.ts'
import { setActState } from '#server/features/acts/set-act-state.ts'
import type { DrawPage } from '#server/features/documents/draw-page.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { readPages } from '#server/features/documents/read-pages.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { changeSigningSession } from '#server/features/signing-sessions/change-signing-session.ts'
import type { CreateSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { drawSessionSheet } from '#server/features/signing-sessions/draw-session-sheet.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { reviewSigningSession } from '#server/features/signing-sessions/review-signing-session.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { MORNING, stranger } from '#tests/support/builders.ts'
import { aCeremony, sessionOf, signInSession } from '#tests/support/office/ceremonies.ts'
import { aMember, outcomeOf } from '#tests/support/office/office-staff.ts'
import { aSession } from '#tests/support/office/session-rows.ts'
import { aDraft as anyDraft, onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('act of a session', (system) => {
  async function aDraft(answer?: 'yes' | 'no') {
    const scene = await aCeremony(system(), [1])
    const [party] = scene.parties
    const act = defaultActs(scene.office.id).find(({ name }) => name === 'Compraventa')
    const admin = await aMember(system(), scene.office, ['ADMIN'])
    if (!party || !act) throw new Error('no party or act')
    const { name, roles, notary } = act
    const statement = {
      ...{ entity: scene.office.entity, source: 'Ley, art. 1', day: Day.parse('2026-11-20') },
    }
    const change = (said: 'yes' | 'no', seenAt: typeof act.at) =>
      changeAct(system(), admin.person, {
        ...{ actId: act.id, seenAt },
        data: { name, roles: roles as never, notary, electronic: { answer: said, ...statement } },
      })
    if (answer) await change(answer, null)
    const input = { ...sessionOf([scene.document], [party.asked]), actId: act.id }
    const { id } = await createSigningSession(system(), scene.person, input)
    const asked = { signingSessionId: id }
    const review = () => reviewSigningSession(system(), scene.person, { ...asked, chosen: null })
    const actNow = async () => (await findCeremony(system().db, id))?.session.act
    return { ...scene, party, act, admin, change, asked, review, actNow }
  }
  const publicly = async (id: string) => {
    system().wait(seconds(6))
    const answer = await readVerification(system(), stranger(), { id })
    return answer.kind === 'not-found' ? answer.kind : answer.leavesProtocol
  }

  test.each([
    [undefined, true],
    ['no', true],
    ['yes', false],
  ] as const)(
    'answer %s: sheet, signing page and public page say that it does not replace the protocol: %s',
    async (answer, isSaid) => {
      const { person, party, document, review, asked } = await aDraft(answer)
      const { ceremony, digest } = await review()
      expect(leavesProtocol(ceremony.session.act)).toBe(isSaid)
      const sheet = { ...asked, documentId: document.id, sheet: 1 }
      const before = await drawSessionSheet(system(), person, sheet)
      await openSigningSession(system(), person, { ...asked, reviewed: digest })
      const after = await drawPage(system(), person, {
        ...{ documentId: document.id, version: 2, page: 2, width: 1000 },
      } as DrawPage)
      expect(Buffer.from(before).equals(Buffer.from(after.picture ?? []))).toBe(true)
      const { pages } = await readPages(system(), person, {
        ...{ documentId: document.id, version: 2, first: 2, count: 1, purpose: 'text' },
      })
      const text = JSON.stringify(pages)
      expect(text).toContain('Hoja de firmas')
      expect(text.includes('No sustituye la firma en el protocolo')).toBe(isSaid)
      expect(await publicly(document.id)).toBe(isSaid)
      const { held } = await readSigning(system(), party.person, { documentId: document.id })
      expect(leavesProtocol(held?.session.act ?? null)).toBe(isSaid)
      await signInSession(system(), party, document, 2)
      expect(await publicly(document.id)).toBe(isSaid)
    },
  )

  test('document that is complete before its session: says so, whatever becomes of the session', async () => {
    const scene = await aCeremony(system(), [1])
    const [party] = scene.parties
    const act = defaultActs(scene.office.id).find(({ name }) => name === 'Compraventa')
    if (!party || !act) throw new Error('no party or act')
    const other = await anyDraft(system(), scene.person, undefined, 'Otro')
    const input = { ...sessionOf([scene.document, other], [party.asked]), actId: act.id }
    const { id } = await createSigningSession(system(), scene.person, input)
    const asked = { signingSessionId: id }
    const { digest } = await reviewSigningSession(system(), scene.person, {
      ...asked,
      chosen: null,
    })
    await openSigningSession(system(), scene.person, { ...asked, reviewed: digest })
    await signInSession(system(), party, scene.document, 2)
    expect(await publicly(scene.document.id)).toBe(true)
    const reason = 'Ya no' as never
    await cancelSigningSession(system(), scene.person, { ...asked, reason })
    expect(await publicly(scene.document.id)).toBe(true)
  })

  test('draft session that is cancelled: decides nothing', async () => {
    const { person, user, document, review, asked } = await aDraft()
    const { digest } = await review()
    await openSigningSession(system(), person, { ...asked, reviewed: digest })
    const later = aSession(user, { state: 'cancelled', createdAt: after(MORNING, days(1)) })
    const held = { id: document.id, completedVersion: null, baseVersion: null, fields: [] }
    await system().db.transaction((trx) => insertSigningSession(trx, later, [held]))
    expect(await publicly(document.id)).toBe(true)
  })

  test('session without an act: nothing is said', async () => {
    const { person, document, review, asked, actNow } = await aDraft()
    const data = { ...asked, title: 'Otra' as never, message: null, deadline: null }
    await changeSigningSession(system(), person, { ...data, actId: null })
    expect(await actNow()).toBeNull()
    await openSigningSession(system(), person, { ...asked, reviewed: (await review()).digest })
    expect(await publicly(document.id)).toBe(false)
  })

  test('session: keeps the act that it was made for, and takes the current one when it is chosen again', async () => {
    const { person, asked, act, change, actNow, admin, review } = await aDraft()
    const data = { ...asked, title: 'Otra' as never, message: null, deadline: null }
    const { digest } = await review()
    await change('yes', null)
    expect((await actNow())?.electronic.answer).toBe('unknown')
    await changeSigningSession(system(), person, data)
    expect((await actNow())?.electronic.answer).toBe('unknown')
    await changeSigningSession(system(), person, { ...data, actId: act.id })
    expect((await actNow())?.electronic.answer).toBe('yes')
    // Another act is another sheet.
    const opening = openSigningSession(system(), person, { ...asked, reviewed: digest })
    await expect(opening).rejects.toMatchObject({ code: 'review-outdated' })

    await setActState(system(), admin.person, { actId: act.id, state: 'retired' })
    await changeSigningSession(system(), person, { ...data, actId: act.id })
    expect((await actNow())?.id).toBe(act.id)
    const other = { ...data, actId: null }
    await changeSigningSession(system(), person, other)
    expect(
      await outcomeOf(changeSigningSession(system(), person, { ...data, actId: act.id })),
    ).toBe('not-found')
  })

  test('answer for another state: unknown after the office moved', async () => {
    const { person, office, document, party, act } = await aDraft('yes')
    const stored = await findOffice(system().db, office.id)
    if (!stored) throw new Error('no office')
    await system().db.transaction((trx) => replaceOffice(trx, { ...stored, entity: 'Colima' }))
    const input: CreateSigningSession = {
      ...sessionOf([document], [party.asked]),
      actId: act.id,
    }
    const { act: chosen } = await createSigningSession(system(), person, input)
    expect(chosen?.electronic).toEqual({
      ...{ answer: 'unknown', entity: 'Colima', source: null, day: null },
    })
  })

  test('review: says which roles of the act lack signers', async () => {
    const { review } = await aDraft()
    const { oddities } = await review()
    expect(
      oddities.flatMap((odd) => (odd.code === 'role-missing' ? odd.mismatch.role.character : [])),
    ).toEqual(['Parte vendedora', 'Parte compradora'])
  })
})
