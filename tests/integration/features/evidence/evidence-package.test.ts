import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/clock.ts'
import { createMemory } from '#server/adapters/memory.ts'
import { auditVerifyProof } from '#server/cli/audit-verify-proof.ts'
import { type Composed, compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { listUsers } from '#server/db/people/users.ts'
import { insertConstanciaRequest } from '#server/db/trust/constancias.ts'
import { type DemoFiles, makeDemoFiles } from '#server/demo/demo-files.ts'
import { PEOPLE } from '#server/demo/people.ts'
import { prepareDemo } from '#server/demo/prepare-demo.ts'
import { openForSigners } from '#server/demo/seed-documents.ts'
import { serveAuthority } from '#server/demo/serve-authority.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { after, before, hours } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { buildEvidencePackage } from '#server/features/evidence/build-evidence-package.ts'
import { gatherSheetFacts } from '#server/features/evidence/gather-sheet-facts.ts'
import type { Printing } from '#server/features/evidence/package-contents.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { beginFurtherSession } from '#server/features/signing-sessions/begin-further-session.ts'
import { addSessionSigner } from '#server/features/signing-sessions/edit-session-signers.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { HEAVY_READS } from '#server/steps/documents/read-in-turn.ts'
import type { System } from '#server/system.ts'
import {
  type ListMinting,
  mintCertificateList,
  TEN_MEGABYTES,
} from '#tests/support/authorities/certificate-lists.ts'
import { asPerson } from '#tests/support/builders.ts'
import { longestTaskOf } from '#tests/support/cpu-time.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { judge } from '#tests/support/judges.ts'
import { FIRST } from '#tests/support/office/log-events.ts'
import { aPdf } from '#tests/support/office/signing-system.ts'
import {
  commandsIn,
  runCommand,
  type UnpackedEvidence,
  unpackEvidence,
} from '#tests/support/pdf/unpacked-evidence.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { freePort } from '#tests/support/processes/server-process.ts'

/* A newly started demo office with the services of its authority. */
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-evidence-'))
let composed: Composed
let system: System
let files: DemoFiles
let server: Server
let people: Map<string, Person>
let deed: Document

beforeAll(async () => {
  const port = await freePort()
  const config = readConfig('demo', { PORT: String(port), DATA_DIR: folder })
  files = await makeDemoFiles(path.join(folder, 'demo'), systemClock.now())
  server = createServer(express().use(serveAuthority(files.services, systemClock)))
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  composed = await compose(config)
  system = composed.system
  await prepareDemo(system, config, files)
  people = await staff()
  deed = await twiceSigned()
}, 120_000)

afterAll(async () => {
  await composed.close()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const print: Printing = ({ report }) => ({
  json: `${JSON.stringify(report)}\n`,
  text: {
    tone: 'good',
    word: 'Válido',
    sentence: report.headline.code,
    meaning: [],
    isTest: true,
    warnings: [],
    facts: [],
    entries: [],
    qrCode: null,
    foot: '',
  },
})

test('its commands prove the document in an empty folder, and refuse another byte', async () => {
  const { place, names } = await unpacked(deed)
  expect(names).toEqual(
    expect.arrayContaining([
      'SHA256SUMS',
      'VERIFICAR.txt',
      'original.pdf',
      'firmado.pdf',
      'dictamen.json',
      'dictamen.pdf',
      'hoja-de-evidencia.pdf',
      'firmas/01.p7s',
      'firmas/02.p7s',
      'sellos/01-1.tst',
      'revocacion/01.ors',
      'constancia/constancia.asn1',
      'bitacora/eventos.jsonl',
    ]),
  )
  const commands = commandsIn(place)
  expect(commands.length).toBeGreaterThan(12)
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })

  const signed = path.join(place, 'firmado.pdf')
  const bytes = readFileSync(signed)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  writeFileSync(signed, bytes)
  const failed = commands.filter((command) => runCommand(place, command).status !== 0)
  expect(failed.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
    'sha256sum -c SHA256SUMS',
    'openssl cms -verify',
    'openssl cms -verify',
    'openssl asn1parse -inform',
  ])
}, 60_000)

test('log verifier: finds every other change', async () => {
  const { place } = await unpacked(deed)
  const [sums, ...commands] = commandsIn(place)
  const broken = (file: string) => {
    const whole = readFileSync(path.join(place, file))
    const changed = Buffer.from(whole)
    const at = changed.length - 20
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(path.join(place, file), changed)
    const failed = commands.filter((command) => runCommand(place, command).status !== 0)
    expect(runCommand(place, sums ?? '').status).not.toBe(0)
    writeFileSync(path.join(place, file), whole)
    return failed
  }
  for (const file of [
    'firmas/01-valor.bin',
    'sellos/01-1.tst',
    'revocacion/01.ors',
    'constancia/constancia.tst',
    'bitacora/eventos.jsonl',
  ])
    expect(broken(file).length, file).toBeGreaterThan(0)
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })
}, 120_000)

test('a document timestamp is proven, too, and refuses another byte before it', async () => {
  const archived = await signedByOne('Acta para décadas')
  expect(await archiveDocument(system, archived.id)).toBe('kept')
  const { place, names } = await unpacked(archived)
  expect(names).toEqual(expect.arrayContaining(['firmas/02.tst', 'firmas/02-cadena.pem']))
  const commands = commandsIn(place)
  const ofStamp = commands.filter((command) => command.includes('firmas/02.tst'))
  expect(ofStamp).toMatchObject([expect.stringMatching(/^openssl ts -verify -data cubierto-02/)])
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })

  // The part added after the signature, which the signature does not cover.
  const signed = path.join(place, 'firmado.pdf')
  const bytes = readFileSync(signed)
  const at = bytes.lastIndexOf('/DSS')
  bytes[at + 1] = (bytes[at + 1] ?? 0) ^ 1
  writeFileSync(signed, bytes)
  const failed = commands.filter((command) => runCommand(place, command).status !== 0)
  expect(failed).toEqual(['sha256sum -c SHA256SUMS', ...ofStamp])
}, 120_000)

test('a constancia stays with its document when proofs are added to the file', async () => {
  const signed = await signedByOne('Acta con constancia y después archivo')
  await withConstancia(signed)
  expect(await archiveDocument(system, signed.id)).toBe('kept')
  const archived = (await findDocument(system.db, signed.id)) as Document
  expect(archived.version).toBeGreaterThan(signed.version)

  const version = (await findVersion(system.db, signed.id, signed.version))!
  const { place } = await unpacked(archived)
  const commands = commandsIn(place)
  expect(commands.filter((command) => command.includes(`head -c ${version.bytes} `))).toHaveLength(
    1,
  )
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })
  const { constancia } = JSON.parse(readFileSync(path.join(place, 'dictamen.json'), 'utf8'))
  const overSigned = {
    verdict: 'EARLIER_REVISION',
    matches: false,
    revisionBytes: version.bytes,
  }
  expect(constancia).toMatchObject(overSigned)

  const current = async (document: Document) =>
    (await findVersion(system.db, document.id, document.version)) as DocumentVersion
  const sheet = await gatherSheetFacts(system, archived, await current(archived))
  expect(sheet.constancia).toMatchObject({ kind: 'issued' })
  const found = await readVerification(system, notary(), { id: signed.id })
  expect(found).toMatchObject({
    constancia: 'issued',
    report: { constancia: overSigned },
  })

  const further = await beginFurtherSession(system, notary(), {
    documentId: archived.id,
    version: archived.version,
  })
  const { userId } = people.get('notaria-titular') as Person
  const signer = { kind: 'user', userId, character: null, step: 1 } as const
  await addSessionSigner(system, notary(), { signingSessionId: further, signer, again: true })
  await openSigningSession(system, notary(), { signingSessionId: further })
  // The package of the complete version stays available, and has nothing of the signing under way.
  const held = (await findDocument(system.db, signed.id)) as Document
  expect(held.state).toBe('signing')
  const meanwhile = await unpacked(held)
  const sums = readFileSync(path.join(meanwhile.place, 'SHA256SUMS'), 'utf8')
  expect(sums).toContain(`${(await current(archived)).sha256}  firmado.pdf`)
  for (const command of commandsIn(meanwhile.place))
    expect(runCommand(meanwhile.place, command)).toMatchObject({ status: 0 })
  await signAt(archived, 'notaria-titular')
  const anew: System = { ...system, memory: createMemory() }
  const renewed = await readVerification(anew, notary(), { id: signed.id })
  expect(renewed).toMatchObject({ constancia: null })
  expect(renewed).not.toHaveProperty('report.constancia')
  const next = (await findDocument(system.db, signed.id)) as Document
  expect((await gatherSheetFacts(system, next, await current(next))).constancia).toEqual({
    kind: 'none',
  })
  expect((await unpacked(next)).names).not.toContain('constancia/constancia.asn1')
}, 120_000)

test('the lists of revoked certificates that a verdict rests on lie there with their commands', async () => {
  const document = await signedByOne('Acta con lista')
  const { place, names } = await unpacked(document, withList())
  expect(names.filter((name) => name.endsWith('.crl'))).toEqual(['revocacion/lista-01.crl'])
  const commands = commandsIn(place)
  const ofList = commands.filter((command) => command.includes('-crl_check'))
  // About the signer and about the timestamp authority.
  expect(ofList).toHaveLength(2)
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })

  const list = path.join(place, 'revocacion/lista-01.crl')
  const bytes = readFileSync(list)
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1
  writeFileSync(list, bytes)
  for (const command of ofList) expect(runCommand(place, command).status).not.toBe(0)
}, 120_000)

test('a list of 10 MB keeps no request waiting', async () => {
  const document = await signedByOne('Acta con una lista larga')
  const large = withList(TEN_MEGABYTES)
  const longest = await longestTaskOf(() => build(document, large))
  expect(longest).toBeLessThan(200 * (await timesSlower()))
}, 120_000)

test('a list that names the signer proves the revocation, and no list proves another', async () => {
  const document = await signedByOne('Acta con lista que nombra a quien firmó')
  const signer = new X509Certificate(readFileSync(files.efirmas.get('abogada')!.cer))
  const revoked = withList([{ serial: Buffer.from(signer.serialNumber, 'hex'), at: signedAt() }])
  const { place } = await unpacked(document, revoked)
  const text = readFileSync(path.join(place, 'VERIFICAR.txt'), 'utf8')
  expect(text).toContain('dice que fue revocado el')
  const [about] = commandsIn(place).filter((command) => command.includes('certificate revoked'))
  expect(runCommand(place, about ?? 'false')).toMatchObject({ status: 0 })

  const { place: other } = await unpacked(document, withList())
  writeFileSync(
    path.join(place, 'revocacion/lista-01.crl'),
    readFileSync(path.join(other, 'revocacion/lista-01.crl')),
  )
  expect(runCommand(place, about ?? 'true').status).not.toBe(0)
}, 120_000)

test('the log of the package contains actions and no reads', async () => {
  const { place } = await unpacked(deed)
  const events = readFileSync(path.join(place, 'bitacora/eventos.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).action)
  expect(events).toContain('document.uploaded')
  expect(events.filter((action) => action === 'document.signed')).toHaveLength(2)
  expect(events).toContain('constancia.issued')
  expect(events).not.toContain('document.downloaded')
})

test('checkpoint: proves the log that it counts and no other', async () => {
  const document = await signedByOne('Acta en la bitácora firmada')
  expect(await checkpointLogs(system)).toBeUndefined()
  const { place } = await unpacked(document)
  const commands = commandsIn(place)
  const ofLog = commands.filter((command) => command.includes('punto-de-control.txt'))
  expect(ofLog).toHaveLength(1)
  for (const command of commands) expect(runCommand(place, command)).toMatchObject({ status: 0 })

  const key = formatVerifierKey(system.settings.logKeys(FIRST).verifier)
  expect(readFileSync(path.join(place, 'VERIFICAR.txt'), 'utf8')).toContain(`--key '${key}'`)
  const verify = () =>
    said(() =>
      auditVerifyProof(
        ['--key', key, '--events', 'bitacora/eventos.jsonl', 'bitacora/pruebas.tlog-proof'],
        place,
      ),
    )
  const events = path.join(place, 'bitacora/eventos.jsonl')
  const lines = readFileSync(events, 'utf8')
  const proven = await verify()
  expect(proven).toMatchObject({ status: 0, errors: [] })
  expect(proven.output).toHaveLength(lines.trimEnd().split('\n').length)
  writeFileSync(events, lines.replace('document.signed', 'document.Signed'))
  expect((await verify()).status).toBe(1)

  const note = path.join(place, 'bitacora/punto-de-control.txt')
  writeFileSync(note, readFileSync(note, 'utf8').replace(/\n(\d+)\n/, '\n9$1\n'))
  expect(runCommand(place, ofLog[0] ?? 'true').status).not.toBe(0)
}, 120_000)

test('the archive is as long as it says, and other programs read it', async () => {
  const built = await build(deed)
  const bytes = await read(built.stream())
  expect(bytes.length).toBe(built.bytes)
  const file = path.join(folder, 'package.zip')
  writeFileSync(file, bytes)
  expect(judge('unzip')('-t', file)).toMatchObject({
    status: 0,
    output: expect.stringContaining('No errors detected'),
  })
  // The same once more: nothing but the verdict and its page depends on the moment.
  expect(await read(built.stream())).toEqual(bytes)
})

test('forbidden for other roles, and missing for a draft', async () => {
  const clerk = people.get('auxiliar') as Person
  const forClerk = buildEvidencePackage(system, clerk, { documentId: deed.id }, print)
  await expect(forClerk).rejects.toMatchObject({ code: 'forbidden' })
  const draft = await upload('Borrador')
  const ofDraft = buildEvidencePackage(system, notary(), { documentId: draft.id }, print)
  await expect(ofDraft).rejects.toMatchObject({ code: 'wrong-state' })
})

test('evidence package: not built when the user is gone before its turn', async () => {
  const gate = Promise.withResolvers<void>()
  const others = system.memory.queue(HEAVY_READS).inTurn(() => gate.promise)
  const leaving = new AbortController()
  let printed = 0
  const printing: Printing = (subject) => {
    printed += 1
    return print(subject)
  }
  const asked = { documentId: deed.id }
  const left = buildEvidencePackage(system, notary(), asked, printing, leaving.signal)
  const next = buildEvidencePackage(system, notary(), asked, printing)
  setTimeout(() => leaving.abort(new Error('gone')), 200)
  await expect(left).rejects.toThrow('gone')
  expect(printed).toBe(0)
  gate.resolve()
  await others
  await next
  expect(printed).toBe(1)
})

const notary = () => people.get('notaria-titular') as Person
const build = (document: Document, from = system) =>
  buildEvidencePackage(from, notary(), { documentId: document.id }, print)

const signedAt = () => systemClock.now()

/** The same office; its authority answers no request and publishes a list. */
function withList(entries: ListMinting['entries'] = []): System {
  const authority = path.join(folder, 'demo/authority')
  const now = systemClock.now()
  const der = mintCertificateList({
    issuer: readCertificate(readFileSync(path.join(authority, 'issuing.cer'))),
    issuerKey: createPrivateKey(readFileSync(path.join(authority, 'issuing-key.txt'))),
    thisUpdate: before(now, hours(1)),
    nextUpdate: after(now, hours(1)),
    entries: entries ?? [],
  })
  const answers = async () => ({ ocsp: [], crls: [{ der, source: 'fetched' as const }] })
  return { ...system, revocation: { answersTo: answers, answersAbout: answers } }
}

async function staff(): Promise<Map<string, Person>> {
  const [office] = await listOffices(system.db)
  if (!office) throw new Error('no demo office')
  const users = await listUsers(system.db, office.id)
  const now = systemClock.now()
  const changes = { signedInAt: now, provenAt: now }
  return new Map(
    PEOPLE.map(({ slug, email }) => {
      const user = users.find((one) => one.email === email)
      if (!user) throw new Error(`no ${slug}`)
      return [slug, asPerson(user, changes)]
    }),
  )
}

const upload = async (title: string) =>
  uploadDocument(system, notary(), {
    title: title as Document['title'],
    kind: 'act',
    fileName: 'acta.pdf',
    content: [await aPdf()],
  })

/** Signed by two, with a constancia over the result. */
async function twiceSigned(): Promise<Document> {
  const { id } = await upload('Acta con dos firmas')
  const document = await signedBy(id, ['abogada', 'notaria-titular'])
  await withConstancia(document)
  return document
}

async function withConstancia({ id, version, officeId }: Document): Promise<void> {
  const sha256 = (await findVersion(system.db, id, version))!.sha256
  const wanted = { officeId, documentId: id, version, sha256, by: null, at: systemClock.now() }
  await system.db.transaction((trx) => insertConstanciaRequest(trx, wanted))
  await issueConstancias(system)
}

const signedByOne = async (title: string) => signedBy((await upload(title)).id, ['abogada'])

async function signedBy(id: Document['id'], slugs: readonly string[]): Promise<Document> {
  if (slugs.length > 1) {
    const [office] = await listOffices(system.db)
    const users = await listUsers(system.db, office!.id)
    await openForSigners(system, users, { title: 'Acta con dos firmas', signers: slugs }, id)
  }
  for (const slug of slugs) {
    const { version } = (await findDocument(system.db, id)) as Document
    await signAt({ id, version }, slug)
  }
  return (await findDocument(system.db, id)) as Document
}

async function signAt({ id, version }: Pick<Document, 'id' | 'version'>, slug: string) {
  const efirma = files.efirmas.get(slug)
  if (!efirma) throw new Error(`no e.firma of ${slug}`)
  const outcome = await signOnServer(system, people.get(slug) as Person, {
    documentId: id,
    version,
    certificate: new Uint8Array(readFileSync(efirma.cer)),
    privateKey: new Uint8Array(readFileSync(efirma.key)),
    password: efirma.keyPassword,
    consent: true,
  })
  if (outcome.kind !== 'signed') throw new Error(JSON.stringify(outcome))
}

async function unpacked(document: Document, from = system): Promise<UnpackedEvidence> {
  const { stream } = await build(document, from)
  return unpackEvidence(await read(stream()), folder)
}

async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
