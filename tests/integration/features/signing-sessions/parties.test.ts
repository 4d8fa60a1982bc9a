import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { upsertParties } from '#server/db/signing-sessions/parties.ts'
import type { OfficeId, PartyId, UserId } from '#server/domain/ids.ts'
import { KnownParty, PartyData } from '#server/domain/signing/session/party.ts'
import { after, minutes } from '#server/domain/time.ts'
import { UNDO_ACCEPTED } from '#server/domain/undo.ts'
import { changeParty } from '#server/features/parties/change-party.ts'
import { ListKnownParties, listKnownParties } from '#server/features/parties/list-known-parties.ts'
import { readParty } from '#server/features/parties/read-party.ts'
import { removeParty } from '#server/features/parties/remove-party.ts'
import { restoreParty } from '#server/features/parties/restore-party.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import {
  addSessionSigner,
  removeSessionSigner,
} from '#server/features/signing-sessions/edit-session-signers.ts'
import { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import { rememberParties } from '#server/steps/signing/remember-parties.ts'
import { MORNING, storedOffice } from '#tests/support/builders.ts'
import { sessionOf } from '#tests/support/office/ceremonies.ts'
import { external } from '#tests/support/office/guests.ts'
import { aMember } from '#tests/support/office/office-staff.ts'
import { aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const BENITO = { name: 'Benito Núñez Peña', rfc: 'NUPB801201QX7', character: 'Comprador' }
const asked = (changes: Parameters<typeof external>[0] = {}) =>
  RequestedSigner.parse(external({ ...BENITO, email: 'benito@ejemplo.example', ...changes }))

onEachSigningSystem('parties', (system) => {
  async function aSession() {
    const { person, document } = await aScene(system())
    const { id } = await createSigningSession(system(), person, sessionOf([document], []))
    const add = (changes: Parameters<typeof asked>[0] = {}) =>
      addSessionSigner(system(), person, { signingSessionId: id, signer: asked(changes) })
    const parties = async (text?: string) =>
      (await listKnownParties(system(), person, ListKnownParties.parse({ text }))).parties
    return { person, id, add, parties }
  }
  const eventsOf = async (id: PartyId) =>
    (await system().log()).filter(({ subject }) => subject.kind === 'party' && subject.id === id)

  test('catalogue: keeps an external signer who is added, in the transaction of the session', async () => {
    const { add, parties } = await aSession()
    await add()
    const [party, ...more] = await parties()
    expect(more).toEqual([])
    expect(party).toMatchObject({ ...BENITO, email: 'benito@ejemplo.example' })
    const log = await system().log()
    expect(log.slice(-2).map(({ action }) => action)).toEqual([
      'party.added',
      'signing-session.changed',
    ])
    // The log is never rewritten: it has nothing that the office must be able to delete.
    expect(JSON.stringify(log.at(-2)?.details)).toBe('{}')

    await expect(add()).rejects.toMatchObject({ code: 'signer-twice' })
    expect(await parties()).toEqual([party])
  })

  test('catalogue: one entry an RFC, with the latest data and the known address', async () => {
    const { add, parties } = await aSession()
    await add()
    await add({ character: 'Apoderado de la vendedora', email: null })
    const [party, ...more] = await parties()
    expect(more).toEqual([])
    expect(party).toMatchObject({
      character: 'Apoderado de la vendedora',
      email: 'benito@ejemplo.example',
    })
    const events = await eventsOf(party!.id)
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['party.added', {}],
      ['party.changed', { changed: 'character' }],
    ])
  })

  test('catalogue: keeps the external signers of a session that is created with them, and no user', async () => {
    const { person, user, document } = await aScene(system())
    const own = { kind: 'user', userId: user.id, character: null, step: 1 } as const
    await createSigningSession(system(), person, sessionOf([document], [own, asked()]))
    const { parties } = await listKnownParties(system(), person, {})
    expect(parties.map(({ rfc }) => rfc)).toEqual([BENITO.rfc])
  })

  test('catalogue: a person who is asked in two characters is one entry and one change', async () => {
    const { person, document } = await aScene(system())
    const both = [asked(), asked({ character: 'Apoderado de la vendedora', email: null })]
    const create = () => createSigningSession(system(), person, sessionOf([document], both))
    await create()
    const [party, ...more] = (await listKnownParties(system(), person, {})).parties
    expect(more).toEqual([])
    expect(party).toMatchObject({
      character: 'Apoderado de la vendedora',
      email: 'benito@ejemplo.example',
    })
    await create()
    expect((await eventsOf(party!.id)).map(({ action }) => action)).toEqual(['party.added'])
  })

  test('catalogue: writes no event itself, so that the log is locked last', async () => {
    const { person } = await aScene(system())
    const data = [BENITO, { ...BENITO, rfc: 'YANI820417HM1' }].map((one) =>
      PartyData.parse({ ...one, email: null }),
    )
    const { length } = await system().log()
    const events = await system().db.transaction((trx) =>
      rememberParties(trx, person, data, MORNING),
    )
    expect(events.map(({ action }) => action)).toEqual(['party.added', 'party.added'])
    expect(await system().log()).toHaveLength(length)
  })

  test('catalogue: sessions that are created at once with one new person add one entry', async () => {
    const { person, document } = await aScene(system())
    const others = ['YANI820417HM1', 'QUIM860404SK2', 'ROSA950606KF6', 'IBAC870818JG7']
    const create = (rfc: string, index: number) => {
      const signers = [asked({ character: `Carácter ${index}` }), asked({ rfc })]
      const inOrder = index % 2 === 0 ? signers : signers.toReversed()
      return createSigningSession(system(), person, sessionOf([document], inOrder))
    }
    await Promise.all(others.map(create))
    const { parties } = await listKnownParties(system(), person, {})
    expect(parties.map(({ rfc }) => rfc).toSorted()).toEqual([BENITO.rfc, ...others].toSorted())
    const log = await system().log()
    const about = log.filter(({ subject }) => subject.kind === 'party')
    const added = about.filter(({ action }) => action === 'party.added')
    const ids = (events: typeof about) =>
      events.flatMap(({ subject }) => ('id' in subject ? subject.id : [])).toSorted()
    expect(ids(added)).toEqual(parties.map(({ id }) => id).toSorted())
    const shared = parties.find(({ rfc }) => rfc === BENITO.rfc)!.id
    const changed = about.filter(({ action }) => action === 'party.changed')
    expect(ids(changed)).toEqual([shared, shared, shared])
  })

  test('catalogue: is searched by name and RFC without accents, and by nothing else', async () => {
    const { add, parties } = await aSession()
    await add()
    await add({ name: 'Íñigo Yáñez', rfc: 'YANI820417HM1', email: null })
    const found = async (text: string) => (await parties(text)).map(({ name }) => name)
    expect(await found('nunez')).toEqual([BENITO.name])
    expect(await found('PEÑA benito')).toEqual([BENITO.name])
    expect(await found('inigo')).toEqual(['Íñigo Yáñez'])
    expect(await found('yani8204')).toEqual(['Íñigo Yáñez'])
    expect(await found('ejemplo.example')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  test('catalogue: other offices and other roles find nothing of it', async () => {
    const { person, add, parties } = await aSession()
    await add()
    const [party] = await parties()
    const partyId = party!.id
    const elsewhere = await storedOffice(system().db, { number: 77 })
    const { person: stranger } = await aMember(system(), elsewhere, ['CLERK'])
    expect((await listKnownParties(system(), stranger, {})).parties).toEqual([])
    const data = PartyData.parse({ ...BENITO, email: null })
    const input = { partyId, seenAt: party!.at, data }
    for (const attempt of [readParty, changeParty, removeParty])
      await expect(attempt(system(), stranger, input)).rejects.toMatchObject({
        code: 'not-found',
      })
    const auditor = { ...person, roles: ['AUDITOR' as const] }
    for (const attempt of [listKnownParties, readParty, changeParty, removeParty])
      await expect(attempt(system(), auditor, input)).rejects.toMatchObject({
        code: 'forbidden',
      })
    expect(await parties()).toEqual([party])
  })

  test('catalogue: the same RFC in another office is another entry', async () => {
    const { add, parties } = await aSession()
    await add()
    const elsewhere = await storedOffice(system().db, { number: 77 })
    const { person } = await aMember(system(), elsewhere, ['CLERK'])
    const stranger = aParty({ officeId: elsewhere.id, by: person.userId, name: 'Otro Nombre' })
    await system().db.transaction((trx) => upsertParties(trx, [stranger]))
    expect((await parties()).map(({ name }) => name)).toEqual([BENITO.name])
    const { parties: theirs } = await listKnownParties(system(), person, {})
    expect(theirs.map(({ name }) => name)).toEqual(['Otro Nombre'])
  })

  test('change: replaces the data, not that of sessions; the log has the names of the facts only', async () => {
    const { person, id, add, parties } = await aSession()
    await add()
    const [party] = await parties()
    const partyId = party!.id
    const data = PartyData.parse({ ...BENITO, name: 'Benito Núñez Sosa', email: null })
    await changeParty(system(), person, { partyId, seenAt: party!.at, data })
    expect(await readParty(system(), person, { partyId })).toMatchObject(data)
    expect((await parties('sosa')).map((one) => one.id)).toEqual([partyId])
    const last = (await system().log()).at(-1)
    expect([last?.action, last?.details]).toEqual(['party.changed', { changed: 'name, email' }])
    const { signers = [] } = (await findCeremony(system().db, id)) ?? {}
    expect(signers.map(({ name }) => name)).toEqual([BENITO.name])

    await changeParty(system(), person, { partyId, seenAt: party!.at, data })
    expect((await system().log()).filter(({ action }) => action === 'party.changed')).toHaveLength(
      1,
    )
  })

  test('change: refuses the RFC of another party', async () => {
    const { person, add, parties } = await aSession()
    await add()
    await add({ name: 'Íñigo Yáñez', rfc: 'YANI820417HM1', email: null })
    const [party] = await parties('inigo')
    const data = PartyData.parse({ ...BENITO, email: null })
    const input = { partyId: party!.id, seenAt: party!.at, data }
    const attempt = changeParty(system(), person, input)
    await expect(attempt).rejects.toMatchObject({ code: 'party-known' })
    expect(await parties('inigo')).toEqual([party])
  })

  test('change: refuses data that another editor changed since it was shown', async () => {
    const { person, add, parties } = await aSession()
    await add()
    const [party] = await parties()
    const shown = { partyId: party!.id, seenAt: party!.at }
    const dataWith = (character: string) =>
      PartyData.parse({ ...BENITO, email: party!.email, character })
    system().wait(minutes(1))
    await changeParty(system(), person, { ...shown, data: dataWith('Vendedor') })
    const late = changeParty(system(), person, { ...shown, data: dataWith('Testigo') })
    await expect(late).rejects.toMatchObject({ code: 'stale-version' })
    expect((await parties()).map(({ character }) => character)).toEqual(['Vendedor'])

    await removeParty(system(), person, { partyId: party!.id })
    const gone = changeParty(system(), person, { ...shown, data: dataWith('Testigo') })
    await expect(gone).rejects.toMatchObject({ code: 'not-found' })
  })

  test('change: of parties that take one RFC at once, all but one are refused', async () => {
    const { person } = await aScene(system())
    const owner = { officeId: person.officeId, by: person.userId }
    const rfcs = ['YANI820417HM1', 'ROSA950606KF6', 'IBAC870818JG7', 'GOPR850312QA1']
    const parties = rfcs.map((rfc) => aParty({ ...owner, rfc }))
    await system().db.transaction((trx) => upsertParties(trx, parties))
    const data = PartyData.parse({ ...BENITO, rfc: 'QUIM860404SK2', email: null })
    const changes = parties.map(({ id, at }) =>
      changeParty(system(), person, { partyId: id, seenAt: at, data }),
    )
    const refusals = (await Promise.allSettled(changes)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason] : [],
    )
    const refused = expect.objectContaining({ code: 'party-known' })
    expect(refusals).toEqual([refused, refused, refused])
  })

  test('remove: deletes the data; the event has none of it, and the session keeps its signer', async () => {
    const { person, id, add, parties } = await aSession()
    await add()
    const [party] = await parties()
    await removeParty(system(), person, { partyId: party!.id })
    expect(await parties()).toEqual([])
    const last = (await system().log()).at(-1)
    expect([last?.action, last?.details]).toEqual(['party.removed', {}])
    const { signers = [] } = (await findCeremony(system().db, id)) ?? {}
    expect(signers).toHaveLength(1)
    const again = removeParty(system(), person, { partyId: party!.id })
    await expect(again).rejects.toMatchObject({ code: 'not-found' })
  })

  async function aRemovedParty() {
    const scene = await aSession()
    await scene.add()
    const [party] = await scene.parties()
    if (!party) throw new Error('no party was added')
    const undo = await removeParty(system(), scene.person, { partyId: party.id })
    if (!undo) throw new Error('no party was removed')
    return { ...scene, party, undo }
  }

  test('undo: a removed party is as before, with one event without its data', async () => {
    const { person, parties, party, undo } = await aRemovedParty()
    const both = [undo, undo].map((one) => restoreParty(system(), person, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect(await parties()).toEqual([party])
    const events = (await eventsOf(party.id)).map(({ action, details }) => [action, details])
    expect(events.slice(1)).toEqual([
      ['party.removed', {}],
      ['party.restored', {}],
    ])
  })

  test('undo: a party stays removed when the time is over, and for a user without the role', async () => {
    const { person, parties, undo } = await aRemovedParty()
    const auditor = { ...person, roles: ['AUDITOR'] as const }
    const refused = restoreParty(system(), auditor, undo)
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    const office = await storedOffice(system().db, { number: 77 })
    const { person: foreigner } = await aMember(system(), office, ['CLERK'])
    const foreign = restoreParty(system(), foreigner, undo)
    await expect(foreign).rejects.toMatchObject({ code: 'not-found' })
    system().wait(UNDO_ACCEPTED)
    expect(await restoreParty(system(), person, undo)).toBe('too-late')
    expect(await parties()).toEqual([])
  })

  test('undo: a party that came with the same RFC since is kept', async () => {
    const { person, add, id, parties, undo } = await aRemovedParty()
    const { signers = [] } = (await findCeremony(system().db, id)) ?? {}
    for (const { id: signerId } of signers)
      await removeSessionSigner(system(), person, { signingSessionId: id, signerId })
    await add({ character: 'Testigo' })
    expect(await restoreParty(system(), person, undo)).toBe('changed')
    expect(await parties()).toMatchObject([{ character: 'Testigo' }])
  })

  test('catalogue: pages of entries, those asked last first', async () => {
    const { person } = await aScene(system())
    const entries = Array.from({ length: 120 }, (_, index) =>
      aParty({
        ...{ officeId: person.officeId, by: person.userId, name: `Persona ${index}` },
        rfc: `PERS8001${String(10 + (index % 20))}A${String.fromCharCode(65 + Math.floor(index / 20))}1`,
        at: after(MORNING, minutes(Math.floor(index / 3))),
      }),
    )
    await system().db.transaction((trx) => upsertParties(trx, entries))
    const names: string[] = []
    for (let behind: string | undefined, page = 0; page < 3; page += 1) {
      const answer = await listKnownParties(system(), person, ListKnownParties.parse({ behind }))
      names.push(...answer.parties.map(({ name }) => name))
      behind = answer.next
      expect(behind === undefined).toBe(page === 2)
    }
    expect(new Set(names).size).toBe(120)
    expect(names.slice(0, 3).toSorted()).toEqual(['Persona 117', 'Persona 118', 'Persona 119'])
  })
})

const aParty = (changes: Partial<Record<keyof KnownParty, unknown>> & Owner): KnownParty =>
  KnownParty.parse({ id: randomUUID(), ...BENITO, email: null, at: MORNING, ...changes })

type Owner = { officeId: OfficeId; by: UserId }

test('party: a character or a name that claims a notarial office is refused', () => {
  const data = { ...BENITO, email: null }
  expect(PartyData.safeParse(data).success).toBe(true)
  expect(PartyData.safeParse({ ...data, character: 'N\u043etario titular' }).success).toBe(false)
  expect(PartyData.safeParse({ ...data, name: 'Notario Benito Núñez' }).success).toBe(false)
})
