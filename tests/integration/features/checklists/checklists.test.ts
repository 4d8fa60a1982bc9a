import { expect, test } from 'vitest'
import type { Person } from '#server/domain/identity/actor.ts'
import { ActId } from '#server/domain/ids.ts'
import { ChecklistItems, openBeforeSigning } from '#server/domain/signing/act/checklist.ts'
import { UNDO_ACCEPTED } from '#server/domain/undo.ts'
import { changeChecklist } from '#server/features/checklists/change-checklist.ts'
import {
  addDocumentList,
  removeDocumentList,
  restoreDocumentList,
} from '#server/features/checklists/change-document-list.ts'
import { readChecklist } from '#server/features/checklists/read-checklist.ts'
import { readDocumentChecks } from '#server/features/checklists/read-document-checks.ts'
import { setCheckState } from '#server/features/checklists/set-check-state.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { nameSubjects } from '#server/steps/audit/name-subjects.ts'
import { plainSentence } from '#server/words/audit/audit-sentences.ts'
import { storedOffice } from '#tests/support/builders.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const SALE = ActId.parse('83258b57-429a-498c-9079-cbdaec32c0ba')
const ATTESTATION = ActId.parse('5ec367ad-699a-4b8e-a0bd-c0f30cb8f3ba')

const ITEMS = ChecklistItems.parse([
  { text: 'Aviso preventivo', phase: 'before', need: 'required' },
  { text: 'Certificado de libertad de gravamen', phase: 'before', need: 'required' },
  { text: 'Poder', phase: 'before', need: 'optional' },
  { text: 'Aviso a la autoridad', phase: 'after', need: 'required' },
])

const aDeed = (system: TestSystem, by: Person) =>
  uploadDocument(system, by, {
    ...{ title: 'Casa', kind: 'deed', fileName: 'casa.pdf' as never },
    content: [Buffer.from('%PDF-1.7 casa')],
  })

/** An office with a list of its own, and a draft that has a copy of it. */
async function aListedDeed(system: TestSystem) {
  const staff = await anOfficeWithStaff(system)
  const notary = await aMember(system, staff.office, ['NOTARY'])
  await changeChecklist(system, notary.person, { actId: SALE, items: ITEMS, seenAt: null })
  const { id: documentId } = await aDeed(system, staff.clerk.person)
  await addDocumentList(system, staff.clerk.person, { documentId, actId: SALE })
  return { ...staff, notary, documentId }
}

onEachSystem('checklists', (system) => {
  const checksOf = async (by: Person, documentId: Parameters<typeof readDocumentChecks>[2]) =>
    (await readDocumentChecks(system(), by, documentId)).lists.flatMap(({ checks }) => checks)
  const textsOf = async (by: Person, documentId: Parameters<typeof readDocumentChecks>[2]) =>
    (await checksOf(by, documentId)).map(({ check }) => `${check.text} ${check.state}`)

  test('list: suggested by the program until the office saves its own, with one event', async () => {
    const { office, admin, clerk } = await anOfficeWithStaff(system())
    const before = await readChecklist(system(), admin.person, { actId: SALE })
    expect(before.checklist.at).toBeNull()
    expect(before.checklist.items.map(({ text }) => text)).toContain('Aviso preventivo')
    const { items } = before.checklist
    await changeChecklist(system(), admin.person, { actId: SALE, items, seenAt: null })
    const after = await readChecklist(system(), admin.person, { actId: SALE })
    expect(after.checklist).toMatchObject({ items, at: system().clock.now() })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'act.checklist-changed',
      subject: { kind: 'act', id: SALE },
      details: { name: 'Compraventa', items: items.length },
    })
    const stale = changeChecklist(system(), admin.person, {
      actId: SALE,
      items: ITEMS,
      seenAt: null,
    })
    await expect(stale).rejects.toMatchObject({ code: 'stale-version' })
    const change = (by: Person) =>
      outcomeOf(
        changeChecklist(system(), by, { actId: SALE, items: ITEMS, seenAt: after.checklist.at }),
      )
    expect(await change(clerk.person)).toBe('forbidden')
    const lawyer = await aMember(system(), office, ['LAWYER'])
    expect(await change(lawyer.person)).toBe('forbidden')
    const foreigner = await aMember(system(), await storedOffice(system().db, { number: 77 }), [
      'NOTARY',
    ])
    const { checklist } = await readChecklist(system(), foreigner.person, { actId: SALE })
    expect(checklist.at).toBeNull()
  })

  test('document: keeps its copy when the list is changed; the next document gets the new one', async () => {
    const { notary, clerk, documentId } = await aListedDeed(system())
    await setCheckState(system(), clerk.person, {
      ...{ documentId, actId: SALE, position: 1, state: 'done', note: 'Folio real 77' },
    })
    const { checklist } = await readChecklist(system(), notary.person, { actId: SALE })
    const items = ITEMS.slice(3)
    await changeChecklist(system(), notary.person, { actId: SALE, items, seenAt: checklist.at })
    expect(await textsOf(clerk.person, { documentId })).toEqual([
      ...['Aviso preventivo done', 'Certificado de libertad de gravamen open'],
      ...['Poder open', 'Aviso a la autoridad open'],
    ])
    await addDocumentList(system(), clerk.person, { documentId, actId: SALE })
    expect(await textsOf(clerk.person, { documentId })).toHaveLength(4)
  })

  test('item: ticked with a note and opened again, each with an event; two clicks make one', async () => {
    const { clerk, notary, documentId } = await aListedDeed(system())
    const item = { documentId, actId: SALE, position: 1 }
    const tick = () =>
      setCheckState(system(), clerk.person, { ...item, state: 'done', note: 'Folio real 77' })
    await Promise.all([tick(), tick(), tick()])
    const [first] = await checksOf(clerk.person, { documentId })
    expect(first).toMatchObject({
      by: 'Iván Cruz',
      check: { state: 'done', note: 'Folio real 77' },
    })
    await setCheckState(system(), notary.person, { ...item, state: 'open', note: null })
    const [again] = await checksOf(clerk.person, { documentId })
    expect(again).toMatchObject({ check: { state: 'open', note: null, by: notary.user.id } })
    const events = (await system().log()).filter(({ action }) => action.startsWith('document.item'))
    expect(events.map(({ action, details }) => [action, details.note])).toEqual([
      ['document.item-checked', 'Folio real 77'],
      ['document.item-unchecked', null],
    ])
    const [named] = await nameSubjects(system().db, notary.person, events.slice(0, 1))
    expect(plainSentence(named!)).toMatch(
      /^Iván Cruz marcó “Aviso preventivo” en la lista del documento 2026-\d{6} “Casa”$/,
    )
  })

  test('open items: those that are required before signing count', async () => {
    const { clerk, documentId } = await aListedDeed(system())
    const open = async () =>
      openBeforeSigning((await checksOf(clerk.person, { documentId })).map(({ check }) => check))
    expect(await open()).toEqual([{ act: 'Compraventa', count: 2 }])
    for (const position of [1, 2])
      await setCheckState(system(), clerk.person, {
        ...{ documentId, actId: SALE, position, state: 'done', note: null },
      })
    expect(await open()).toEqual([])
  })

  test('undo: a removed list has the items from before, whatever the list of the act is now', async () => {
    const { notary, clerk, documentId } = await aListedDeed(system())
    const before = await checksOf(clerk.person, { documentId })
    const undo = await removeDocumentList(system(), clerk.person, { documentId, actId: SALE })
    if (!undo) throw new Error('no list was removed')
    const seenAt = (await readChecklist(system(), notary.person, { actId: SALE })).checklist.at
    const items = ITEMS.slice(0, 1)
    await changeChecklist(system(), notary.person, { actId: SALE, items, seenAt })
    const recorded = await watchLog(system())
    const both = [undo, undo].map((one) => restoreDocumentList(system(), clerk.person, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect(await checksOf(clerk.person, { documentId })).toEqual(before)
    expect(await recorded()).toEqual(['document.checklist-added success'])
    const again = await removeDocumentList(system(), clerk.person, { documentId, actId: SALE })
    if (!again) throw new Error('no list was removed')
    system().wait(UNDO_ACCEPTED)
    expect(await restoreDocumentList(system(), clerk.person, again)).toBe('too-late')
    expect(await textsOf(clerk.person, { documentId })).toEqual([])
  })

  test('document: gets no empty list, and loses one only while none of its items is done', async () => {
    const { office, admin, clerk, documentId } = await aListedDeed(system())
    const add = (actId: ActId, by = clerk.person) =>
      outcomeOf(addDocumentList(system(), by, { documentId, actId }))
    expect(await add(ATTESTATION)).toBe('checklist-empty')
    const remove = () =>
      outcomeOf(removeDocumentList(system(), clerk.person, { documentId, actId: SALE }))
    const item = { documentId, actId: SALE, position: 2, note: null }
    await setCheckState(system(), clerk.person, { ...item, state: 'done' })
    expect(await remove()).toBe('checklist-begun')
    await setCheckState(system(), clerk.person, { ...item, state: 'open' })
    expect(await remove()).toBe('done')
    expect(await textsOf(clerk.person, { documentId })).toEqual([])
    expect((await system().log()).at(-1)).toMatchObject({ action: 'document.checklist-removed' })
    expect(await add(SALE, admin.person)).toBe('forbidden')
    const auditor = await aMember(system(), office, ['AUDITOR'])
    expect(await add(SALE, auditor.person)).toBe('forbidden')
    const foreigner = await aMember(system(), await storedOffice(system().db, { number: 77 }))
    expect(await add(SALE, foreigner.person)).toBe('not-found')
    const tick = setCheckState(system(), clerk.person, { ...item, position: 9, state: 'done' })
    await expect(tick).rejects.toMatchObject({ code: 'not-found' })
  })
})
