import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '#server/db/audit/audit-events.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { upsertParties } from '#server/db/signing-sessions/parties.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { PartyId } from '#server/domain/ids.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
import { nameSubjects } from '#server/steps/audit/name-subjects.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession } from '#tests/support/office/session-rows.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** An office, and one event about each kind of row that has a name. */
async function anOffice({ db }: TestSystem, number: number) {
  const office = await storedOffice(db, { number })
  const user = await storedUser(db, office, ['NOTARY'], { firstName: 'Ana', lastName: 'Prado' })
  const document = aDocument(user, { title: 'Poder' })
  const session = aSession(user, { title: 'Compraventa' })
  const held = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
  const party = KnownParty.parse({
    ...{ id: PartyId.parse(randomUUID()), officeId: office.id, by: user.id, at: MORNING },
    ...{ name: 'Benito Núñez', rfc: 'NUPB801201QX7', email: null, character: 'Comprador' },
  })
  const mail = await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    await insertSigningSession(trx, session, [held])
    await upsertParties(trx, [party])
    return await queueMail(trx, {
      officeId: office.id,
      to: { name: 'Clara Vega', address: user.email },
      facts: { kind: 'alert', title: 'Aviso', text: 'Aviso' },
      at: MORNING,
    })
  })
  const subjects: AuditSubject[] = [
    { kind: 'document', id: document.id },
    { kind: 'user', id: user.id },
    { kind: 'signing-session', id: session.id },
    { kind: 'party', id: party.id },
    { kind: 'mail', id: mail },
    { kind: 'second-factor', id: randomUUID() },
    { kind: 'nothing' },
  ]
  return { office, events: subjects.map(eventAbout), folio: document.folio }
}

/** An event that names its subject itself, which counts for some kinds only. */
const eventAbout = (subject: AuditSubject) =>
  ({ subject, details: { name: 'De entonces' } }) as unknown as RecordedEvent

onEachSystem('names of what events are about', (current) => {
  async function named(readers: readonly Role[], of: 'own' | 'other') {
    const { office, events, folio } = await anOffice(current(), 12)
    const reader = { officeId: office.id, roles: readers }
    const asked = of === 'own' ? events : (await anOffice(current(), 13)).events
    const found = await nameSubjects(current().db, reader, asked)
    expect(found.map(({ about: _, ...event }) => event)).toEqual(asked)
    for (const [at, { about }] of found.entries())
      expect(about && [about.kind, about.id]).toEqual(idOf(asked[at]?.subject))
    return { names: found.map(({ about }) => about?.name), folio }
  }
  const idOf = (subject: AuditSubject | undefined) =>
    subject && subject.kind !== 'nothing' ? [subject.kind, subject.id] : undefined

  test('are those of today, of each kind of row; some are named by their events', async () => {
    const { names, folio } = await named(['ADMIN', 'NOTARY'], 'own')
    expect(names).toEqual([
      ...[`${folio} “Poder”`, 'Ana Prado', '“Compraventa”', 'Benito Núñez', 'Clara Vega'],
      ...['De entonces', undefined],
    ])
  })

  test.each<[Role, (string | null)[]]>([
    ['NOTARY', ['Benito Núñez', null]],
    ['ADMIN', [null, 'Clara Vega']],
    ['AUDITOR', [null, null]],
  ])(
    'of parties and mails: a reader who is %s sees only those that they see elsewhere',
    async (role, expected) => {
      const { names } = await named([role], 'own')
      expect(names.slice(3, 5)).toEqual(expected)
      expect(names.slice(0, 3)).not.toContain(null)
    },
  )

  test('of another office: none', async () => {
    const { names } = await named(['ADMIN', 'NOTARY'], 'other')
    expect(names.slice(0, 5)).toEqual(Array(5).fill(null))
  })
})
