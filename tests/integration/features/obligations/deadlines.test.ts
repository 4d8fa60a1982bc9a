import { expect, test } from 'vitest'
import { listAlerts } from '#server/db/alerts/alerts.ts'
import type { Day } from '#server/domain/day.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { days, hours } from '#server/domain/time.ts'
import {
  type ChangeObligation,
  changeObligation,
  setObligationState,
} from '#server/features/obligations/change-obligation.ts'
import { listDeadlines } from '#server/features/obligations/list-deadlines.ts'
import { listObligations } from '#server/features/obligations/list-obligations.ts'
import {
  addNonWorkingDay,
  removeNonWorkingDay,
} from '#server/features/obligations/non-working-days.ts'
import { readDeadline, readDocumentDeadlines } from '#server/features/obligations/read-deadline.ts'
import { recountDeadlines } from '#server/features/obligations/recount-deadlines.ts'
import {
  type DeadlineAnswer,
  setDeadlineState,
} from '#server/features/obligations/set-deadline-state.ts'
import { setDeadlines } from '#server/features/obligations/set-deadlines.ts'
import { watchDeadlines } from '#server/features/obligations/watch-deadlines.ts'
import { sentenceOfAlert } from '#server/words/alerts.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { aSignedDocument } from '#tests/support/office/signed-documents.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const DONE: DeadlineAnswer = {
  ...{ state: 'done', doneOn: '2026-11-20' as Day },
  ...{ note: 'En ventanilla', acknowledgement: 'A-123' },
}

onEachSystem('deadlines', (system) => {
  const list = (by: Actor, asked: Partial<Parameters<typeof listDeadlines>[2]> = {}) =>
    listDeadlines(system(), by, { show: 'open', ...asked })

  /** `Aviso de testamento 2026-11-25 2026-000001` */
  async function linesOf(by: Actor, asked: Parameters<typeof list>[1] = {}): Promise<string[]> {
    const { deadlines } = await list(by, asked)
    return deadlines.map(({ deadline: { dueOn, about }, obligation, document }) =>
      [...[obligation.name, dueOn], about.kind === 'month' ? about.period : document?.kind].join(
        ' ',
      ),
    )
  }

  async function obligationOf(by: Person, name: string): Promise<Obligation> {
    const all = await listObligations(system(), by)
    return all.find((one) => one.name.startsWith(name))!
  }

  async function change(by: Person, name: string, over: Partial<Obligation['term']>) {
    const { id, at, ...data } = await obligationOf(by, name)
    const changed = { ...data, term: { ...data.term, ...over } } as ChangeObligation['data']
    await changeObligation(system(), by, { obligationId: id, data: changed, seenAt: at })
    await recountDeadlines(system())
  }

  const alertsOf = async (by: Person, states = ['open', 'read'] as const) => {
    const { officeId, userId, roles } = by
    const office = roles.includes('ADMIN') ? 'included' : 'left-out'
    const found = await listAlerts(system().db, { officeId, userId, office, states, limit: 50 })
    return found.map((alert) => sentenceOfAlert({ ...alert, about: null }).text)
  }

  const actions = async () => (await system().log()).map(({ action }) => action)

  test('signed documents get the deadlines of their kind and acts, once', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await aSignedDocument(system(), clerk.person, { kind: 'deed', acts: 'COMPRAVENTA e hipoteca' })
    await aSignedDocument(system(), clerk.person, { kind: 'letter', acts: 'Compraventa' })
    await setDeadlines(system())
    await setDeadlines(system())
    expect(await linesOf(clerk.person)).toEqual([
      'Segundo aviso preventivo 2026-11-22 deed',
      'Aviso de testamento 2026-11-25 will',
      'DeclaraNOT: operaciones con inmuebles 2026-12-05 deed',
      ...[expect.stringContaining('Colegio 2026-12-20'), expect.stringContaining('2026-12-20')],
    ])
  })

  test('the day of the instrument counts; an old instrument has no deadlines', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const dated = (date: string) =>
      aSignedDocument(system(), clerk.person, { kind: 'will', date: date as Day })
    await dated('2026-11-13')
    await dated('2019-11-13')
    await dated('2026-03-02')
    await setDeadlines(system())
    // Over a weekend and a federal day.
    expect(await linesOf(clerk.person)).toEqual([
      'Aviso de testamento 2026-11-19 will',
      'Índice electrónico del Colegio 2026-12-13 will',
    ])
  })

  test('a mark that no run took stays; another office does not see the deadlines', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const other = await aMember(system(), await storedOffice(system().db, { number: 13 }))
    const { id: documentId } = await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system(), AbortSignal.abort())
    expect(await linesOf(clerk.person)).toEqual([])
    await setDeadlines(system())
    const [first] = (await list(clerk.person)).deadlines
    expect(await linesOf(other.person)).toEqual([])
    const { id: deadlineId } = first!.deadline
    expect(await outcomeOf(readDeadline(system(), other.person, { deadlineId }))).toBe('not-found')
    const marking = setDeadlineState(system(), other.person, { deadlineId, answer: DONE })
    expect(await outcomeOf(marking)).toBe('not-found')
    const ofDocument = readDocumentDeadlines(system(), other.person, { documentId })
    expect(await outcomeOf(ofDocument)).toBe('not-found')
  })

  test('months are set ahead, none whose day has passed', async () => {
    const { admin } = await anOfficeWithStaff(system())
    await watchDeadlines(system())
    await watchDeadlines(system())
    expect(await linesOf(admin.person)).toEqual([
      'Avisos de actividades vulnerables (PLD) 2026-12-17 2026-11',
    ])
    system().wait(days(11))
    await watchDeadlines(system())
    expect(await linesOf(admin.person)).toEqual([
      'Avisos de actividades vulnerables (PLD) 2026-12-17 2026-11',
      'Avisos de actividades vulnerables (PLD) 2027-01-17 2026-12',
    ])
  })

  test('done, not applicable and open again: each once, an event of the document', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    const [first] = (await list(clerk.person)).deadlines
    const { id: deadlineId } = first!.deadline
    const set = (answer: DeadlineAnswer, by = clerk.person) =>
      setDeadlineState(system(), by, { deadlineId, answer })
    expect(await outcomeOf(set({ ...DONE, doneOn: '2026-11-21' as Day }))).toBe('done-day-ahead')
    await set(DONE)
    await set(DONE, second.person)
    expect(await readDeadline(system(), second.person, { deadlineId })).toMatchObject({
      deadline: { ...DONE, noticeOn: null },
      by: 'Iván Cruz',
    })
    const refused = set({ state: 'not-applicable', reason: 'Otro motivo' }, second.person)
    expect(await outcomeOf(refused)).toBe('wrong-state')
    await set({ state: 'open' }, second.person)
    system().wait(hours(1))
    await set({ state: 'not-applicable', reason: 'Revocado el mismo día' })
    const { deadline } = await readDeadline(system(), clerk.person, { deadlineId })
    expect(deadline).toMatchObject({ note: 'Revocado el mismo día', acknowledgement: null })
    const events = (await system().log()).filter(({ action }) => action.startsWith('deadline.'))
    expect(events.map(({ action, details }) => [action, details.reason ?? details.doneOn])).toEqual(
      [
        ['deadline.done', '2026-11-20'],
        ['deadline.reopened', undefined],
        ['deadline.not-applicable', 'Revocado el mismo día'],
      ],
    )
    expect(events[0]?.subject.kind).toBe('document')
    expect(await linesOf(clerk.person, { show: 'not-applicable' })).toHaveLength(1)
  })

  test('a changed term moves open deadlines; what was done stays; all have before and after', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    const { id: obligationId } = await obligationOf(clerk.person, 'Aviso de testamento')
    const [first] = (await list(clerk.person, { obligationId })).deadlines
    await setDeadlineState(system(), clerk.person, {
      ...{ deadlineId: first!.deadline.id, answer: DONE },
    })
    await change(second.person, 'Aviso de testamento', { days: 5 } as never)
    expect(await linesOf(clerk.person, { obligationId })).toEqual([
      'Aviso de testamento 2026-11-27 will',
    ])
    expect(await linesOf(clerk.person, { obligationId, show: 'done' })).toEqual([
      'Aviso de testamento 2026-11-25 will',
    ])
    const log = await system().log()
    expect(log.find(({ action }) => action === 'obligation.changed')?.details).toEqual({
      ...{ name: 'Aviso de testamento', days: 5, daysBefore: 3 },
    })
    expect(log.at(-1)).toMatchObject({ action: 'obligation.recounted', details: { moved: 1 } })
  })

  test('an obligation that is off withdraws its open deadlines, and brings them back', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    const { id: obligationId } = await obligationOf(clerk.person, 'Aviso de testamento')
    const set = async (state: Obligation['state']) => {
      await setObligationState(system(), second.person, { obligationId, state })
      await recountDeadlines(system())
      return await linesOf(clerk.person, { obligationId })
    }
    expect(await set('off')).toEqual([])
    expect(await set('off')).toEqual([])
    expect(await set('active')).toHaveLength(1)
    expect((await actions()).filter((action) => action.startsWith('obligation.'))).toEqual([
      ...['obligation.switched-off', 'obligation.recounted'],
      ...['obligation.switched-on', 'obligation.recounted'],
    ])
  })

  test('a day of the office moves what is counted in working days, and back', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    const day = '2026-11-24' as Day
    await addNonWorkingDay(system(), second.person, { day, name: 'Asueto local', source: null })
    await recountDeadlines(system())
    expect(await linesOf(clerk.person)).toContain('Aviso de testamento 2026-11-26 will')
    await removeNonWorkingDay(system(), second.person, { day })
    await removeNonWorkingDay(system(), second.person, { day })
    await recountDeadlines(system())
    expect(await linesOf(clerk.person)).toContain('Aviso de testamento 2026-11-25 will')
  })

  test('lists: late ones, those of a week, a day and a month, and pages by key', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    for (const date of ['2026-11-10', '2026-11-17', '2026-11-17', '2026-11-18'])
      await aSignedDocument(system(), clerk.person, { kind: 'will', date: date as Day })
    await setDeadlines(system())
    const { id: obligationId } = await obligationOf(clerk.person, 'Aviso de testamento')
    const daysIn = async (asked: Parameters<typeof list>[1]) =>
      (await list(clerk.person, { obligationId, ...asked })).deadlines.map(
        ({ deadline }) => deadline.dueOn,
      )
    expect(await daysIn({ show: 'late' })).toEqual(['2026-11-13'])
    expect(await daysIn({ show: 'week' })).toEqual(['2026-11-20', '2026-11-20', '2026-11-23'])
    expect(await daysIn({ day: '2026-11-20' as Day })).toHaveLength(2)
    expect(await daysIn({ month: '2026-12' as never })).toEqual([])
    const first = await list(clerk.person, { obligationId, size: 3 })
    expect(first.counts).toEqual({ open: 4, late: 1, week: 3 })
    expect([...first.calendar.days]).toEqual([
      ...[['2026-11-13', 1] as const, ['2026-11-20', 2] as const, ['2026-11-23', 1] as const],
    ])
    const rest = await list(clerk.person, { obligationId, size: 3, behind: first.next! })
    expect([first, rest].flatMap((page) => page.deadlines).map((one) => one.deadline.id)).toEqual(
      (await list(clerk.person, { obligationId })).deadlines.map((one) => one.deadline.id),
    )
    expect(rest.next).toBeUndefined()
  })

  test('alerts: those of a day together to the author, each notice once; late ones to the administrators too', async () => {
    const { clerk, admin } = await anOfficeWithStaff(system())
    const one = await aSignedDocument(system(), clerk.person, { kind: 'will' })
    const two = await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    await watchDeadlines(system())
    await watchDeadlines(system())
    const [text, ...more] = await alertsOf(clerk.person)
    expect(more).toEqual([])
    expect(text).toMatch(/^“Aviso de testamento” vence el 25 nov 2026: /)
    for (const { folio } of [one, two]) expect(text).toContain(`${folio} (Testamento)`)
    expect(text).not.toContain('Documento firmado')
    expect(await alertsOf(admin.person)).toEqual([])
    system().wait(days(6))
    await watchDeadlines(system())
    expect(await alertsOf(clerk.person)).toEqual([expect.stringContaining('venció el 25 nov 2026')])
    expect(await alertsOf(admin.person)).toEqual([expect.stringContaining('venció el 25 nov 2026')])
  })

  test('alerts: are resolved when the last of their deadlines is done, and raised again if it is open again', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    for (let count = 0; count < 2; count += 1)
      await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    await watchDeadlines(system())
    const { id: obligationId } = await obligationOf(clerk.person, 'Aviso de testamento')
    const ids = (await list(clerk.person, { obligationId })).deadlines.map((d) => d.deadline.id)
    const set = (answer: DeadlineAnswer, deadlineId = ids[0]!) =>
      setDeadlineState(system(), clerk.person, { deadlineId, answer })
    await set(DONE)
    expect(await alertsOf(clerk.person)).toHaveLength(1)
    await set(DONE, ids[1])
    expect(await alertsOf(clerk.person)).toEqual([])
    system().wait(hours(1))
    await set({ state: 'open' })
    await watchDeadlines(system())
    expect(await alertsOf(clerk.person)).toHaveLength(1)
  })

  test('alerts: of a month, and of an author who is suspended, go to the administrators', async () => {
    const { office, admin } = await anOfficeWithStaff(system())
    const gone = await aMember(system(), office, ['CLERK'])
    await aSignedDocument(system(), gone.person, { kind: 'will' })
    await system().db.transaction((trx) =>
      trx.updateTable('users').set({ state: 'suspended' }).where('id', '=', gone.user.id).execute(),
    )
    await setDeadlines(system())
    await watchDeadlines(system())
    expect(await alertsOf(admin.person)).toEqual([expect.stringContaining('testamento')])
    system().wait(days(20))
    await watchDeadlines(system())
    const texts = (await alertsOf(admin.person)).join(' ')
    expect(texts).toContain('“Avisos de actividades vulnerables (PLD)” vence el 17 dic 2026')
    expect(texts).toContain('noviembre de 2026')
  })
})

onEachSigningSystem('deadlines of a signature', (system) => {
  test('the last signature marks its document', async () => {
    const { person, efirma, document } = await aScene(system())
    await signAs(system(), person, efirma, document)
    await setDeadlines(system())
    const { deadlines } = await readDocumentDeadlines(system(), person, { documentId: document.id })
    expect(deadlines.map(({ obligation }) => obligation.name)).toEqual([
      'Índice electrónico del Colegio',
    ])
  })
})
