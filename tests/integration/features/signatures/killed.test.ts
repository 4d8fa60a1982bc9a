import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createConstanciaProviders } from '#server/adapters/constancia-provider.ts'
import { packPolicy } from '#server/adapters/pdf-work/policy-in-transit.ts'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { createTimestampAuthorities } from '#server/adapters/timestamp-authorities.ts'
import { openDatabase } from '#server/db/database.ts'
import { findArchive } from '#server/db/documents/archives.ts'
import { findVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { listConstancias } from '#server/db/trust/constancias.ts'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { canonicalEvent } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId, PreparedSignatureId, SigningSessionId } from '#server/domain/ids.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import { after, type Duration, type Instant, minutes } from '#server/domain/time.ts'
import { ATTEMPT_LEASE } from '#server/domain/timestamp/constancia.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { archiveWaiting } from '#server/features/archives/archive-waiting.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import {
  type CompletedSignature,
  completeSignature,
} from '#server/features/signatures/complete-signature.ts'
import { LEASE } from '#server/features/signatures/lease-document.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import {
  type ConstanciaService,
  startConstanciaService,
  storedConstanciaProvider,
} from '#tests/support/authorities/constancia-service.ts'
import { testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority } from '#tests/support/authorities/time-stamps.ts'
import { askingAt } from '#tests/support/authorities/timestamp-providers.ts'
import { REPLY, startTimestampServer } from '#tests/support/authorities/timestamp-server.ts'
import { MORNING } from '#tests/support/builders.ts'
import {
  aCeremony,
  type Party,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import { signBytes } from '#tests/support/office/signing-system.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { type Place, type Places, placesOf, type Rows } from '#tests/support/places.ts'
import { ACTS, DIALECTS, isTakenOn, type KilledAct } from '#tests/support/processes/killed-acts.ts'
import { type Act, mortalProcesses } from '#tests/support/processes/killed-process.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'

/*
 * A server may be killed at any moment between opening a session and the constancia over its documents. Here a
 * process performs one act of the real use cases and is killed at each of its steps in turn; another process opens
 * the same rows and files, finds them consistent, and its users continue.
 */

/** So long a document is left alone before it is archived. */
const QUIET = minutes(6)

let now = MORNING
const clock = { now: () => now }
const wait = (time: Duration) => {
  now = after(now, time)
}

const pdf = createPdfWork({ threads: 1 })
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-killed-'))
let processes: Awaited<ReturnType<typeof mortalProcesses>>
let constancias: ConstanciaService
let timestamps: Awaited<ReturnType<typeof startTimestampServer>> & { isDown: boolean }
let certificates: Certificate[]

beforeAll(async () => {
  processes = await mortalProcesses(path.join(folder, 'program'))
  const authority = await stampingAuthority()
  certificates = [authority.certificate]
  constancias = await startConstanciaService(clock.now)
  const server = await startTimestampServer((query, _request, response) =>
    timestamps.isDown
      ? response.writeHead(503).end()
      : response.writeHead(200, REPLY).end(answerTimestamp(query, authority, now)),
  )
  timestamps = { ...server, isDown: false }
})

afterAll(async () => {
  processes.close()
  timestamps.stop()
  await constancias.close()
  await pdf.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The answer of the authority for every certificate of this test. */
async function evidence(): Promise<RevocationValues> {
  const answers = await Promise.all(certificates.map((one) => answerAbout(one, now)))
  return { ocsp: answers.map((der) => ({ der, source: 'fetched' })), crls: [] }
}

/** As a process that has just been started sees it. */
async function opened({ database, blobs }: Place) {
  const db = openDatabase(database)
  const system = await testSystem(db, blobs, {
    pdf,
    trust: {
      policy: async (at) => ({ ...(await trusted()), at }),
      fingerprint: async () => 'test',
      builtIn: [],
    },
    revocation: { answersTo: evidence, answersAbout: evidence },
    timestamps: createTimestampAuthorities({ networks: outgoingNetworks([]), clock }),
  })
  const providers = createConstanciaProviders({
    networks: outgoingNetworks([]),
    vault: system.vault,
  })
  return { ...system, clock, wait, constancias: providers, close: () => db.close() }
}

async function trusted() {
  const { issuing } = await testAuthority()
  const policy = await constancias.trust.policy(now, INSTALLATION)
  return { ...policy, anchors: [await testAnchor()], candidates: [issuing] }
}

type People = {
  author: Actor
  first: Party
  second: Party
  sessionId: SigningSessionId
  one: DocumentId
  other: DocumentId
}

/** Two documents for two signers, in an office that requires timestamps and constancias. */
async function aDraftSession(system: TestSystem): Promise<People> {
  const { office, person, drafts, parties } = await aCeremony(system, [1, 1], 2)
  const asked = parties.map((party) => party.asked)
  certificates.push(...parties.map(({ efirma }) => readCertificate(efirma.cer)))
  const policies = { office: { ...office, constanciaPolicy: 'at-completion' as const } }
  await askingAt(system, policies, [timestamps.url])
  await storedConstanciaProvider(system.db, office.id, constancias.url)
  const { id: sessionId } = await createSigningSession(system, person, sessionOf(drafts, asked))
  const [first, second] = parties as [Party, Party]
  const [one, other] = drafts.map(({ id }) => id) as [DocumentId, DocumentId]
  return { author: person, first, second, sessionId, one, other }
}

/** The completion request. */
async function preparedBy(
  system: TestSystem,
  { person, efirma }: Party,
  documentId: DocumentId,
  version = 2,
) {
  const input = { documentId, version, certificate: efirma.cer }
  const prepared = await prepareSignature(system, person, input)
  if (prepared.kind === 'refused') throw new Error(prepared.sentence)
  const signature = await signBytes(efirma, prepared.toBeSigned)
  return { preparedId: prepared.id as PreparedSignatureId, signature }
}

const sign = (system: TestSystem, party: Party, id: DocumentId) =>
  signInSession(system, party, { id }, 2)

/** Everything as it stood before an act. */
type Moment = { places: Places; home: Place; at: Instant; act: Act }

type Recording = People & Record<KilledAct, Moment>

/** Runs a session to its end and copies all rows and files before each act. */
async function record(places: Places): Promise<Recording> {
  now = MORNING
  const home = await places.empty()
  let system = await opened(home)
  await system.db.migrate()
  const people = await aDraftSession(system)
  const { author, first, second, sessionId, one, other } = people
  const before = async (act: Act): Promise<Moment> => {
    await system.close()
    const copy = await places.copy(home)
    system = await opened(home)
    return { places, home: copy, at: now, act }
  }
  const input = { signingSessionId: sessionId }
  const opening = await before({ kind: 'open', actor: author, input })
  await openSigningSession(system, author, input)

  const asked = { documentId: one, version: 2, certificate: first.efirma.cer }
  const preparing = await before({ kind: 'prepare', actor: first.person, input: asked })
  const begun = await preparedBy(system, first, one)

  const signing = await before({ kind: 'complete', actor: first.person, input: begun })
  await completeSignature(system, first.person, begun)
  await sign(system, first, other)
  // Without a timestamp: its time is proven when it is archived.
  timestamps.isDown = true
  await sign(system, second, one)
  timestamps.isDown = false
  const last = await preparedBy(system, second, other)

  const closing = await before({ kind: 'complete', actor: second.person, input: last })
  await completeSignature(system, second.person, last)
  wait(QUIET)
  await archiveDocument(system, other)
  await issueConstancias(system)

  const archiving = await before({ kind: 'archive', documentId: one })
  await archiveDocument(system, one)
  const proving = await before({ kind: 'constancias' })
  await system.close()
  return { ...people, opening, preparing, signing, closing, archiving, proving }
}

/** The data left by a killed process. */
type Left = {
  /** How many of its transactions are durable. */
  commits: number
  /** Whether an unanswered signer waits until the lease expires; alternates from one recovery to the next. */
  isLate: boolean
  /** How many stand in the outbox when nothing is killed. */
  mails: number
  /** How many constancias the provider had given before. */
  given: number
  /** How many timestamps the authority had issued before, and in the process that was killed. */
  stamped: number
  bought: number
}

/** @param record the audit actions of each transaction of the act */
async function killedAtEachStep(
  { places, home, at, act }: Moment,
  { one, other }: People,
  record: readonly (readonly string[])[],
  goOn: (system: TestSystem, left: Left) => Promise<void>,
): Promise<void> {
  const whole = await places.copy(home)
  now = at
  const policy = packPolicy({ ...(await trusted()), at })
  const order = { now: at, policy, evidence: await evidence(), act }
  const { steps, wasKilled } = await processes.run({ ...order, ...whole, killAt: null })
  expect({ wasKilled, last: steps.at(-1) }).toEqual({ wasKilled: false, last: 'answered' })
  const [start, end] = [await places.rows(home), await places.rows(whole)]
  const mails = end.outbox?.length ?? 0
  expect(steps.filter((name) => name === 'commit')).toHaveLength(record.length)

  const known = new Set<string>()
  for (const [step, name] of steps.entries()) {
    now = at
    const place = await places.copy(home)
    const [given, stamped] = [constancias.given(), timestamps.asked.count]
    const trace = await processes.run({ ...order, ...place, killAt: step })
    expect(trace).toEqual({ steps: steps.slice(0, step + 1), wasKilled: true })
    const commits = steps.slice(0, step).filter((passed) => passed === 'commit').length
    await naming(`${step}, ${name}`, async () => {
      const rows = await places.rows(place)
      if (commits === 0) expect(withoutFiles(rows)).toEqual(withoutFiles(start))
      if (commits === record.length) expect(countsOf(rows)).toEqual(countsOf(end))
      expect(rows.stored_files?.length).toBeLessThanOrEqual(end.stored_files?.length ?? 0)
      expect(newsIn(rows, start)).toEqual(record.slice(0, commits).flat())
      // Processes that left the same data are recovered in the same way.
      const paid = constancias.given() - given
      const bought = timestamps.asked.count - stamped
      const left = `${commits} ${paid} ${bought} ${filesIn(place.blobs)}`
      if (known.has(left)) return
      known.add(left)
      const system = await opened(place)
      try {
        await mustBeSound(system, [one, other])
        const isLate = known.size % 2 === 0
        await goOn(system, { commits, isLate, mails, given, stamped, bought })
        await mustBeSound(system, [one, other])
      } finally {
        await system.close()
      }
    })
    await places.remove(place)
  }
}

/** The number of blobs, and whether a temporary file remains. */
function filesIn(blobs: string): string {
  const files = readdirSync(blobs, { recursive: true, withFileTypes: true })
  const isLitter = ({ parentPath }: (typeof files)[0]) => path.basename(parentPath) === 'incoming'
  const all = files.filter((one) => one.isFile())
  const litter = all.filter(isLitter).length
  return `${all.length - litter} ${litter > 0}`
}

async function naming(step: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    throw new Error(`killed at step ${step}`, { cause })
  }
}

/** A file and its row come before the row of the version. */
const withoutFiles = ({ stored_files: _files, ...rows }: Rows) => rows

const countsOf = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]))

const newsIn = (rows: Rows, before: Rows) =>
  (rows.audit_events ?? [])
    .toSorted((a, b) => Number(a.seq) - Number(b.seq))
    .slice(before.audit_events?.length)
    .map(({ action }) => action)

/** Files that were judged before need not be again: they have the same name. */
const verdicts = new Map<string, ReturnType<typeof pdf.verify>>()

/** No row without its file, no signature lost or counted twice, no gap in the log. */
async function mustBeSound(system: TestSystem, ids: readonly DocumentId[]): Promise<void> {
  const { db } = system
  const log = await system.log()
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
  for (const { seq, position: _, leafHash: hash, ...event } of log)
    expect(leafHash(canonicalEvent(seq, event))).toBe(hash)
  for (const id of ids) {
    const document = await findDocument(db, id)
    const versions = (await listVersions(db, id)).toReversed()
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1))
    expect(document?.version).toBe(versions.length)
    for (const version of versions) {
      const file = await bytesIn(system, version)
      expect(file.length).toBe(version.bytes)
      expect(createHash('sha256').update(file).digest('hex')).toBe(version.sha256)
    }
    const signatures = await listSignatures(db, id)
    const signed = versions.filter(({ cause }) => cause === 'signed')
    expect(signatures.map(({ version }) => version)).toEqual(signed.map(({ version }) => version))
    expect(new Set(signatures.map(({ signerId }) => signerId)).size).toBe(signatures.length)
    const events = log.filter(
      ({ action, subject }) =>
        action === 'document.signed' && subject.kind === 'document' && subject.id === id,
    )
    expect(events.map(({ details }) => details?.signature)).toEqual(
      signatures.map((signature) => signature.id),
    )
    const current = versions.at(-1)
    if (!current || signatures.length === 0) continue
    const report = await judged(system, current)
    expect(report.verdict).toBe('VALID')
    expect(report.signatures.filter(({ kind }) => kind === 'signature')).toHaveLength(
      signatures.length,
    )
  }
}

async function judged({ blobs, trust }: TestSystem, version: DocumentVersion) {
  const policy = await trust.policy(now, version.officeId)
  const known = verdicts.get(version.sha256)
  const report = known ?? blobs.withFile(version, (file) => pdf.verify(file, 'poder.pdf', policy))
  verdicts.set(version.sha256, report)
  return await report
}

/** Of a loaded machine: a process for each step. */
const PATIENCE = 400_000

describe.each(DIALECTS.filter((dialect) => ACTS.some(isTakenOn(dialect))))(
  'killed on %s',
  (dialect) => {
    const during = (act: KilledAct, name: string, check: () => Promise<void>) => {
      if (isTakenOn(dialect)(act)) test(name, { timeout: PATIENCE }, check)
    }
    let recording: Recording
    beforeAll(async () => {
      recording = await record(placesOf(dialect, folder, inject('postgresUrl')))
    }, 60_000)

    during('opening', 'while a session of several documents is opened', async () => {
      const { author, first, sessionId, one, other } = recording
      const news = [['signing-session.opened']]
      await killedAtEachStep(
        recording.opening,
        recording,
        news,
        async (system, { commits, mails }) => {
          const { db } = system
          const isOpen = commits === 1
          expect((await findCeremony(db, sessionId))?.session.state).toBe(isOpen ? 'open' : 'draft')
          for (const id of [one, other])
            expect(await findDocument(db, id)).toMatchObject(
              isOpen ? { state: 'signing', version: 2 } : { state: 'draft', version: 1 },
            )
          const again = openSigningSession(system, author, { signingSessionId: sessionId })
          expect(await outcomeOf(again)).toBe(isOpen ? 'session-state' : 'done')
          expect(await mailsIn(system)).toBe(mails)
          expect(await sign(system, first, one)).toEqual({ documentId: one, version: 3 })
        },
      )
    })

    during('preparing', 'while a signature is prepared', async () => {
      const { first, second, one } = recording
      const news = [['signature.prepared']]
      await killedAtEachStep(recording.preparing, recording, news, async (system, { commits }) => {
        if (commits === 0) expect(await sign(system, first, one)).toMatchObject({ version: 3 })
        // A signer without an answer keeps the lease, and others wait no longer than it lasts.
        else expect(await outcomeOf(sign(system, second, one))).toBe('someone-signing')
        wait(LEASE)
        expect(await sign(system, second, one)).toMatchObject({ version: commits === 0 ? 4 : 3 })
        if (commits === 1) expect(await sign(system, first, one)).toMatchObject({ version: 4 })
        expect(await findDocument(system.db, one)).toMatchObject({ state: 'signed' })
      })
    })

    during('signing', 'while a signature is completed', async () => {
      const { first, second, one } = recording
      const news = [['document.signed']]
      await killedAtEachStep(recording.signing, recording, news, async (system, left) => {
        await completeAgain(system, recording.signing, first, { documentId: one, version: 3 }, left)
        expect(await sign(system, second, one)).toEqual({ documentId: one, version: 4 })
        expect(await findDocument(system.db, one)).toMatchObject({ state: 'signed' })
      })
    })

    during('closing', 'while the last signature completes the session', async () => {
      const { second, sessionId, one, other } = recording
      // Before it, the outage of the authority ends.
      const news = [[], ['document.signed', 'signing-session.completed']]
      await killedAtEachStep(recording.closing, recording, news, async (system, killed) => {
        const { db } = system
        const left = { ...killed, commits: Math.max(0, killed.commits - 1) }
        const { session } = (await findCeremony(db, sessionId)) ?? {}
        expect(session?.state).toBe(left.commits === 1 ? 'completed' : 'open')
        await completeAgain(
          system,
          recording.closing,
          second,
          { documentId: other, version: 4 },
          left,
        )
        const ceremony = await findCeremony(db, sessionId)
        expect(ceremony?.session.state).toBe('completed')
        expect(ceremony?.signers.map(({ state }) => state)).toEqual(['signed', 'signed'])
        for (const id of [one, other])
          expect(await findDocument(db, id)).toMatchObject({ state: 'signed', version: 4 })
        expect(await mailsIn(system)).toBe(left.mails)
      })
    })

    during('archiving', 'while the archive proof of a signed document is made', async () => {
      const { one } = recording
      const news = [[], ['document.archived'], [], ['document.archived']]
      await killedAtEachStep(recording.archiving, recording, news, async (system, left) => {
        const { commits, stamped, bought } = left
        const { db } = system
        wait(QUIET)
        expect(await archiveWaiting(system)).toBe(commits === 4 ? 0 : 1)
        // Two timestamps are bought. Only one that came in the moment of the kill, before it was noted, is bought again.
        const noted = Math.ceil(commits / 2)
        expect([noted, noted + 1]).toContain(bought)
        expect(timestamps.asked.count - stamped).toBe(2 + bought - noted)
        expect(await findArchive(db, one)).toMatchObject({ state: 'kept', version: 6 })
        const version = await findVersion(db, one, 6)
        const { signatures } = await judged(system, version!)
        const own = signatures.filter(({ kind }) => kind === 'signature')
        expect(own.map(({ level }) => level)).toEqual(['B-LTA', 'B-LTA'])
        expect(await listConstancias(db, one)).toMatchObject([{ version: 6, state: 'pending' }])
      })
    })

    during('proving', 'while a constancia is asked for', async () => {
      const { one } = recording
      const news = [[], [], ['constancia.issued']]
      await killedAtEachStep(recording.proving, recording, news, async (system, { given }) => {
        wait(ATTEMPT_LEASE)
        await issueConstancias(system)
        expect(await listConstancias(system.db, one)).toMatchObject([
          { version: 6, state: 'issued' },
        ])
        // Paid for once, however often it was asked for.
        expect(constancias.given()).toBe(given + 1)
      })
    })
  },
)

/** Repeats the request of the page or, after too long a wait, signs again. */
async function completeAgain(
  system: TestSystem,
  { act }: Moment,
  party: Party,
  answer: CompletedSignature,
  { commits, isLate }: Left,
): Promise<void> {
  if (act.kind !== 'complete') throw new Error(act.kind)
  const again = () => completeSignature(system, act.actor, act.input)
  if (isLate) wait(LEASE)
  if (!isLate || commits === 1) return void expect(await again()).toEqual(answer)
  expect(await outcomeOf(again())).toBe('preparation-expired')
  expect(await sign(system, party, answer.documentId)).toEqual(answer)
}

const mailsIn = async ({ db }: TestSystem) =>
  (await db.selectFrom('outbox').select('id').execute()).length
