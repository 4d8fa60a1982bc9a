import { expect, test } from 'vitest'
import { listAlerts } from '#server/db/alerts/alerts.ts'
import { listDueArcoRequests } from '#server/db/care/arco-requests.ts'
import type { ArcoTerms } from '#server/domain/care/arco-request.ts'
import { Day } from '#server/domain/day.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import type { ProblemCode } from '#server/domain/problem.ts'
import { days } from '#server/domain/time.ts'
import { changeArcoTerms, readArcoTerms } from '#server/features/arco/arco-terms.ts'
import { extendTerm } from '#server/features/arco/extend-term.ts'
import { listArcoRequests } from '#server/features/arco/list-arco-requests.ts'
import { makeEffective } from '#server/features/arco/make-effective.ts'
import { readArcoRequest } from '#server/features/arco/read-arco-request.ts'
import { recordArcoRequest } from '#server/features/arco/record-arco-request.ts'
import { requestPackage } from '#server/features/arco/request-package.ts'
import { watchArco } from '#server/features/arco/watch-arco.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aGrantedRequest, anArcoRequest, answered, proven } from '#tests/support/office/arco.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const TERMS: ArcoTerms = {
  ...{ answerDays: 10, effectDays: 5, source: 'Ley local' },
  sourceDay: Day.parse('2026-01-01'),
}

onEachSystem('requests about personal data', (system) => {
  async function aScene() {
    const office = await storedOffice(system().db)
    const of = async (role: 'ADMIN' | 'NOTARY' | 'LAWYER' | 'CLERK') =>
      asPerson(await storedUser(system().db, office, [role]))
    const [admin, notary] = [await of('ADMIN'), await of('NOTARY')]
    return { office, admin, notary, lawyer: await of('LAWYER'), clerk: await of('CLERK') }
  }
  const read = async (by: Awaited<ReturnType<typeof aScene>>['admin'], requestId: ArcoRequestId) =>
    await readArcoRequest(system(), by, { requestId })
  const refusedAs = (code: ProblemCode) => ({ code })

  test('request: is recorded once, under the next number of the year, with its term', async () => {
    const { lawyer, notary } = await aScene()
    const first = anArcoRequest()
    const id = await recordArcoRequest(system(), lawyer, first)
    expect(await recordArcoRequest(system(), lawyer, first)).toBe(id)
    await recordArcoRequest(system(), lawyer, anArcoRequest({ kind: 'opposition' }))

    const { requests } = await listArcoRequests(system(), notary, {})
    expect(requests.map(({ year, number }) => [year, number])).toEqual(
      expect.arrayContaining([
        [2026, 1],
        [2026, 2],
      ]),
    )
    expect(requests).toHaveLength(2)
    const { request, steps } = await read(notary, id)
    expect(request).toMatchObject({ state: 'received', dueOn: '2026-12-18', identity: null })
    expect(steps.map(({ kind }) => kind)).toEqual(['recorded'])
    // The log is never rewritten: it names no person.
    const log = await system().log()
    const event = log.find(({ action }) => action === 'arco.recorded')
    expect(event?.details).toMatchObject({ name: 'ARCO-2026-0001', dueOn: '2026-12-18' })
    expect(JSON.stringify(log)).not.toContain('Benito')
  })

  test('request: a day that has not come is refused', async () => {
    const { lawyer } = await aScene()
    const ahead = anArcoRequest({ receivedOn: '2026-11-21' })
    await expect(recordArcoRequest(system(), lawyer, ahead)).rejects.toMatchObject(
      refusedAs('arco-day-ahead'),
    )
  })

  test('request: goes from the proof of identity to the answer and its effect, each with its author', async () => {
    const { lawyer, notary } = await aScene()
    const id = await recordArcoRequest(system(), lawyer, anArcoRequest())
    await proven(system(), lawyer, id)
    expect((await read(notary, id)).request).toMatchObject({
      ...{ state: 'identified', dueOn: '2026-12-18' },
      identity: { how: 'official-id', note: 'Pasaporte', by: lawyer.userId },
    })
    await answered(system(), notary, id)
    expect((await read(notary, id)).request).toMatchObject({
      ...{ state: 'answered', dueOn: '2026-12-11', answer: { outcome: 'granted', reason: null } },
    })
    await makeEffective(system(), notary, { requestId: id, note: 'Se le entregó.' as never })
    const { request, steps } = await read(notary, id)
    expect(request).toMatchObject({ state: 'closed', dueOn: null })
    expect(steps.map(({ kind, by }) => [kind, by])).toEqual([
      ...[
        ['recorded', lawyer.userId],
        ['identified', lawyer.userId],
      ],
      ...[
        ['answered', notary.userId],
        ['effected', notary.userId],
      ],
    ])
  })

  test('answer: without the identity only a denial with its reason, which closes the request', async () => {
    const { lawyer, notary } = await aScene()
    const id = await recordArcoRequest(system(), lawyer, anArcoRequest())
    await expect(answered(system(), notary, id)).rejects.toMatchObject(refusedAs('arco-unproven'))
    const denied = { outcome: 'denied', text: 'No procede.' }
    await expect(answered(system(), notary, id, denied)).rejects.toMatchObject(
      refusedAs('arco-reason-missing'),
    )
    await answered(system(), notary, id, { ...denied, reason: 'No acreditó su identidad.' })
    expect((await read(notary, id)).request).toMatchObject({ state: 'closed', dueOn: null })
    await expect(answered(system(), notary, id)).rejects.toMatchObject(refusedAs('arco-state'))
  })

  test('answer: of two at once, one is stored', async () => {
    const { notary } = await aScene()
    const id = await recordArcoRequest(system(), notary, anArcoRequest())
    await proven(system(), notary, id)
    const outcomes = await Promise.allSettled([
      answered(system(), notary, id),
      answered(system(), notary, id, { text: 'Otra.' }),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await read(notary, id)).steps.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
  })

  test('term: is extended once, while it runs, with a reason', async () => {
    const { notary } = await aScene()
    const id = await recordArcoRequest(system(), notary, anArcoRequest())
    const extend = () =>
      extendTerm(system(), notary, { requestId: id, reason: 'Hay mucho.' as never })
    await extend()
    expect((await read(notary, id)).request.dueOn).toBe('2027-01-19')
    await expect(extend()).rejects.toMatchObject(refusedAs('arco-state'))

    const late = await recordArcoRequest(system(), notary, anArcoRequest())
    system().wait(days(40))
    const again = { ...notary, provenAt: system().clock.now() }
    const asked = { requestId: late, reason: 'Tarde.' as never }
    await expect(extendTerm(system(), again, asked)).rejects.toMatchObject(refusedAs('arco-state'))
  })

  test('terms: those that an administrator sets apply to later requests alone', async () => {
    const { admin, notary } = await aScene()
    const before = await recordArcoRequest(system(), notary, anArcoRequest())
    await changeArcoTerms(system(), admin, TERMS)
    const after = await recordArcoRequest(system(), notary, anArcoRequest())
    expect((await read(notary, before)).request.dueOn).toBe('2026-12-18')
    expect((await read(notary, after)).request.dueOn).toBe('2026-12-04')
    expect(await readArcoTerms(system(), notary)).toMatchObject({ current: TERMS })
    await expect(changeArcoTerms(system(), notary, TERMS)).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
  })

  test('term: administrators are warned five days before, on the last day and when it is over, and no more after the answer', async () => {
    const { office, admin, notary } = await aScene()
    const id = await recordArcoRequest(system(), notary, anArcoRequest())
    const open = async () => {
      await watchArco(system())
      await watchArco(system())
      const reach = { officeId: office.id, userId: admin.userId, office: 'included' } as const
      const alerts = await listAlerts(system().db, { ...reach, states: ['open'], limit: 9 })
      return alerts.map(({ kind, severity, facts }) => [kind, severity, facts.left])
    }
    system().wait(days(22))
    expect(await open()).toEqual([])
    system().wait(days(1))
    expect(await open()).toEqual([['arco-due', 'warning', 5]])
    system().wait(days(4))
    expect(await open()).toEqual([['arco-due', 'danger', 1]])
    system().wait(days(2))
    expect(await open()).toEqual([['arco-due', 'danger', -1]])

    const again = { ...notary, provenAt: system().clock.now() }
    const denied = { outcome: 'denied', text: 'No.', reason: 'No acreditó su identidad.' }
    await answered(system(), again, id, denied)
    expect(await open()).toEqual([])
    const until = Day.parse('2030-01-01')
    expect(await listDueArcoRequests(system().db, { until, limit: 9 })).toEqual([])
  })

  test('roles: a clerk reads nothing, a lawyer answers nothing, another office finds nothing', async () => {
    const { notary, lawyer, clerk } = await aScene()
    const id = await aGrantedRequest(system(), notary)
    await expect(listArcoRequests(system(), clerk, {})).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
    for (const work of [
      () => makeEffective(system(), lawyer, { requestId: id, note: 'Se hizo.' as never }),
      () => requestPackage(system(), lawyer, { requestId: id }),
    ])
      await expect(work()).rejects.toMatchObject(refusedAs('forbidden'))
    const other = await storedOffice(system().db, { number: 13 })
    const stranger = asPerson(await storedUser(system().db, other, ['ADMIN', 'NOTARY']))
    await expect(read(stranger, id)).rejects.toMatchObject(refusedAs('not-found'))
    expect((await listArcoRequests(system(), stranger, {})).requests).toEqual([])
  })
})
