import { createSecretKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { openCheckpointFiles } from '#server/adapters/checkpoint-file.ts'
import { createMailers } from '#server/adapters/mailer.ts'
import { createMemory } from '#server/adapters/memory.ts'
import { createPasswords } from '#server/adapters/passwords.ts'
import { acceptCertificate } from '#server/adapters/pdf-work/accept-certificate.ts'
import { acceptStamp } from '#server/adapters/pdf-work/accept-stamp.ts'
import { judgeAnswer } from '#server/adapters/pdf-work/judge-answer.ts'
import { questionsAboutConstancia } from '#server/adapters/pdf-work/questions.ts'
import { createReportFiles } from '#server/adapters/reports/report-files.ts'
import { createVault } from '#server/adapters/vault.ts'
import { createWebauthn } from '#server/adapters/webauthn.ts'
import type { RecordedEvent } from '#server/db/audit/audit-events.ts'
import { type EventPage, listEventsFrom } from '#server/db/audit/event-pages.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import { countEvents } from '#server/db/audit/logs.ts'
import type { Database, DialectName } from '#server/db/database.ts'
import { fileRecordsIn } from '#server/db/documents/stored-files.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { logKeysOf } from '#server/domain/audit/log-keys.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { readAuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { describeFile } from '#server/domain/efirma/describe-file.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { openPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import { signersRevocation } from '#server/domain/signing/signers-revocation.ts'
import { after, type Duration } from '#server/domain/time.ts'
import { readAnswer } from '#server/domain/timestamp/constancia-answer.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { attestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import type { System } from '#server/system.ts'
import { viewOf } from '#tests/support/office/log-events.ts'
import { MORNING } from './builders.ts'
import { onEachDatabase } from './database.ts'
import { type TestSealingKeys, testSealingKeys } from './keys/sealing-keys.ts'

export type TestSystem = System & {
  /** Sets the clock forward. */
  wait(time: Duration): void
  /** The whole log of all offices, from its beginning. */
  log(): Promise<RecordedEvent[]>
  /** The keys of the vault. */
  readonly sealingKeys: TestSealingKeys
  /** The folder of the blobs. */
  readonly folder: string
}

/** Parts that a test provides itself. */
export type Replaced = Partial<
  Pick<
    System,
    | 'pdf'
    | 'disk'
    | 'loopDelay'
    | 'trust'
    | 'revocation'
    | 'timestamps'
    | 'constancias'
    | 'mailer'
    | 'mailers'
    | 'settings'
    | 'tokens'
  >
>

/**
 * Runs the tests on a whole system over each database: real rows, real blobs, real passwords, and a clock that the
 * test sets. Each test has its own empty system.
 *
 * @param tests gets a function that returns the system of the running test
 */
export function onEachSystem(
  name: string,
  tests: (system: () => TestSystem, dialect: DialectName) => void,
  replaced: Replaced = {},
): void {
  onEachDatabase(name, (database, dialect) => {
    let current: TestSystem | undefined
    let folder = ''
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'rubrica-blobs-'))
      current = await testSystem(database().db, folder, replaced)
    })
    afterEach(() => {
      rmSync(folder, { recursive: true, force: true })
      current = undefined
    })
    tests(() => {
      if (!current) throw new Error('there is a system only while a test runs')
      return current
    }, dialect)
  })
}

/** @param folder for the blobs; the caller takes it away */
export async function testSystem(
  db: Database,
  folder: string,
  replaced: Replaced = {},
): Promise<TestSystem> {
  let now = MORNING
  const sealingKeys = testSealingKeys()
  const clock = { now: () => now }
  const vault = createVault(sealingKeys)
  return {
    db,
    eventQueue: openEventQueue(db),
    clock,
    memory: createMemory(),
    loopDelay: { minutes: () => [] },
    blobs: await createFileBlobs(folder, { records: fileRecordsIn(db), vault, clock }),
    disk: emptyDisk,
    reports: createReportFiles(),
    checkpoints: openCheckpointFiles(folder),
    // The minimum cost of Argon2: tests check behaviour, not duration.
    passwords: await createPasswords({ memory: 8, passes: 1 }),
    vault,
    sealingKeys,
    pdf: anyPdf,
    publicPdf: replaced.pdf ?? anyPdf,
    trust: noTrust,
    revocation: silentAuthorities,
    publicRevocation: replaced.revocation ?? silentAuthorities,
    timestamps: noTimestamps,
    constancias: silentProviders,
    mailer: null,
    mailers: createMailers({ networks: outgoingNetworks([]) }),
    tokens: null,
    webauthn: createWebauthn('http://localhost:3000'),
    signerKeys: inThisThread,
    settings: {
      publicOrigin: 'http://localhost:3000',
      isDemo: false,
      uploadLimit: 200 * 1024 * 1024,
      machine: 'rubrica-1',
      backupAge: null,
      networks: outgoingNetworks([]),
      csrfKey: createSecretKey(new Uint8Array(32).fill(7)),
      tokenKey: new Uint8Array(32).fill(8),
      logKeys: logKeysOf(new Uint8Array(32).fill(9)),
    },
    ...replaced,
    wait(time) {
      now = after(now, time)
    },
    log: () => wholeLog(db),
    folder,
  }
}

/** Opens key files as the server does, without a thread for each. */
export const inThisThread: System['signerKeys'] = {
  openPrivateKey,
  async openPkcs12(file, password) {
    const outcome = await openPkcs12(file, password)
    if (outcome.kind !== 'opened') return outcome
    const [first, ...others] = outcome.pairs
    const plain = ({ certificate, opened }: typeof first) => ({
      certificate: certificate.der,
      opened,
    })
    return { kind: 'opened', pairs: [plain(first), ...others.map(plain)] }
  },
}

/** Accepts every file as a PDF of one page: most use cases do not depend on PDF. */
export const anyPdf: System['pdf'] = {
  isCrowded: () => false,
  inspect: async () => ({
    ...{ pages: 1, signatures: 0, mayBeSigned: true, isFinal: false },
    ...{ unseen: [], isDynamicForm: false },
  }),
  verify: () => Promise.reject(new Error('this test system does not verify')),
  prepareSheet: () => Promise.reject(new Error('this test system prepares no sheet')),
  prepare: () => Promise.reject(new Error('this test system does not prepare')),
  addValidationData: () => Promise.reject(new Error('this test system keeps no proofs')),
  prepareDocumentStamp: () => Promise.reject(new Error('this test system keeps no proofs')),
  questions: async () => [],
  questionsAbout: async () => [],
  signersRevocation: async (path, policy) => signersRevocation(path.map(readCertificate), policy),
  judgeAnswer: async (answer) => judgeAnswer(answer),
  acceptStamp: async (...asked) => acceptStamp(...asked),
  readConstancia: async (...asked) => readAnswer(...asked),
  questionsAboutConstancia: async (...asked) => questionsAboutConstancia(...asked),
  judgeConstancia: async (answer, digest, policy) =>
    judgeConstancia(answer, fromHex(digest), policy),
  signedRevisions: async () => [],
  signatureContents: async () => ({ signatures: [], sheetSize: { width: 612, height: 792 } }),
  evidenceSheet: () => Promise.reject(new Error('this test system prints no evidence')),
  readAuthorities: async (...asked) => readAuthorityBundle(...asked),
  describeCertificate: async (_der, { at }) => ({
    ...{ sha1: '00'.repeat(20), version: 3, serial: '01', subject: [], issuer: [] },
    ...{ representative: null, signatureAlgorithm: '1.2.840.113549.1.1.11', extensions: [] },
    key: { kind: 'rsa', bits: 2048, exponent: '65537', curve: undefined },
    ...{ keyUsage: undefined, netscapeTypes: undefined, purposes: undefined },
    ...{ policies: undefined, isAuthority: false },
    ...{ subjectKeyIdentifier: undefined, ocsp: [], lists: [] },
    chain: {
      ...{ kind: 'found', label: 'Autoridad de prueba', forTesting: true },
      authorities: [{ sha256: sha256('issuer'), name: 'AC', notBefore: at, notAfter: at }],
    },
  }),
  describeFile: async (...asked) => describeFile(...asked),
  acceptCertificate: async (...asked) => acceptCertificate(...asked),
  readAttestation: async (...asked) => attestationReading(...asked),
  proveSignatures: async () => ({ sections: [], chains: [] }),
  proveRevocation: async () => [],
  comparePages: async () => [],
  report: () => Promise.reject(new Error('this test system prints no reports')),
  sheetPicture: async () => new Uint8Array(),
  stampOutlook: async () => ({ forecast: { kind: 'invisible', obstacle: 'no-place' } }),
  picture: async () => new Uint8Array(),
  pageText: async () => ({ width: 612, height: 792, lines: [], isCut: false }),
  compareTexts: async () => ({
    ...{ kind: 'compared', places: [], isCut: false, blank: { before: [], after: [] } },
    pages: { before: 1, after: 1 },
  }),
  pageSizes: async () => [{ width: 612, height: 792 }],
}

/** Has room for everything. */
const emptyDisk: System['disk'] = {
  space: async () => ({ free: 2 ** 40, total: 2 ** 40 }),
  keepReserve: async () => undefined,
  spendReserve: () => false,
}

const noTrust: System['trust'] = {
  policy() {
    throw new Error('this test system has no trust anchors')
  },
  fingerprint: async () => 'no anchors',
  builtIn: [],
}

/** No revocation source. */
const silentAuthorities: System['revocation'] = {
  answersTo: async () => ({ ocsp: [], crls: [] }),
  answersAbout: async () => ({ ocsp: [], crls: [] }),
}

/** No timestamp authority. */
const noTimestamps: System['timestamps'] = {
  stamp: async (_digest, authorities) => ({
    kind: 'unavailable',
    failures: authorities.map(({ id, name }) => ({
      id,
      name,
      reason: 'no authority answers in this test',
      isSilent: true,
    })),
  }),
}

/** No provider of constancias. */
const silentProviders: System['constancias'] = {
  ask: async () => ({
    kind: 'failed',
    isSlow: false,
    isSilent: true,
    reason: 'no authority is asked',
  }),
  reach: async () => 'no authority is asked',
}

async function wholeLog(db: Database): Promise<RecordedEvent[]> {
  const events = new Map<number, RecordedEvent>()
  const end = await countEvents(db, FIRST_LOG)
  for (const { id: officeId } of await listOffices(db))
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: EventPage = await listEventsFrom(db, { view: viewOf(officeId) }, { from, end })
      for (const event of page.events) events.set(event.seq, event)
      from = page.next
    }
  return [...events.values()].toSorted((a, b) => a.seq - b.seq)
}
