import { expect, test } from 'vitest'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { findNewestCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import type { NewEvent } from '#server/db/audit/audit-events.ts'
import { listEvents } from '#server/db/audit/event-pages.ts'
import { findLogView, listLogs } from '#server/db/audit/logs.ts'
import { listTrusted, versionOfTrust } from '#server/db/trust/authorities.ts'
import { parseInclusionProofs, provenHead } from '#server/domain/audit/inclusion-proof.ts'
import { FIRST_LOG, type Log } from '#server/domain/audit/log.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { readAuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import { sha256 as digestOf } from '#server/domain/crypto/sha256.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { INSTALLATION, type TrustScope } from '#server/domain/trust/known-authority.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { exportLog } from '#server/features/audit/export-log.ts'
import { wholeLog } from '#server/features/audit/export-whole-log.ts'
import { listNewEvents } from '#server/features/audit/list-new-events.ts'
import { listRecentEvents } from '#server/features/audit/list-recent-events.ts'
import { type CreateOffice, createOffice } from '#server/features/installation/create-office.ts'
import { readFigures } from '#server/features/installation/read-figures.ts'
import { programAsDecider } from '#server/features/offices/authority-decider.ts'
import {
  type AuthorityDecision,
  applyDecision,
  decideAuthority,
} from '#server/features/offices/decide-authority.ts'
import { importAuthorities, storeBundle } from '#server/features/offices/import-authorities.ts'
import { listAuthorities } from '#server/features/offices/list-authorities.ts'
import { proveSigning } from '#server/features/verification/prove-signing.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import {
  ANOTHER_OFFICE,
  asPerson,
  MORNING,
  storedOffice,
  storedUser,
  stranger,
} from '#tests/support/builders.ts'
import {
  addBehind,
  addEvents,
  FIRST,
  rewriteEvent,
  tamper,
} from '#tests/support/office/log-events.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const viewed = (user: User): NewEvent => ({
  ...{ actor: asPerson(user), at: MORNING, action: 'audit.viewed' as const },
  subject: { kind: 'nothing' },
})

const ofNoOffice: NewEvent = {
  ...{ actor: stranger(), at: MORNING, action: 'session.refused', subject: { kind: 'nothing' } },
  result: 'refused',
}

onEachSigningSystem('a second office', (current) => {
  const append = (event: NewEvent) => current().eventQueue.append(event)

  /** An office with some events, and another that is made beside it. */
  async function two() {
    const system = current()
    const first = await storedOffice(system.db)
    const user = await storedUser(system.db, first, ['ADMIN'])
    const before = [await append(viewed(user)), await append(ofNoOffice)]
    const made = await createOffice(system, ANOTHER_OFFICE)
    await checkpointLogs(system, undefined, seconds(0))
    const other = await storedUser(system.db, made.office, ['ADMIN'])
    return { system, first, user, before, made, other }
  }

  const verdictOf = async (system: TestSystem, log: Log) => {
    const judge = logJudge({ keys: [system.settings.logKeys(log).verifier] })
    for await (const line of wholeLog(system, log)) judge.take(line)
    return judge.verdict()
  }

  const page = async ({ db }: TestSystem, office: Office) =>
    (await listEvents(db, { view: await findLogView(db, office.id), limit: 100 })).events

  test('figures for metrics: the events of each open log that no checkpoint covers', async () => {
    const { system, user, other } = await two()
    expect(await readFigures(system)).toMatchObject({ unsignedEvents: 0 })
    for (const one of [user, other, other]) await append(viewed(one))
    expect(await readFigures(system)).toMatchObject({ unsignedEvents: 3 })
    await checkpointLogs(system, undefined, seconds(0))
    expect(await readFigures(system)).toMatchObject({ unsignedEvents: 0 })
  })

  test('closes the first log by a checkpoint over all of its events', async () => {
    const { system } = await two()
    const [first, ...others] = await listLogs(system.db)
    expect(first).toMatchObject({ number: FIRST_LOG, officeId: null })
    expect(first?.closedAt).not.toBeNull()
    expect(others.every(({ closedAt }) => closedAt === null)).toBe(true)
    const verdict = await verdictOf(system, first!)
    expect(verdict).toMatchObject({ verdict: 'INTACT', unproven: 0 })
    await append(ofNoOffice)
    expect((await verdictOf(system, first!)).events).toBe(verdict.events)
  })

  test('each log has a key of its own, and its first event names the end of the first log', async () => {
    const { system, first, made } = await two()
    const logs = await listLogs(system.db)
    const names = logs.map((log) => system.settings.logKeys(log).verifier.name)
    expect(new Set(names).size).toBe(4)
    expect(logs.map(({ officeId }) => officeId).toSorted()).toEqual(
      [null, null, first.id, made.office.id].toSorted(),
    )
    const end = await findNewestCheckpoint(system.db, FIRST_LOG)
    for (const log of logs.slice(1)) {
      expect(await verdictOf(system, log)).toMatchObject({ verdict: 'INTACT' })
      const [line] = await Array.fromAsync(eventsOf(system, log))
      expect(line).toMatchObject({
        seq: 0,
        action: 'log.opened',
        officeId: log.officeId,
        details: {
          origin: system.settings.logKeys(log).verifier.name,
          ...{ after: names[0], size: end?.size, root: end?.root },
        },
      })
    }
  })

  test('an office reads its events from before and after; none of another, none of no office', async () => {
    const { system, first, user, before, made, other } = await two()
    const later = await append(viewed(user))
    const unowned = await append(ofNoOffice)
    const own = await append(viewed(other))
    const ofFirst = await page(system, first)
    expect(ofFirst).toEqual(expect.arrayContaining([...before, later]))
    expect(ofFirst.some(({ officeId }) => officeId === made.office.id)).toBe(false)
    expect(ofFirst.map(({ position }) => position)).not.toContain(unowned.position)
    const ofSecond = await page(system, made.office)
    expect(ofSecond).toContainEqual(own)
    expect(ofSecond.every(({ officeId }) => officeId === made.office.id)).toBe(true)
    expect(later.seq).toBeLessThan(5)
  })

  test('its page of the log pages back and lists what is new by positions', async () => {
    const { system, user } = await two()
    const person = asPerson(user)
    const { end } = await listRecentEvents(system, person, {})
    const later = await append(viewed(user))
    await append(ofNoOffice)
    const news = await listNewEvents(system, person, { after: end })
    expect(news.events.map(({ position }) => position)).toEqual([later.position])
    const back = await listRecentEvents(system, person, { before: later.position })
    expect(back.events.every(({ position }) => position < later.position)).toBe(true)
    expect(back.events.map(({ seq }) => seq)).toContain(0)
  })

  test('exports what it reads of both logs, in the order of time', async () => {
    const { system, user, other } = await two()
    const exported = async (of: User) => {
      const { events } = await exportLog(system, asPerson(of), { format: 'csv' })
      return await Array.fromAsync(events)
    }
    const ofFirst = await exported(user)
    expect(ofFirst.map(({ action }) => action)).toEqual([
      ...['audit.viewed', 'session.refused', 'log.closed', 'log.opened'],
    ])
    expect((await exported(other)).map(({ action }) => action)).toEqual([
      ...['log.opened', 'office.created', 'user.created', 'activation.created'],
    ])
  })

  test('a third office opens one log more and closes none', async () => {
    const { system } = await two()
    const before = await listLogs(system.db)
    await createOffice(system, {
      office: { ...ANOTHER_OFFICE.office, number: 46 },
      administrator: { ...ANOTHER_OFFICE.administrator, email: 'eva@notaria46.example' as never },
    })
    const after = await listLogs(system.db)
    expect(after.slice(0, -1)).toEqual(before)
    expect(await checkLogs(system)).toBeUndefined()
  })

  test('a fault in the log of an office is found, and alerts that office alone', async () => {
    const { system, first, made, other } = await two()
    await append(viewed(other))
    system.wait(minutes(1))
    await checkpointLogs(system)
    const position = (await page(system, made.office))[0]!.position
    await tamper(system.db, rewriteEvent(position))
    expect(await checkLogs(system)).toBeDefined()
    const alerts = await system.db.selectFrom('alerts').selectAll().execute()
    const offices = alerts.filter(({ kind }) => kind === 'audit-check-failed')
    expect(offices.map(({ office_id: id }) => id)).toEqual([made.office.id])
    expect(first.id).not.toBe(made.office.id)
  })

  test('an event behind the end of the first log is found', async () => {
    const { system } = await two()
    const [first] = await listLogs(system.db)
    const { events } = await verdictOf(system, first!)
    await tamper(system.db, addBehind(events))
    expect(await checkpointLogs(system, undefined, seconds(0))).toBeUndefined()
    expect(await checkLogs(system)).toEqual({ kind: 'beyond-end', seq: events })
  })

  test('is refused if the log has a fault, and nothing of it remains', async () => {
    const system = current()
    await storedOffice(system.db)
    await addEvents(system.db, 20)
    await checkpointLogs(system, undefined, seconds(0))
    await tamper(system.db, rewriteEvent(7))
    await addEvents(system.db, 1)
    await expect(createOffice(system, ANOTHER_OFFICE)).rejects.toThrow('the log does not hold')
    expect(await listLogs(system.db)).toEqual([FIRST])
  })

  test('authorities: each office decides for itself, before what the installation decided', async () => {
    const { system, first, made, user, other } = await two()
    const { der } = (await aPrivateAuthority('AC de la segunda notaría')).certificate
    const id = digestOf(der)
    const { db, clock } = system
    const reason = 'La revisó el notario en persona.'
    const accept: AuthorityDecision = {
      kind: 'accept',
      sha256: id,
      reason,
      revocation: 'required',
      ocsp: [],
    }
    const remove: AuthorityDecision = { kind: 'remove', sha256: id, reason }
    const operator = programAsDecider('rubrica trust', clock.now(), false)
    const file = { fileName: 'autoridad.cer', content: [der] }
    const trust = openTrustStore({
      folders: [],
      decisions: {
        version: (scope) => versionOfTrust(db, scope),
        list: (scope) => listTrusted(db, scope),
      },
      isDemo: false,
    })
    const trusting = async () => {
      const scopes = new Map<string, TrustScope>([
        ['first', first.id],
        ['other', made.office.id],
        ['installation', INSTALLATION],
      ])
      const trusted: string[] = []
      for (const [name, scope] of scopes)
        if ((await trust.policy(clock.now(), scope)).anchors.length > 0) trusted.push(name)
      return trusted
    }

    await importAuthorities(system, asPerson(other), file)
    await decideAuthority(system, asPerson(other), accept)
    expect(await trusting()).toEqual(['other'])
    expect(await listAuthorities(system, asPerson(user))).toEqual([])
    await expect(decideAuthority(system, asPerson(user), accept)).rejects.toMatchObject({
      code: 'not-found',
    })

    await storeBundle(db, operator, await readAuthorityBundle(der, 'autoridad.cer'))
    await applyDecision(db, operator, accept)
    expect(await trusting()).toEqual(['first', 'other', 'installation'])
    await decideAuthority(system, asPerson(user), remove)
    expect(await trusting()).toEqual(['other', 'installation'])
    await applyDecision(db, operator, remove)
    expect(await trusting()).toEqual(['other'])

    const { events } = await exportLog(system, asPerson(user), { format: 'jsonl' })
    const own = JSON.stringify(await Array.fromAsync(events))
    expect(own).toContain('authority.removed')
    expect(own).not.toContain('authority.accepted')
  })

  test('is refused without a first one, with the number of another, and with the address of an account', async () => {
    const system = current()
    const code = (input: CreateOffice) => expect(createOffice(system, input)).rejects
    await code(ANOTHER_OFFICE).toMatchObject({ code: 'wrong-state' })
    const first = await storedOffice(system.db)
    const { number, entity } = first
    const taken = { ...ANOTHER_OFFICE, office: { ...ANOTHER_OFFICE.office, number, entity } }
    await code(taken).toMatchObject({ code: 'office-taken' })
    const { email } = await storedUser(system.db, first)
    const known = { ...ANOTHER_OFFICE, administrator: { ...ANOTHER_OFFICE.administrator, email } }
    await code(known).toMatchObject({ code: 'address-taken' })
  })

  test('a signature from before is proven as before', async () => {
    const system = current()
    const { person, efirma, document } = await aScene(system)
    await signAs(system, person, efirma, document)
    await createOffice(system, ANOTHER_OFFICE)
    system.wait(seconds(6))
    const { proofs } = await proveSigning(system, stranger(), { id: document.id })
    const { verifier } = system.settings.logKeys(FIRST)
    for (const proof of parseInclusionProofs(proofs) ?? [])
      expect(provenHead(proof, [verifier])).toBeDefined()
    expect(parseInclusionProofs(proofs)).toHaveLength(1)
  })

  test('writers that are under way leave no gap and nothing behind the end of the first log', async () => {
    const system = current()
    const first = await storedOffice(system.db)
    const users = await Promise.all(Array.from({ length: 6 }, () => storedUser(system.db, first)))
    const writers = users.map(async (user) => {
      for (let turn = 0; turn < 12; turn += 1) await append(viewed(user))
    })
    await Promise.all([...writers, createOffice(system, ANOTHER_OFFICE)])
    system.wait(minutes(1))
    expect(await checkpointLogs(system)).toBeUndefined()
    expect(await checkLogs(system)).toBeUndefined()
    const all = await page(system, first)
    expect(all.filter(({ action }) => action === 'audit.viewed')).toHaveLength(72)
    expect((await Array.fromAsync(eventsOf(system, FIRST))).at(-1)?.action).toBe('log.closed')
  })
})

async function* eventsOf(
  system: TestSystem,
  log: Log,
): AsyncGenerator<{ seq: number; action: string }> {
  for await (const line of wholeLog(system, log))
    if (line.kind === 'event') yield JSON.parse(new TextDecoder().decode(line.canonical))
}
