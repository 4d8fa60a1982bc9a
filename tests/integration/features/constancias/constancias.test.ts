import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConstanciaProviders } from '#server/adapters/constancia-provider.ts'
import { listAlerts } from '#server/db/alerts/alerts.ts'
import { replaceArchive } from '#server/db/documents/archives.ts'
import { findVersion, insertVersion } from '#server/db/documents/document-versions.ts'
import { replaceDocument } from '#server/db/documents/documents.ts'
import {
  findConstancia,
  findConstanciaOverSignatures,
  insertConstanciaRequest,
  listConstancias,
} from '#server/db/trust/constancias.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { AlertState } from '#server/domain/alerts/alert.ts'
import { ID_POLICY_DEMO_CONSTANCIA } from '#server/domain/asn1/object-identifiers.ts'
import { sha256 as digestOf } from '#server/domain/crypto/sha256.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { Problem } from '#server/domain/problem.ts'
import { hours, minutes, seconds } from '#server/domain/time.ts'
import {
  placeOfProviderPassword,
  type ServiceProvider,
} from '#server/domain/timestamp/service-provider.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { openConstancia, readConstancia } from '#server/features/constancias/read-constancia.ts'
import { requestConstancia } from '#server/features/constancias/request-constancia.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { removeProvider } from '#server/features/offices/remove-provider.ts'
import { requestFinalConstancia } from '#server/steps/signing/request-final-constancia.ts'
import type { System } from '#server/system.ts'
import {
  type ConstanciaService,
  type Mood,
  startConstanciaService,
  storedConstanciaProvider,
} from '#tests/support/authorities/constancia-service.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'

let service: ConstanciaService
let system: TestSystem
let folder = ''

beforeAll(async () => {
  service = await startConstanciaService(() => system.clock.now())
}, 60_000)
afterAll(() => service.close())

onEachDatabase('constancias', (current) => {
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'rubrica-blobs-'))
    system = await testSystem(current().db, folder, { trust: service.trust })
    // With the vault of this system: it opens the password.
    system = {
      ...system,
      constancias: createConstanciaProviders({
        networks: outgoingNetworks([]),
        vault: system.vault,
        patience: seconds(1),
      }),
    }
    service.mood = 'well'
    service.seen.length = 0
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A signed document with a requested constancia. */
  async function scene(): Promise<{ notary: Person; document: Document; given: number }> {
    const office = await storedOffice(system.db)
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    await storedConstanciaProvider(system.db, office.id, service.url)
    const document = await signedDocument(notary)
    await requestConstancia(system, notary, { documentId: document.id })
    return { notary, document, given: service.given() }
  }

  const found = ({ id, version }: Document) => findConstancia(system.db, id, version)
  const actions = async () => (await system.log()).map(({ action }) => action)

  test.each(['well', 'bare'] as const)('is issued from an answer that is %s', async (mood) => {
    const { notary, document } = await scene()
    service.mood = mood
    expect(await found(document)).toMatchObject({ state: 'pending', attempts: 0 })
    await issueConstancias(system)
    const constancia = await found(document)
    expect(constancia).toMatchObject({
      state: 'issued',
      attempts: 1,
      lastError: null,
      nextAttemptAt: null,
      time: MORNING,
      policy: ID_POLICY_DEMO_CONSTANCIA,
      authority: 'Prestador de constancias de prueba',
    })
    expect(service.seen).toHaveLength(1)
    expect(service.seen[0]?.headers).toMatchObject({
      'content-type': 'application/timestamp-query',
      'idempotency-key': expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    expect(await actions()).toEqual([
      'document.uploaded',
      'constancia.requested',
      'constancia.issued',
    ])
    const input = { documentId: document.id, version: document.version }
    const { bytes } = await openConstancia(system, notary, input)
    expect(bytes).toEqual(constancia?.answer)
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'document.downloaded',
      details: { file: 'constancia' },
    })
  })

  test('a file is never asked about twice', async () => {
    const { notary, document, given } = await scene()
    await issueConstancias(system)
    await requestConstancia(system, notary, { documentId: document.id })
    const { officeId, id: documentId, version } = document
    const sha256 = (await findVersion(system.db, documentId, version))!.sha256
    const again = { officeId, documentId, version, sha256, by: null, at: system.clock.now() }
    expect(await system.db.transaction((trx) => insertConstanciaRequest(trx, again))).toBe(false)
    system.wait(hours(24))
    await issueConstancias(system)
    expect(service.seen).toHaveLength(1)
    expect(service.given() - given).toBe(1)
  })

  test.each<[Mood, string]>([
    ['down', 'no respondió'],
    ['cut', 'no respondió'],
    ['slow', 'tardó demasiado'],
    ['garbage', 'no es una constancia'],
    ['other-file', 'de otro archivo'],
    ['forged', 'no es de la autoridad'],
  ])('%s: nothing is lost, and the same request goes out again', async (mood, reason) => {
    const { document } = await scene()
    service.mood = mood
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({
      state: 'pending',
      attempts: 1,
      answer: null,
      lastError: expect.stringContaining(reason),
    })
    await issueConstancias(system)
    expect(service.seen).toHaveLength(1)
    service.mood = 'well'
    system.wait(minutes(1))
    await issueConstancias(system)
    expect((await found(document))?.state).toBe('issued')
    expect(service.seen).toHaveLength(2)
    expect(service.seen[1]?.body).toEqual(service.seen[0]?.body)
  })

  test('constancia: a refusal is final until a user requests it again', async () => {
    const { notary, document } = await scene()
    service.mood = 'refusing'
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({ state: 'failed', nextAttemptAt: null })
    expect(await actions()).toContain('constancia.failed')
    system.wait(hours(48))
    await issueConstancias(system)
    expect(service.seen).toHaveLength(1)
    service.mood = 'well'
    const { canRequest } = await readConstancia(system, notary, { documentId: document.id })
    expect(canRequest).toBe(true)
    await requestConstancia(system, notary, { documentId: document.id })
    await issueConstancias(system)
    expect((await found(document))?.state).toBe('issued')
    expect(service.seen[1]?.body).not.toEqual(service.seen[0]?.body)
  })

  /** An office with a provider of its own, and what requests constancias in it. */
  async function askingOffice(number: number, url = `${service.url}/${number}`) {
    const office = await storedOffice(system.db, { number })
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    const provider = await storedConstanciaProvider(system.db, office.id, url)
    const { id: documentId, officeId } = await signedDocument(notary)
    let version = 0
    const request = (files: number) =>
      system.db.transaction(async (trx) => {
        for (let file = 0; file < files; file += 1) {
          version += 1
          const sha256 = digestOf(Buffer.from(`${documentId} ${version}`))
          const at = system.clock.now()
          const by = null
          await insertConstanciaRequest(trx, { officeId, documentId, version, sha256, by, at })
        }
      })
    const issued = async () =>
      (await listConstancias(system.db, documentId)).filter(({ state }) => state === 'issued')
    const errors = async () =>
      new Set((await listConstancias(system.db, documentId)).map(({ lastError }) => lastError))
    return { office, provider, request, issued, errors }
  }

  /** The system without answers at the address of this provider; each time it is asked is noted. */
  function without(silent: ServiceProvider) {
    const asked: string[] = []
    const constancias: System['constancias'] = {
      ...system.constancias,
      ask: async (provider, request) => {
        if (provider.url !== silent.url) return await system.constancias.ask(provider, request)
        asked.push(provider.id)
        return { kind: 'failed', isSlow: true, isSilent: true, reason: 'timeout' }
      },
    }
    return { asked, system: { ...system, constancias } }
  }

  test('a silent provider: is asked once in a run, and holds up no other office', async () => {
    const many = await askingOffice(12)
    await many.request(120)
    system.wait(minutes(1))
    const few = await askingOffice(13)
    await few.request(2)
    const { asked, system: outage } = without(many.provider)
    await issueConstancias(outage)
    expect(asked).toHaveLength(1)
    expect(await few.issued()).toHaveLength(2)
    await issueConstancias(outage)
    await issueConstancias(outage)
    expect(asked).toHaveLength(3)
    // The page of each document says why its constancia is not there yet.
    expect([...(await many.errors())]).toEqual([expect.stringContaining('tardó demasiado')])
    // It is back. Those for which it was asked waited a minute, the others five.
    system.wait(minutes(5))
    for (let run = 0; run < 3; run += 1) await issueConstancias(system)
    expect(await many.issued()).toHaveLength(120)
  })

  test('a silent address: is asked once in a run for all offices that use it, and each of them is told', async () => {
    const dead = `${service.url}/dead`
    const offices = []
    for (const number of [12, 13, 14]) offices.push(await askingOffice(number, dead))
    for (const { request } of offices) await request(1)
    const well = await askingOffice(15)
    await well.request(1)
    const { asked, system: outage } = without(offices[0]!.provider)
    await issueConstancias(outage)
    expect(asked).toHaveLength(1)
    expect(await well.issued()).toHaveLength(1)
    for (const { errors } of offices)
      expect([...(await errors())]).toEqual([expect.stringContaining('tardó demasiado')])
    for (let run = 0; run < 3; run += 1) {
      system.wait(minutes(5))
      await issueConstancias(outage)
    }
    expect(asked.length).toBeLessThanOrEqual(4)
    const alerts = await system.db.selectFrom('alerts').select(['kind', 'office_id']).execute()
    expect(alerts.map(({ office_id }) => office_id).toSorted()).toEqual(
      offices.map(({ office }) => office.id).toSorted(),
    )
    system.wait(hours(1))
    await issueConstancias(system)
    for (const { issued } of offices) expect(await issued()).toHaveLength(1)
  })

  test('a provider that refuses a password: the others at its address are asked', async () => {
    const offices = [await askingOffice(12, service.url), await askingOffice(13, service.url)]
    for (const { request } of offices) {
      await request(1)
      system.wait(minutes(1))
    }
    const { ask } = system.constancias
    const asked: string[] = []
    const refusing: System['constancias'] = {
      ...system.constancias,
      ask: async (provider, request) => {
        asked.push(provider.id)
        if (provider.id !== offices[0]!.provider.id) return await ask(provider, request)
        return { kind: 'failed', isSlow: false, isSilent: false, reason: 'status 401' }
      },
    }
    await issueConstancias({ ...system, constancias: refusing })
    expect(asked).toHaveLength(2)
    expect(await offices[1]!.issued()).toHaveLength(1)
  })

  test('a silent provider: its requests do not hold up those of the provider that is now the first', async () => {
    const { office, provider, request, issued } = await askingOffice(12)
    await request(60)
    await system.db.transaction(async (trx) => {
      await trx.updateTable('constancias').set({ provider_id: provider.id }).execute()
      await trx.updateTable('service_providers').set({ position: 2 }).execute()
    })
    await storedConstanciaProvider(system.db, office.id, service.url, { position: 1 })
    system.wait(minutes(1))
    await request(2)
    const { asked, system: outage } = without(provider)
    await issueConstancias(outage)
    await issueConstancias(outage)
    expect(asked).toHaveLength(2)
    expect(await issued()).toHaveLength(2)
  })

  test('after a crash behind the request the provider is asked the same, and paid once', async () => {
    const { document, given } = await scene()
    const { ask } = system.constancias
    const crashing: System = {
      ...system,
      constancias: {
        ...system.constancias,
        async ask(provider, request) {
          await ask(provider, request)
          throw new Error('killed')
        },
      },
    }
    await expect(issueConstancias(crashing)).rejects.toThrow('killed')
    expect(await found(document)).toMatchObject({ state: 'pending', attempts: 1, answer: null })
    // The crashed process may still be waiting for the answer.
    await issueConstancias(system)
    expect(service.seen).toHaveLength(1)
    system.wait(minutes(2))
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({ state: 'issued', attempts: 2 })
    expect(service.seen[1]?.body).toEqual(service.seen[0]?.body)
    expect(service.given() - given).toBe(1)
  })

  test('crash after the answer: the provider is not asked again', async () => {
    const { document } = await scene()
    const policy = () => Promise.reject(new Error('killed'))
    const crashing: System = { ...system, trust: { ...service.trust, policy } }
    await expect(issueConstancias(crashing)).rejects.toThrow('killed')
    expect((await found(document))?.answer).not.toBeNull()
    system.wait(minutes(2))
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({ state: 'issued', attempts: 1 })
    expect(service.seen).toHaveLength(1)
  })

  test('two jobs at once ask once', async () => {
    const { document } = await scene()
    const other: System = { ...system, db: current().again() }
    await Promise.all([issueConstancias(system), issueConstancias(other), issueConstancias(system)])
    expect(await found(document)).toMatchObject({ state: 'issued', attempts: 1 })
    expect(service.seen).toHaveLength(1)
    expect((await actions()).filter((action) => action === 'constancia.issued')).toHaveLength(1)
  })

  const withoutTrust = (): System => ({
    ...system,
    trust: {
      ...service.trust,
      policy: async (now, scope) => ({
        ...(await service.trust.policy(now, scope)),
        constancias: { anchors: [], issuers: [] },
      }),
    },
  })

  test('constancia: one without a pinned root waits and is not requested again', async () => {
    const { document } = await scene()
    const untrusting = withoutTrust()
    await issueConstancias(untrusting)
    const doubtful = await found(document)
    expect(doubtful).toMatchObject({
      state: 'pending',
      lastError: expect.stringMatching(/política/),
    })
    expect(doubtful?.answer).not.toBeNull()
    system.wait(hours(1))
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({ state: 'issued', attempts: 1 })
    expect(service.seen).toHaveLength(1)
  })

  const tooMuch = () => Promise.reject(new Problem('pdf-too-complex', 'ten seconds'))

  test('constancia: an answer that takes too much to read is none', async () => {
    const { document } = await scene()
    const pdf = { ...system.pdf, readConstancia: tooMuch }
    await issueConstancias({ ...system, pdf })
    expect(await found(document)).toMatchObject({
      ...{ state: 'pending', answer: null },
      lastError: expect.stringContaining('no es una constancia'),
    })
    system.wait(minutes(1))
    await issueConstancias(system)
    expect((await found(document))?.state).toBe('issued')
  })

  test.each(['questionsAboutConstancia', 'judgeConstancia'] as const)(
    'constancia: one whose %s takes too much stays kept and is judged again, and the others go on',
    async (task) => {
      const { notary, document, given } = await scene()
      const other = await signedDocument(notary)
      await requestConstancia(system, notary, { documentId: other.id })
      await issueConstancias({ ...system, pdf: { ...system.pdf, [task]: tooMuch } })
      for (const one of [document, other]) {
        const doubtful = await found(one)
        expect(doubtful).toMatchObject({
          state: 'pending',
          lastError: expect.stringContaining('Se comprobará de nuevo en una hora'),
        })
        expect(doubtful?.answer).not.toBeNull()
      }
      system.wait(hours(1))
      await issueConstancias(system)
      expect(await found(document)).toMatchObject({ state: 'issued', attempts: 1 })
      expect(service.given() - given).toBe(2)
    },
  )

  test('an outage is told once, and the next one again', async () => {
    const { notary, document } = await scene()
    const { officeId, userId } = notary
    const alerts = (...states: AlertState[]) =>
      listAlerts(system.db, { officeId, userId, office: 'included', states, limit: 10 })
    const failFiveTimes = async () => {
      service.mood = 'down'
      for (let time = 0; time < 5; time++) {
        await issueConstancias(system)
        system.wait(hours(9))
      }
    }
    const others = await Promise.all([signedDocument(notary), signedDocument(notary)])
    for (const { id } of others) await requestConstancia(system, notary, { documentId: id })
    await failFiveTimes()
    expect((await alerts('open')).map(({ kind }) => kind)).toEqual(['provider-down'])
    service.mood = 'well'
    await issueConstancias(system)
    system.wait(hours(9))
    await issueConstancias(system)
    expect((await found(document))?.state).toBe('issued')
    // No user has to resolve an alert about an outage that ended.
    expect(await alerts('open', 'read')).toEqual([])
    expect(await alerts('resolved')).toMatchObject([{ kind: 'provider-down', stateBy: null }])
    const next = await signedDocument(notary)
    await requestConstancia(system, notary, { documentId: next.id })
    await failFiveTimes()
    const [second, ...more] = await alerts('open', 'read')
    expect([second?.kind, more]).toEqual(['provider-down', []])
    // Nor one about a provider that is no longer used.
    const office = { id: officeId } as never
    const provenAt = system.clock.now()
    const admin = asPerson(await storedUser(system.db, office, ['ADMIN']), { provenAt })
    const [provider] = await listServiceProviders(system.db, officeId, 'constancia')
    await removeProvider(system, admin, { providerId: provider!.id })
    expect(await alerts('open', 'read')).toEqual([])
    expect(await alerts('resolved')).toMatchObject([{ stateBy: admin.userId }, {}])
  })

  test('an answer that is judged again does not mean that the provider is back', async () => {
    const { notary, document } = await scene()
    const untrusting = withoutTrust()
    await issueConstancias(untrusting)
    expect((await found(document))?.answer).not.toBeNull()
    const other = await signedDocument(notary)
    await requestConstancia(system, notary, { documentId: other.id })
    service.mood = 'down'
    for (let time = 0; time < 6; time++) {
      await issueConstancias(untrusting)
      system.wait(hours(9))
    }
    const { officeId, userId } = notary
    const states = ['open'] as const
    const open = { officeId, userId, office: 'included', states, limit: 10 } as const
    expect(await listAlerts(system.db, open)).toMatchObject([{ kind: 'provider-down' }])
  })

  test('a password goes along, and without a provider it waits', async () => {
    const office = await storedOffice(system.db)
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    const document = await signedDocument(notary)
    const asking = requestConstancia(system, notary, { documentId: document.id })
    await expect(asking).rejects.toMatchObject({ code: 'no-constancia-provider' })
    const { id: documentId, version, officeId } = document
    const sha256 = (await findVersion(system.db, documentId, version))!.sha256
    const at = system.clock.now()
    await system.db.transaction((trx) =>
      insertConstanciaRequest(trx, { officeId, documentId, version, sha256, by: null, at }),
    )
    await issueConstancias(system)
    expect(await found(document)).toMatchObject({ state: 'pending', attempts: 0 })
    const id = '0b4f7e62-5f0e-4c55-9f6c-0f6d3a1f6f10'
    const place = placeOfProviderPassword({ id, url: service.url } as never)
    const sealed = system.vault.seal(Buffer.from('sésamo'), place)
    const changes = { id, username: 'notaria12', sealed }
    await storedConstanciaProvider(system.db, office.id, service.url, changes)
    system.wait(hours(1))
    await issueConstancias(system)
    expect((await found(document))?.state).toBe('issued')
    const basic = Buffer.from('notaria12:sésamo').toString('base64')
    expect(service.seen[0]?.headers.authorization).toBe(`Basic ${basic}`)
  })

  test('covers the signatures: renewed proofs request none, a further signature requests a new one', async () => {
    const policy = { constanciaPolicy: 'at-completion', timestampPolicy: 'later' }
    const office = await storedOffice(system.db, policy)
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    await storedConstanciaProvider(system.db, office.id, service.url)
    const draft = await aDraft(notary)
    const over = ({ id, version }: Document) => findConstanciaOverSignatures(system.db, id, version)

    const kept = await grown(await grown(draft, 'signed'), 'archived')
    expect(await over(kept)).toMatchObject({ version: 3, state: 'pending' })
    await issueConstancias(system)
    const renewed = await grown(kept, 'archived')
    expect(await found(renewed)).toBeUndefined()
    const documentId = draft.id
    await requestConstancia(system, notary, { documentId })
    expect(await found(renewed)).toBeUndefined()
    expect(await over(renewed)).toMatchObject({ version: 3, state: 'issued' })
    expect(await readConstancia(system, notary, { documentId })).toMatchObject({
      current: { version: 3, state: 'issued' },
      earlier: [],
      canRequest: false,
    })

    const further = await grown(renewed, 'signed')
    expect(await over(further)).toBeUndefined()
    expect(await readConstancia(system, notary, { documentId })).toMatchObject({
      current: undefined,
      earlier: [{ version: 3 }],
      canRequest: true,
    })
    service.mood = 'refusing'
    const last = await grown(further, 'archived')
    expect(await over(last)).toMatchObject({ version: 6, state: 'pending' })
    await issueConstancias(system)
    expect(await over(last)).toMatchObject({ version: 6, state: 'failed' })
    // The earlier constancia still covers the earlier revision.
    expect(await over(renewed)).toMatchObject({ version: 3, state: 'issued' })
    const after = await grown(last, 'archived')
    await requestConstancia(system, notary, { documentId })
    expect(await over(after)).toMatchObject({ version: 7, state: 'pending' })
  })

  test.each([
    ['policy at completion, archive waits', 'at-completion', 'waiting', true],
    ['policy at completion, archive left out', 'at-completion', 'left-out', false],
    ['policy at completion, archive kept before the policy', 'at-completion', 'kept', false],
    ['no policy, archive waits', 'none', 'waiting', false],
  ] as const)('comes by itself: %s', async (_, constanciaPolicy, state, comes) => {
    const office = await storedOffice(system.db, { constanciaPolicy, timestampPolicy: 'later' })
    const notary = asPerson(await storedUser(system.db, office, ['NOTARY']))
    const signed = await grown(await aDraft(notary), 'signed')
    const { id: documentId, officeId, version } = signed
    const at = system.clock.now()
    const rest = { attempts: 0, stateSince: at, dueAt: at, holdsUntil: null, fault: null }
    await system.db.transaction((trx) =>
      replaceArchive(trx, { documentId, officeId, version, state, ...rest }),
    )
    const comesNow = async () =>
      (await readConstancia(system, notary, { documentId })).comesWithArchive
    expect(await comesNow()).toBe(false)
    await storedConstanciaProvider(system.db, office.id, service.url)
    expect(await comesNow()).toBe(comes)
    if (!comes) return
    await grown(signed, 'archived')
    expect(await readConstancia(system, notary, { documentId })).toMatchObject({
      current: { state: 'pending' },
      comesWithArchive: false,
    })
  })

  describe('permissions', () => {
    test('a clerk sees it and cannot ask; a draft has none', async () => {
      const { notary, document } = await scene()
      const office = { id: notary.officeId } as never
      const clerk = asPerson(await storedUser(system.db, office, ['CLERK']))
      const asking = requestConstancia(system, clerk, { documentId: document.id })
      await expect(asking).rejects.toMatchObject({ code: 'forbidden' })
      const seen = await readConstancia(system, clerk, { documentId: document.id })
      expect(seen).toMatchObject({ current: { state: 'pending' }, canRequest: false })
      const input = { documentId: document.id, version: document.version }
      await expect(openConstancia(system, clerk, input)).rejects.toMatchObject({
        code: 'not-found',
      })
      const draft = await aDraft(notary)
      const early = requestConstancia(system, notary, { documentId: draft.id })
      await expect(early).rejects.toMatchObject({ code: 'wrong-state' })
    })
  })
})

let count = 0

async function aDraft(person: Person): Promise<Document> {
  count += 1
  return await uploadDocument(system, person, {
    title: 'Acta' as Document['title'],
    kind: 'act',
    fileName: 'acta.pdf',
    content: [Buffer.from(`%PDF-1.7\n${count}\n%%EOF`)],
  })
}

/** The document with a next file, which is its final one as soon as it is archived. */
async function grown(seen: Document, cause: 'signed' | 'archived'): Promise<Document> {
  const next: Document = { ...seen, state: 'signed', version: seen.version + 1 }
  const before = (await findVersion(system.db, seen.id, seen.version))!
  const sha256 = digestOf(Buffer.from(`${seen.id} ${next.version}`))
  await system.db.transaction(async (trx) => {
    await replaceDocument(trx, seen, next)
    await insertVersion(trx, { ...before, version: next.version, cause, sha256 })
    await requestFinalConstancia(trx, next, sha256, cause, system.clock.now())
  })
  return next
}

async function signedDocument(person: Person): Promise<Document> {
  const draft = await aDraft(person)
  const signed: Document = { ...draft, state: 'signed' }
  await system.db.transaction((trx) => replaceDocument(trx, draft, signed))
  return signed
}
