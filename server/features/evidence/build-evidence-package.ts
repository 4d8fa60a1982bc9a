import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { appendEvent, listLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { parseCanonicalEvent } from '#server/domain/audit/event.ts'
import { formatInclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { verificationUrlOf } from '#server/domain/signing/plan-signature.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import { MOST_CHECKS } from '#server/domain/trust/path.ts'
import { signatureChecks } from '#server/domain/trust/signature-checks.ts'
import { constanciaSection } from '#server/domain/verification/evidence-package/constancia-section.ts'
import { instructions } from '#server/domain/verification/evidence-package/instructions.ts'
import { listSections } from '#server/domain/verification/evidence-package/list-sections.ts'
import { revocationSections } from '#server/domain/verification/evidence-package/revocation-sections.ts'
import type {
  ProofFile,
  ProofSection,
} from '#server/domain/verification/evidence-package/section.ts'
import {
  type ProvenSection,
  signatureSections,
} from '#server/domain/verification/evidence-package/signature-sections.ts'
import {
  type ZipFile,
  zipLength,
  zipped,
} from '#server/domain/verification/evidence-package/zip.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { exportPresence } from '#server/steps/signing/export-presence.ts'
import { type CompletedVersion, findCompleted } from '#server/steps/signing/find-completed.ts'
import type { System } from '#server/system.ts'
import { PACKAGE_NAMES, providerText } from '#server/words/evidence-package.ts'
import { gatherSheetFacts } from './gather-sheet-facts.ts'
import { type JudgedFile, judgeForEvidence, keptAnswersAbout } from './judge-for-evidence.ts'
import { heldFile, storedFile } from './package-files.ts'

export const BuildEvidencePackage = z.strictObject({ documentId: DocumentId })
export type BuildEvidencePackage = z.infer<typeof BuildEvidencePackage>

/** The input of a printed verdict. */
type PrintedSubject = {
  document: Document
  version: DocumentVersion
  office: Office
  report: VerificationReport
  constancia: ConstanciaState | null
  verifiedAt: Instant
}

/** The verdict in the words of the page, for the PDF, and as JSON for programs. */
export type Printing = (subject: PrintedSubject) => { text: ReportText; json: string }

export type EvidencePackage = {
  folio: string
  bytes: number
  /** Produced while it is read, so no document is held in memory. */
  stream: () => ReadableStream<Uint8Array>
}

/** Left out: the package goes to third parties, who need not know who viewed the document. */
const VIEWS: readonly AuditEvent['action'][] = [
  'access.refused',
  'document.downloaded',
  'document.previewed',
  'document.verified',
  'document.viewed',
]

/**
 * Builds an archive with everything that proves a signed document: the files and their parts, the answers of
 * authorities, and the commands that verify all of it without this server. Logged before the first byte is
 * sent.
 *
 * @param print words the verdict
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` for a document without a
 *   signature; `damaged-pdf`, `pdf-too-complex`
 */
export async function buildEvidencePackage(
  system: System,
  actor: Actor,
  { documentId }: BuildEvidencePackage,
  print: Printing,
): Promise<EvidencePackage> {
  const { db, clock } = system
  const at = clock.now()
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  await authorizeOrRecord(db, actor, 'document.export-evidence', document, at, subject)
  const completed = await findCompleted(db, document)
  if (!completed) throw new Problem('wrong-state', `${documentId} is ${document.state}`)
  const scene = await load(system, document, completed, at)
  const files = await contents(system, scene, print)

  const { version } = scene
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at,
      action: 'document.downloaded',
      subject,
      details: { version: version.version, sha256: version.sha256, file: 'evidence' },
    }),
  )
  return {
    folio: document.folio,
    bytes: zipLength(files),
    stream: () =>
      Readable.toWeb(Readable.from(zipped(files, version.at))) as ReadableStream<Uint8Array>,
  }
}

type Scene = JudgedFile & {
  document: Document
  office: Office
  original: DocumentVersion
  /** The last complete one. */
  version: DocumentVersion
  isFurtherSigning: boolean
  constancia: Uint8Array | undefined
  constanciaState: ConstanciaState | null
  at: Instant
}

async function load(
  system: System,
  document: Document,
  { version, isFurtherSigning }: CompletedVersion,
  at: Instant,
): Promise<Scene> {
  const { db } = system
  const office = await findOffice(db, document.officeId)
  const original = await findVersion(db, document.id, 1)
  if (!office || !original) throw new Error(`${document.id} lost its office or a version`)
  const kept = await findConstanciaOverSignatures(db, document.id, version.version)
  const constancia = kept?.state === 'issued' ? (kept.answer ?? undefined) : undefined
  const judged = await judgeForEvidence(system, version, constancia, at)
  const constanciaState = kept?.state ?? null
  const about = { document, office, original, version, isFurtherSigning }
  return { ...judged, ...about, constancia, constanciaState, at }
}

async function contents(system: System, scene: Scene, print: Printing): Promise<ZipFile[]> {
  const { document, office, original, version, report, constanciaState, at } = scene
  const { isDemo, publicOrigin, logKey } = system.settings
  const sections = await sectionsOf(system, scene)
  const printed = print({
    document,
    version,
    office,
    report,
    constancia: constanciaState,
    verifiedAt: at,
  })
  const documents = [
    await storedFile(system, 'original.pdf', original.sha256),
    await storedFile(system, 'firmado.pdf', version.sha256),
  ]
  const ofLog = await logFiles(system, scene)
  const proofs: ProofFile[] = [
    { name: 'dictamen.json', bytes: utf8(printed.json) },
    { name: 'dictamen.pdf', bytes: await system.pdf.report(printed.text) },
    { name: 'hoja-de-evidencia.pdf', bytes: await sheetOf(system, scene) },
    ...sections.flatMap(({ files }) => files),
    ...(await presenceFiles(system, scene)),
    ...ofLog,
  ]
  const head = {
    folio: document.folio,
    office: office.name,
    address: verificationUrlOf(publicOrigin, document),
    made: formatInstant(at, office.timeZone),
    ...(ofLog.some(({ name }) => name.endsWith(SIGNED_LOG)) && {
      logKey: formatVerifierKey(logKey.verifier),
    }),
    isTest: isDemo || report.signatures.some(({ forTesting }) => forTesting),
  }
  proofs.unshift({ name: 'VERIFICAR.txt', bytes: utf8(instructions(head, sections)) })
  const sums = [
    ...documents.map(({ name, sha256: digest }) => `${digest}  ${name}\n`),
    ...proofs.map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`),
  ]
  proofs.unshift({ name: 'SHA256SUMS', bytes: utf8(sums.join('')) })
  return [...documents, ...proofs.map(heldFile)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The proof files of each signature of the document. */
async function sectionsOf(
  system: System,
  { policy, material, lists, report, constancia, office, at }: Scene,
): Promise<ProofSection[]> {
  const zone = office.timeZone
  const candidates = [...policy.candidates]
  const trusts = {
    signing: { anchors: policy.anchors, candidates },
    stamping: { anchors: [...policy.anchors, ...(policy.timestampAnchors ?? [])], candidates },
    zone,
    naming: PACKAGE_NAMES,
  }
  const signatures: ProvenSection[] = []
  for (const [index, said] of report.signatures.entries()) {
    const number = said.number ?? index + 1
    const one = material.signatures[number - 1]
    if (!one) continue
    // A file's author chooses the timestamps, and so the cost of their chains: other requests are served
    // between two signatures.
    const stamping = { ...trusts.stamping, checks: signatureChecks(MOST_CHECKS) }
    const subject = { number, material: one, report: said }
    signatures.push(...signatureSections(subject, { ...trusts, stamping }))
    await setImmediate()
  }
  const underRoot = { anchors: policy.constancias?.anchors ?? [], candidates }
  const ofConstancia =
    constancia &&
    report.constancia &&
    constanciaSection(
      constancia,
      {
        authority: providerText(report.constancia),
        revisionBytes: report.constancia.revisionBytes,
      },
      underRoot,
      zone,
    )
  const proven = [...signatures, ...(ofConstancia ? [ofConstancia] : [])]
  const chains = proven.flatMap((section) => section.chains)
  const answers = [...material.ocsp, ...(await keptAnswersAbout(system, chains))]
  const answered = revocationSections(chains, answers, zone)
  const listed = listSections(chains, {
    lists: [...lists, ...material.crls],
    candidates,
    ...{ now: at, zone, firstNumber: answered.length + 1 },
  })
  return [...proven, ...answered, ...listed]
}

async function sheetOf(system: System, { document, version }: Scene): Promise<Uint8Array> {
  return await system.pdf.evidenceSheet(await gatherSheetFacts(system, document, version))
}

async function presenceFiles(
  { db }: System,
  { document, version, isFurtherSigning }: Scene,
): Promise<ProofFile[]> {
  const file = await exportPresence(db, document.id, isFurtherSigning ? version.at : undefined)
  if (file.proofs.length === 0) return []
  return [{ name: 'presencia.json', bytes: utf8(`${JSON.stringify(file, null, 2)}\n`) }]
}

/** The document's events, and the proof that the log contains them; without those of a signing under way. */
async function logFiles(
  { db, settings }: System,
  { document: { id, officeId }, version, isFurtherSigning }: Scene,
): Promise<ProofFile[]> {
  const { verifier } = settings.logKey
  const all = await listLeaves(db, { officeId, subjectId: id }, { without: VIEWS })
  const leaves = isFurtherSigning ? all.filter((leaf) => !isOfLaterSigning(leaf, version)) : all
  const line = Buffer.from('\n')
  const proven = await proveLeaves(db, leaves, verifier)
  const file = (name: string, bytes: Uint8Array) => ({ name: `bitacora/${name}`, bytes })
  return [
    file('eventos.jsonl', Buffer.concat(leaves.flatMap(({ canonical }) => [canonical, line]))),
    file('hojas.txt', utf8(leaves.map((leaf) => `${leaf.leafHash}\n`).join(''))),
    ...(proven?.signed && proven.proofs.length > 0
      ? [
          file('clave.pem', utf8(verifier.key.export({ format: 'pem', type: 'spki' }).toString())),
          file('pruebas.tlog-proof', utf8(proven.proofs.map(formatInclusionProof).join(''))),
          file(SIGNED_LOG, utf8(proven.signed.note)),
        ]
      : []),
  ]
}

/** Whether the event is of the signing that adds signatures to the complete version. */
function isOfLaterSigning({ canonical }: StoredLeaf, { version, at }: DocumentVersion): boolean {
  const { event } = parseCanonicalEvent(canonical)
  const { version: about } = event.details
  if (!event.action.startsWith('signature.')) return typeof about === 'number' && about > version
  // A signature is prepared on the version before it.
  return typeof about === 'number' ? about >= version : event.at > at
}

const SIGNED_LOG = 'punto-de-control.txt'

const utf8 = (text: string) => new TextEncoder().encode(text)
