import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { prefixSource } from '#server/domain/pdf/prefix.ts'
import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import type { FieldLock } from '#server/domain/pdf/signature-permissions.ts'
import { changeFact, isDoubtful } from '#server/domain/verification/codes/change-codes.ts'
import { type Change, MODIFICATION_LEVELS } from '#server/domain/verification/report.ts'
import { withAttackNames } from './attack-names.ts'
import { judgeCatalog } from './catalog-rule.ts'
import { type Comparison, compareDocuments } from './comparison.ts'
import { describeChanges } from './describe-change.ts'
import { judgeFields } from './field-rule.ts'
import type { Finding, Judgement } from './finding.ts'
import { judgeFontLists } from './font-list-rule.ts'
import { judgeForm } from './form-rule.ts'
import { judgeMetadata } from './metadata-rule.ts'
import { judgePages } from './page-rule.ts'
import { judgePageTree } from './page-tree-rule.ts'
import { judgeStructure } from './structure-rule.ts'
import { judgeTrailer } from './trailer-rule.ts'

/** What of a signature decides which changes it allows. */
export type SignedPart = Pick<SignatureDictionary, 'byteRange' | 'locks'>

/** As many as a person reads; one more says how many there are. */
export const MAX_CHANGES = 50

/**
 * What later revisions did to the document that was signed. The signed bytes are read as a file of their
 * own, as the signer's program read them, and compared with what readers show today: every object that the
 * signed document leads to and that means something else now is explained by a rule or counts as OTHER.
 * What was only added needs no rule of its own: it can be seen only through something that changed.
 *
 * @param document the latest state of the file
 * @param revision which revision was signed, from 0
 * @returns `signed`: the document as it was signed
 * @throws {PdfError} when one of the two documents cannot be read
 */
export function changesAfter(
  document: PdfDocument,
  revision: number,
  signature: SignedPart,
): { changes: Change[]; signed: PdfDocument } {
  const signedEnd = signedEndOf(signature) ?? document.revisions[revision]!.end
  const signed = readDocument(prefixSource(document.source, signedEnd))
  const comparison = compareDocuments(signed, document)
  const findings = findingsOf(comparison, signature.locks)
  const changes = limited(findings, (finding) => changeOf(document, revision, finding))
  return { changes, signed }
}

function signedEndOf({ byteRange }: SignedPart): number | undefined {
  const [, , start, length] = byteRange ?? []
  return typeof start === 'number' && typeof length === 'number' ? start + length : undefined
}

function findingsOf(comparison: Comparison, locks: readonly FieldLock[]): Finding[] {
  const form = judgeForm(comparison)
  const judgements: Judgement[] = [
    judgeTrailer(comparison),
    judgeCatalog(comparison),
    form,
    judgePages(comparison, form.newFields),
    judgePageTree(comparison),
    judgeFields(comparison, locks),
    judgeFontLists(comparison),
    judgeMetadata(comparison),
    judgeStructure(comparison, form.newFields),
  ]
  const judged = new Set(judgements.flatMap((judgement) => [...judgement.judged]))
  const unexplained = [...comparison.changed].filter((number) => !judged.has(number))
  return withAttackNames(comparison, [
    ...judgements.flatMap((judgement) => judgement.findings),
    ...describeChanges(comparison, unexplained),
  ])
}

function changeOf(document: PdfDocument, revision: number, finding: Finding): Change {
  const { object } = finding
  const last = document.revisions.findLastIndex(
    ({ entries }) => object !== 'trailer' && entries.has(object),
  )
  return {
    ...finding,
    revision: Math.max(last, revision + 1) + 1,
    object: object === 'trailer' ? object : `${object} ${generationOf(document, object)}`,
  }
}

const generationOf = (document: PdfDocument, number: number) =>
  document.object(number)?.generation ?? 0

/** The worst of them as changes, and the worst of each kind: the verdict follows from the list. */
function limited(findings: readonly Finding[], changeOf: (finding: Finding) => Change): Change[] {
  if (findings.length <= MAX_CHANGES) return findings.map(changeOf)
  const worst = findings.toSorted((a, b) => rank(b) - rank(a))
  const firsts = new Map(worst.toReversed().map((finding) => [kindOf(finding), finding]))
  const listed = new Set([...new Set([...firsts.values(), ...worst])].slice(0, MAX_CHANGES))
  const [rest] = worst.filter((finding) => !listed.has(finding))
  const { revision, level, object } = changeOf(rest!)
  const more = changeFact('more-changes', { count: worst.length - MAX_CHANGES })
  return [
    ...worst.filter((finding) => listed.has(finding)).map(changeOf),
    { revision, level, object, ...more },
  ]
}

const rank = ({ level, code, breaksLock }: Finding) =>
  2 * MODIFICATION_LEVELS.indexOf(level) + (breaksLock || isDoubtful(code) ? 1 : 0)

/** What decides about a signature: the level, whether that breaks a lock, and a doubt whatever is allowed. */
const kindOf = ({ level, code, breaksLock }: Finding) =>
  [level, breaksLock === true, isDoubtful(code) && code].join(' ')
