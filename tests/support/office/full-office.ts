import { randomBytes, randomUUID } from 'node:crypto'
import { insertAlert } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertArcoRequest, insertArcoStep } from '#server/db/care/arco-requests.ts'
import { insertVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { replacePictureConsent } from '#server/db/documents/picture-consents.ts'
import { insertSignature } from '#server/db/documents/signatures.ts'
import { replaceUploadJudgement } from '#server/db/documents/upload-judgements.ts'
import { insertWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import { insertAccessToken } from '#server/db/people/access-tokens.ts'
import { insertPrivacyNotice } from '#server/db/people/privacy-notices.ts'
import { upsertAct } from '#server/db/signing-sessions/acts.ts'
import { upsertParties } from '#server/db/signing-sessions/parties.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { replaceAuthority } from '#server/db/trust/authorities.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import { ArcoRequest, FEDERAL_TERMS } from '#server/domain/care/arco-request.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { hashOfToken, TOKEN_BYTES, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { AccessToken, accessTokenText } from '#server/domain/identity/access-token.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { NoticeText } from '#server/domain/identity/privacy-notice.ts'
import type { User } from '#server/domain/identity/user.ts'
import { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { MailId, SignatureId, type SigningSessionId } from '#server/domain/ids.ts'
import { Act, MOST_ACTS } from '#server/domain/signing/act/act.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { after, days, hours, type Instant, seconds } from '#server/domain/time.ts'
import { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { declared } from '#tests/support/characters.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { aCertificate, aDocument, someReport } from '#tests/support/pdf/signed-document.ts'
import { anArcoRequest } from './arco.ts'
import { insertCopies } from './copies.ts'
import { insertDeadlineRows } from './deadline-rows.ts'
import { fillNumbers } from './filled-numbers.ts'
import { aGuest } from './guests.ts'
import { insertRetained } from './retained.ts'
import { newSession } from './sessions.ts'
import { aDraft } from './signing-system.ts'
import { insertKeys } from './yubikey-rows.ts'

/** An office with this many rows in everything that pages list, and the URL of one of each. */
export type FullOffice = {
  office: Office
  /** The administrator first. */
  people: readonly User[]
  /** The cookie of an administrator who is a notary. */
  member: string
  /** The access token of a program of the administrator's, as an `Authorization` header. */
  program: string
  /** The cookie of an external signer who has agreed to the aviso de privacidad. */
  guest: string
  user: string
  /** A draft of the administrator's. */
  draft: string
  /** A draft that arrived with a signature. */
  arrived: string
  /** A document with as many versions and signatures. */
  signed: Document
  /** Issued of the signed document. */
  copy: string
  /** A certificate with which as many documents were signed. */
  certificate: string
  /** A document of the session that waits for all signers. */
  awaited: Document
  /** The documents of that session, beginning with `awaited`. */
  held: readonly Document[]
  session: SigningSessionId
  /** A session with documents and signers that was not opened. */
  draftSession: SigningSessionId
  externalSigner: string
  authority: string
  provider: string
  mail: string
  key: string
  party: string
  /** A request about personal data. */
  arco: string
  /** A document whose term is over. */
  retained: string
  act: string
  obligation: string
  deadline: string
  /** Held by the administrator. */
  yubikey: string
  /** The address of a number, below that of the list. */
  number: string
  series: string
}

/**
 * @param rows the number of rows of everything, each of another user, so that the lookup of one row never serves
 * another; also the number of the office, which no other office has
 * @param pdf the content of every document, for a system that reads it
 */
export async function aFullOffice(
  system: System,
  rows: number,
  pdf: Uint8Array = Buffer.from(`%PDF-1.7 ${rows}`),
): Promise<FullOffice> {
  const at = system.clock.now()
  const office = await storedOffice(system.db, { number: rows })
  const admin = await storedUser(system.db, office, ['ADMIN', 'NOTARY'], {
    ...{ rfc: 'MULA800101AB1', capacity: 'titular' },
  })
  await withTotp(system, admin)
  const { tokens } = await newSession(system, { user: admin, office }, {}, 'TOTP')
  const clerks: User[] = []
  for (let index = 0; index < rows; index += 1) {
    clerks.push(await storedUser(system.db, office, ['CLERK'], { firstName: `Iván ${index}` }))
    await newSession(system, { user: admin, office })
  }
  const draft = await aDraft(system, asPerson(admin), pdf, 'Borrador')
  const [content] = await listVersions(system.db, draft.id)
  if (!content) throw new Error('a draft has a version')
  const { issuing } = await testAuthority()
  const scene: Rows = { office, admin, clerks, content, at, folios: 1 }
  const made = await system.db.transaction(async (trx) => {
    const held = await insertHeld(trx, scene)
    const signed = await insertSigned(trx, scene, issuing.der)
    return {
      ...held,
      ...signed,
      ...(await insertDeadlineRows(trx, scene, { ...held, ...signed })),
      ...(await insertAccounts(trx, scene)),
      arrived: await insertArrived(trx, scene),
      mail: await insertMail(trx, scene),
      ...(await insertTrust(trx, scene, issuing.der)),
      party: await insertParties(trx, scene),
      arco: await insertRequests(trx, scene),
      retained: await insertAllRetained(trx, scene),
      act: await insertActs(trx, scene),
      yubikey: await insertKeys(trx, scene, (index) => numbered(issuing.der, index)),
      ...(await fillNumbers(trx, { officeId: office.id, people: clerks, at })),
    }
  })
  const asked = { office, person: asPerson(admin), sessionId: made.session }
  const { token } = await aGuest(system, { ...asked, signerIds: [made.external.id] })
  await checkpointLogs(system, undefined, seconds(0))
  // A guest agrees to the text of the system, before there is another.
  await system.db.transaction((trx) => insertNotices(trx, scene))
  return {
    ...made,
    office,
    people: [admin, ...clerks],
    member: `__Host-session=${tokens.access}`,
    guest: `__Host-guest=${token}`,
    user: clerks[0]?.id ?? '',
    draft: draft.id,
    externalSigner: made.external.id,
  }
}

type Rows = {
  office: Office
  admin: User
  clerks: readonly User[]
  /** The content of every version. */
  content: DocumentVersion
  /** When everything happened. */
  at: Instant
  folios: number
}

async function documentRow(
  trx: Transaction,
  scene: Rows,
  author: User,
  { state = 'draft', content = scene.content } = {},
) {
  scene.folios += 1
  const document = aDocument(author, {
    ...{ state, stateSince: scene.at, createdAt: scene.at },
    folio: folioOf(2026, scene.folios),
  })
  await insertDocument(trx, document)
  await insertVersion(trx, { ...content, documentId: document.id })
  await insertPlainJudgement(trx, { ...content, documentId: document.id })
  return document
}

async function insertArrived(trx: Transaction, scene: Rows): Promise<string> {
  const content = { ...scene.content, signaturesBrought: 1 }
  return (await documentRow(trx, scene, scene.admin, { content })).id
}

/** As of an upload without signatures. */
const insertPlainJudgement = (trx: Transaction, uploaded: DocumentVersion) =>
  replaceUploadJudgement(trx, {
    documentId: uploaded.documentId,
    version: uploaded.version,
    sha256: uploaded.sha256,
    ...{ verdict: 'NO_SIGNATURE', headline: null, findings: [], trustFingerprint: null },
    at: uploaded.at,
  })

async function sessionRow(
  trx: Transaction,
  { office, at }: Rows,
  author: User,
  documents: readonly Document[],
  signers: readonly (User | 'external')[],
  state: 'open' | 'draft' = 'open',
) {
  const session = SigningSession.parse({
    id: randomUUID(),
    officeId: office.id,
    title: 'Compraventa',
    message: null,
    deadline: after(at, days(2)),
    state,
    stateSince: at,
    stateBy: author.id,
    stateReason: null,
    createdAt: at,
    createdBy: author.id,
    act: null,
  })
  const held = documents.map(({ id }) => ({
    id,
    completedVersion: null,
    baseVersion: state === 'open' ? 1 : null,
    fields: [],
  }))
  await insertSigningSession(trx, session, held)
  const asked = signers.map((signer, index) => signerRow(session, signer, index + 1))
  await insertSigners(trx, asked)
  return { session, signers: asked }
}

const signerRow = (session: SigningSession, signer: User | 'external', place: number) =>
  Signer.parse({
    id: randomUUID(),
    signingSessionId: session.id,
    place,
    step: 1,
    userId: signer === 'external' ? null : signer.id,
    name: signer === 'external' ? 'Benito Núñez' : signer.firstName,
    email: signer === 'external' ? 'benito@ejemplo.example' : null,
    rfc: signer === 'external' ? 'NUPB801201QX7' : signer.rfc,
    character: declared('Comprador'),
    state: 'pending',
    stateSince: session.createdAt,
    stateReason: null,
    replacedBy: null,
    stateProof: null,
    remindedAt: null,
  } satisfies Record<keyof Signer, unknown>)

/** One session with all documents and signers, and as many sessions with one document each. */
async function insertHeld(trx: Transaction, scene: Rows) {
  const { admin, clerks } = scene
  const documents: Document[] = []
  for (const clerk of clerks) {
    const document = await documentRow(trx, scene, clerk, { state: 'signing' })
    await sessionRow(trx, scene, clerk, [document], [admin, clerk])
    documents.push(await documentRow(trx, scene, clerk, { state: 'signing' }))
  }
  const everybody = [admin, 'external' as const, ...clerks]
  const { session, signers } = await sessionRow(trx, scene, admin, documents, everybody)
  const external = signers.find(({ userId }) => userId === null)
  const [awaited] = documents
  if (!external || !awaited) throw new Error('a session without signers')
  const drafts: Document[] = []
  for (const clerk of clerks) drafts.push(await documentRow(trx, scene, clerk, { state: 'draft' }))
  const draft = await sessionRow(trx, scene, admin, drafts, everybody, 'draft')
  return {
    ...{ session: session.id, draftSession: draft.session.id },
    ...{ external, awaited, held: documents },
  }
}

async function insertParties(trx: Transaction, { office, clerks, at }: Rows): Promise<string> {
  const parties = clerks.map((clerk, index) =>
    KnownParty.parse({
      ...{ id: randomUUID(), officeId: office.id, by: clerk.id, at },
      ...{ name: `Iván ${index}`, email: null, character: 'Comprador' },
      rfc: `PERS800101${String(index).padStart(2, '0').slice(-2)}${Math.floor(index / 100)}`,
    } satisfies Record<keyof KnownParty, unknown>),
  )
  await upsertParties(trx, parties)
  return parties[0]?.id ?? ''
}

/** A document whose term is over for each clerk. @returns one of them */
async function insertAllRetained(trx: Transaction, { office, clerks, at }: Rows): Promise<string> {
  const ids: string[] = []
  for (const { id: by } of clerks)
    ids.push(await insertRetained(trx, { officeId: office.id, by, at }))
  return ids[0] ?? ''
}

/** A request about personal data for each clerk. @returns one to which each of them did something */
async function insertRequests(trx: Transaction, { office, clerks, at }: Rows): Promise<string> {
  const requests = clerks.map(({ id: createdBy }, index) =>
    ArcoRequest.parse({
      ...anArcoRequest(),
      ...{ id: randomUUID(), officeId: office.id, year: 2026, number: index + 1 },
      ...{ terms: FEDERAL_TERMS, state: 'received', stateSince: at, dueOn: '2027-06-01' },
      ...{ extended: null, identity: null, answer: null, createdAt: at, createdBy },
    }),
  )
  for (const request of requests) await insertArcoRequest(trx, request)
  const [first] = requests
  if (!first) return ''
  for (const { id: by } of clerks)
    await insertArcoStep(trx, first.id, { kind: 'recorded', at, by, note: null })
  return first.id
}

/** As many acts as an office may have, at most. */
async function insertActs(trx: Transaction, { office, clerks, at }: Rows): Promise<string> {
  const acts = clerks.slice(0, MOST_ACTS).map(({ id: by }, index) => ({
    ...Act.parse({
      ...{ id: randomUUID(), officeId: office.id, name: `Acto ${index}`, notary: 'signs' },
      ...{ roles: [{ character: 'Otorgante', least: 1, most: 4 }], electronic: null },
      ...{ state: 'active', at, by },
    } satisfies Record<keyof Act, unknown>),
    ...{ at, by },
  }))
  for (const act of acts) await upsertAct(trx, act)
  return acts[0]?.id ?? ''
}

/** A document that every clerk has signed, each with a certificate of their own; the first one signed other documents, too. */
async function insertSigned(trx: Transaction, scene: Rows, der: Uint8Array) {
  const { admin, clerks, content, at } = scene
  scene.folios += 1
  const document = aDocument(admin, {
    ...{ state: 'signed', folio: folioOf(2026, scene.folios), version: clerks.length + 1 },
    ...{ stateSince: at, createdAt: at },
    publicPictures: { state: 'on', since: at, by: admin.id },
  })
  await insertDocument(trx, document)
  await insertVersion(trx, { ...content, documentId: document.id })
  await insertPlainJudgement(trx, { ...content, documentId: document.id })
  let first: HeldCertificate | undefined
  for (const [index, clerk] of clerks.entries()) {
    const version = index + 2
    const bytes = numbered(der, index)
    const certificate = aCertificate(clerk, { der: bytes, sha256: sha256(bytes) })
    await insertCertificate(trx, certificate)
    first ??= certificate
    const of = { documentId: document.id, version }
    await insertVersion(trx, { ...content, ...of, cause: 'signed', by: clerk.id })
    const signature = DocumentSignature.parse({
      ...of,
      id: randomUUID(),
      field: `Firma${version}`,
      certificateId: certificate.id,
      userId: clerk.id,
      signerId: null,
      character: null,
      method: 'browser',
      level: 'B-B',
      signedAt: at,
    } satisfies Record<keyof DocumentSignature, unknown>)
    await insertSignature(trx, { ...signature, report: someReport })
    await insertFurther(trx, scene, clerk, { ...signature, certificateId: first.id })
    const consent = { state: 'given', since: at } as const
    await replacePictureConsent(trx, { ...consent, ...signature, signerId: null })
    await appendEvent(trx, {
      actor: asPerson(clerk),
      at,
      action: 'document.signed',
      subject: { kind: 'document', id: document.id },
      details: { version, sha256: content.sha256 },
    })
  }
  const copy = await insertCopies(trx, document.id, clerks, at)
  return { signed: document, certificate: first?.id ?? '', copy }
}

/** The signature once more, on another document, whose session was cancelled since. */
async function insertFurther(
  trx: Transaction,
  scene: Rows,
  author: User,
  signature: DocumentSignature,
): Promise<void> {
  const { id } = await documentRow(trx, scene, author, { state: 'cancelled' })
  const further = { id: SignatureId.parse(randomUUID()), documentId: id }
  await insertSignature(trx, { ...signature, ...further, report: someReport })
}

/** A certificate that differs in its signature only. */
function numbered(der: Uint8Array, number: number): Uint8Array {
  const bytes = Uint8Array.from(der)
  new DataView(bytes.buffer).setUint16(bytes.length - 2, number)
  return bytes
}

/** An active security key that opens nothing. */
export const keyOf = (user: User, at: Instant) =>
  WebauthnCredential.parse({
    id: randomUUID(),
    userId: user.id,
    credentialId: randomBytes(16).toString('base64url'),
    publicKey: new Uint8Array(16),
    algorithm: -7,
    counter: 0,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    deviceType: 'single-device',
    backup: 'not-backed-up',
    userVerification: 'verified',
    rpId: 'localhost',
    name: 'YubiKey',
    createdAt: at,
    lastUsedAt: null,
    state: 'active',
    stateSince: at,
    stateBy: user.id,
  } satisfies Record<keyof WebauthnCredential, unknown>)

async function insertNotices(trx: Transaction, { office, clerks, at }: Rows): Promise<void> {
  for (const [index, { id: by }] of clerks.entries()) {
    const text = NoticeText.parse({ short: 'Corto', full: `# Aviso\n\nVersión ${index}` })
    const notice = { text, sha256: sha256(`Versión ${index}`), at, by }
    await insertPrivacyNotice(trx, office.id, notice)
  }
}

/** Keys, access tokens, and alerts about keys. */
async function insertAccounts(trx: Transaction, { office, admin, clerks, at }: Rows) {
  const secrets = clerks.map(() => tokenFrom(randomBytes(TOKEN_BYTES)))
  const [secret] = secrets
  if (!secret) throw new Error('a program needs a token')
  const own = keyOf(admin, at)
  await insertWebauthnCredential(trx, own, new Uint8Array())
  for (const [index, clerk] of clerks.entries()) {
    const key = keyOf(clerk, at)
    await insertWebauthnCredential(trx, key, new Uint8Array())
    await insertWebauthnCredential(trx, keyOf(admin, at), new Uint8Array())
    await insertAlert(trx, {
      officeId: office.id,
      userId: null,
      kind: 'key-anomaly',
      severity: 'warning',
      subjectKind: 'second-factor',
      subjectId: key.id,
      occasion: `test:${index}`,
      at,
    })
    const token = AccessToken.parse({
      id: randomUUID(),
      officeId: office.id,
      userId: admin.id,
      name: `Programa ${index}`,
      scopes: ['sign'],
      createdAt: at,
      expiresAt: after(at, days(30)),
      lastUsedAt: null,
      revokedAt: null,
    } satisfies Record<keyof AccessToken, unknown>)
    await insertAccessToken(trx, token, hashOfToken(secrets[index] ?? secret))
  }
  return { key: own.id, program: `Bearer ${accessTokenText(secret)}` }
}

async function insertMail(trx: Transaction, { office, clerks, at }: Rows): Promise<MailId> {
  const ids = await queueMails(
    trx,
    clerks.map(({ firstName, email }) => ({
      officeId: office.id,
      to: { name: firstName, address: Email.parse(email) },
      facts: { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió.' },
      at,
      expiresAt: after(at, hours(1)),
    })),
  )
  return MailId.parse(ids[0])
}

/** Authorities that differ in their signatures, each offered by another clerk, and providers of timestamps. */
async function insertTrust(trx: Transaction, { office, clerks, at }: Rows, der: Uint8Array) {
  const providers: ServiceProvider[] = []
  for (const [index, clerk] of clerks.entries()) {
    const bytes = numbered(der, index)
    await replaceAuthority(trx, office.id, {
      sha256: sha256(bytes),
      certificate: readCertificate(bytes),
      state: 'offered',
      revocation: 'when-available',
      ocsp: [],
      reason: null,
      since: at,
      by: clerk.id,
    })
    const provider = ServiceProvider.parse({
      id: randomUUID(),
      officeId: office.id,
      kind: index % 2 === 0 ? 'timestamp' : 'constancia',
      name: `Proveedor ${index}`,
      url: 'https://tsa.example/',
      username: null,
      sealed: null,
      policy: null,
      position: index + 1,
      state: 'active',
      stateSince: at,
      stateBy: clerk.id,
      cost: null,
    } satisfies Record<keyof ServiceProvider, unknown>)
    await insertServiceProvider(trx, provider)
    providers.push(provider)
  }
  return { authority: sha256(numbered(der, 0)), provider: providers[0]?.id ?? '' }
}
