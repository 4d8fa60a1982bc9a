import { listLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { AuditAction, type AuditEvent, parseCanonicalEvent } from '#server/domain/audit/event.ts'
import { formatInclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { ReportText } from '#server/domain/signing/report-paper.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import {
  checkpointName,
  instructions,
  keyName,
} from '#server/domain/verification/evidence-package/instructions.ts'
import type {
  ProofFile,
  ProofSection,
} from '#server/domain/verification/evidence-package/section.ts'
import type { ZipFile } from '#server/domain/verification/evidence-package/zip.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { proveLeaves } from '#server/steps/audit/prove-leaves.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { heldFile, storedFile } from '#server/steps/documents/stored-file.ts'
import { exportPresence } from '#server/steps/signing/export-presence.ts'
import type { System } from '#server/system.ts'
import { titleOfSection } from '#server/words/evidence-package.ts'
import { gatherSheetFacts } from './gather-sheet-facts.ts'
import type { JudgedFile } from './judge-for-evidence.ts'

/** The input of a printed verdict. */
type PrintedSubject = {
  document: Document
  version: DocumentVersion
  office: Office
  report: VerificationReport
  constancia: ConstanciaState | null
  verifiedAt: Instant
  leavesProtocol: boolean
}

/** The verdict in the words of the page, for the PDF, and as JSON for programs. */
export type Printing = (subject: PrintedSubject) => { text: ReportText; json: string }

/** All that the package is made from. */
export type PackageScene = JudgedFile & {
  document: Document
  office: Office
  original: DocumentVersion
  /** The last complete one. */
  version: DocumentVersion
  isFurtherSigning: boolean
  leavesProtocol: boolean
  constanciaState: ConstanciaState | null
  at: Instant
}

/** Left out: the package goes to third parties, who need not know who viewed the document. */
const VIEWS: readonly AuditEvent['action'][] = [
  'access.refused',
  'document.downloaded',
  'document.previewed',
  'document.verified',
  'document.viewed',
]

const EVIDENCE = AuditAction.options.filter((action) => !VIEWS.includes(action))

/** Of a document with more the package has the last ones, and says so. */
export const MOST_EVENTS = 5000

/** What the package is gathered with. */
type Gathering = Pick<
  System,
  'db' | 'clock' | 'settings' | 'blobs' | 'pdf' | 'trust' | 'revocation'
>

/** The files of the package, in the order of their names. */
export async function packageContents(
  system: Gathering,
  scene: PackageScene,
  print: Printing,
): Promise<ZipFile[]> {
  const { document, office, original, version, report, sections, constanciaState, at } = scene
  const { isDemo, publicOrigin } = system.settings
  const printed = print({
    document,
    version,
    office,
    report,
    constancia: constanciaState,
    verifiedAt: at,
    leavesProtocol: scene.leavesProtocol,
  })
  const documents = [
    await storedFile(system, 'original.pdf', { document, version: original }),
    await storedFile(system, 'firmado.pdf', { document, version }),
  ]
  const { files: ofLog, keys, isCut } = await logFiles(system, scene)
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
    address: publicAddressOf(publicOrigin, document)?.url ?? null,
    made: formatInstant(at, office.timeZone),
    logKeys: keys,
    ...(isCut && { mostEvents: MOST_EVENTS }),
    isTest: isDemo || report.signatures.some(({ forTesting }) => forTesting),
  }
  proofs.unshift({ name: 'VERIFICAR.txt', bytes: utf8(instructions(head, sections.map(worded))) })
  const sums = [
    ...documents.map(({ name, sha256: digest }) => `${digest}  ${name}\n`),
    ...proofs.map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`),
  ]
  proofs.unshift({ name: 'SHA256SUMS', bytes: utf8(sums.join('')) })
  return [...documents, ...proofs.map(heldFile)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const worded = (section: ProofSection) => ({ ...section, title: titleOfSection(section.title) })

async function sheetOf(
  system: Gathering,
  { document, version }: PackageScene,
): Promise<Uint8Array> {
  return await system.pdf.evidenceSheet(await gatherSheetFacts(system, document, version))
}

async function presenceFiles(
  { db }: Gathering,
  { document, version, isFurtherSigning }: PackageScene,
): Promise<ProofFile[]> {
  const file = await exportPresence(db, document.id, isFurtherSigning ? version.at : undefined)
  if (file.proofs.length === 0) return []
  return [{ name: 'presencia.json', bytes: utf8(`${JSON.stringify(file, null, 2)}\n`) }]
}

/** The document's events, and the proof that the log contains them; without those of a signing under way. */
async function logFiles(
  { db, settings }: Gathering,
  { document: { id, officeId }, version, isFurtherSigning }: PackageScene,
): Promise<{ files: ProofFile[]; keys: string[]; isCut: boolean }> {
  const found = await listLeaves(
    db,
    { officeId, subjectId: id },
    { actions: EVIDENCE, limit: MOST_EVENTS + 1 },
    turnTaker(),
  )
  const all = found.slice(-MOST_EVENTS)
  const leaves = isFurtherSigning ? all.filter((leaf) => !isOfLaterSigning(leaf, version)) : all
  const line = Buffer.from('\n')
  const proven = await proveLeaves(db, leaves, settings.logKeys)
  const trees = proven && proven.proofs.length > 0 ? proven.signed : []
  const file = (name: string, bytes: Uint8Array) => ({ name: `bitacora/${name}`, bytes })
  const files = [
    file('eventos.jsonl', Buffer.concat(leaves.flatMap(({ canonical }) => [canonical, line]))),
    file('hojas.txt', utf8(leaves.map((leaf) => `${leaf.leafHash}\n`).join(''))),
    ...(proven && trees.length > 0
      ? [file('pruebas.tlog-proof', utf8(proven.proofs.map(formatInclusionProof).join('')))]
      : []),
    ...trees.flatMap(({ verifier: { key }, note }, index) => [
      file(keyName(index), utf8(key.export({ format: 'pem', type: 'spki' }).toString())),
      file(checkpointName(index), utf8(note)),
    ]),
  ]
  const keys = trees.map(({ verifier }) => formatVerifierKey(verifier))
  return { files, keys, isCut: found.length > all.length }
}

/** Whether the event is of the signing that adds signatures to the complete version. */
function isOfLaterSigning({ canonical }: StoredLeaf, { version, at }: DocumentVersion): boolean {
  const { event } = parseCanonicalEvent(canonical)
  const { version: about } = event.details
  if (!event.action.startsWith('signature.')) return typeof about === 'number' && about > version
  // A signature is prepared on the version before it.
  return typeof about === 'number' ? about >= version : event.at > at
}

const utf8 = (text: string) => new TextEncoder().encode(text)
