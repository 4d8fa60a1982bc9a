import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf, formFields } from '#server/domain/pdf/form-fields.ts'
import { isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { type ChangeFact, changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { addedItems } from './added-items.ts'
import type { Comparison } from './comparison.ts'
import { withCover } from './cover/signature-cover.ts'
import { isPlainDefault } from './default-appearance.ts'
import { type Finding, type Judgement, knownAs, other } from './finding.ts'
import { isOnlyExtended } from './form-resources.ts'
import { catalogNumberIn, numberOf } from './places.ts'
import type { EdgeFilter } from './reach.ts'
import { type NewSignatureField, newSignatureField } from './signature-field-rule.ts'
import { catalogNumber } from './trailer-rule.ts'

export type FormJudgement = Judgement & {
  readonly newFields: readonly NewSignatureField[]
}

/** Judged item by item, or bookkeeping of the signatures. */
const OPEN_KEYS = new Set(['Fields', 'SigFlags'])
/**
 * The form may gain signature fields; the fields that were signed must stay, in their order.
 *
 * @see ISO 32000-2:2020, 12.7.3
 */
export function judgeForm(comparison: Comparison): FormJudgement {
  const { before, after, isSame } = comparison
  const number = catalogNumber(comparison)
  const old = acroFormOf(before)?.entries ?? new Map<string, PdfObject>()
  const now = acroFormOf(after)?.entries ?? new Map<string, PdfObject>()
  const keys = [...new Set([...old.keys(), ...now.keys()])]
  const findings: Finding[] = keys
    .filter((key) => !OPEN_KEYS.has(key))
    .filter((key) => key === 'DR' || !isSame(old.get(key), now.get(key)))
    .filter((key) => !(key === 'DA' && !old.has(key) && isPlainDefault(comparison, now.get(key))))
    // Readers stop drawing the fields anew and show what was signed.
    .filter((key) => !(key === 'NeedAppearances' && after.resolve(now.get(key)) !== true))
    .filter((key) => !(key === 'DR' && isOnlyExtended(comparison, old.get(key), now.get(key))))
    .map((key) => other(number, changeFact('form-entry-changed', { key })))

  const fields = addedItems(
    before.resolve(old.get('Fields')),
    after.resolve(now.get('Fields')),
    isSame,
  )
  if (fields.isRearranged) findings.push(other(number, changeFact('fields-removed-or-reordered')))
  const names = new Set(formFields(before).map(({ name }) => name))
  const newFields = fields.added.flatMap((item) => acceptedField(comparison, item, names) ?? [])
  const accepted = new Set(newFields.map((field) => field.number))
  for (const item of fields.added)
    if (!isRef(item) || !accepted.has(item.number))
      findings.push(other(isRef(item) ? item.number : number, changeFact('field-added')))

  return {
    findings: [
      ...findings,
      ...newFields.map((field) =>
        field.kind === 'empty' && field.isHidden
          ? findingOf(field)
          : withCover(comparison, findingOf(field), field),
      ),
    ],
    judged: judgedObjects(comparison, old),
    newFields,
  }
}

/** The form, its resources and its list of fields, where they are objects that nothing else uses. */
function judgedObjects(comparison: Comparison, form: ReadonlyMap<string, PdfObject>): Set<number> {
  const { before, changed } = comparison
  const parts = [before.catalog.entries.get('AcroForm'), form.get('Fields'), form.get('DR')]
  const numbers = parts.map(numberOf).filter((number) => changed.has(number))
  if (numbers.length === 0) return new Set()
  const besides = comparison.changedBesides(formParts)
  return new Set(numbers.filter((number) => !besides.has(number)))
}

/** The form of the catalog, its list of fields and its resources. */
function formParts(document: PdfDocument): EdgeFilter {
  const catalog = catalogNumberIn(document)
  const form = numberOf(document.catalog.entries.get('AcroForm'))
  return (number, path) =>
    (number === catalog && CATALOG_PATHS.has(path)) || (number === form && FORM_PATHS.has(path))
}

const FORM_PATHS = new Set(['Fields', 'DR'])
const CATALOG_PATHS = new Set(['AcroForm', 'AcroForm/Fields', 'AcroForm/DR'])

function acceptedField(
  comparison: Comparison,
  item: PdfObject,
  takenNames: ReadonlySet<string>,
): NewSignatureField | undefined {
  const { reachBefore } = comparison
  const field = newSignatureField(comparison, item)
  if (!field) return undefined
  // A signature dressed up as something that the signed document already showed.
  const isOld = [field.number, ...field.widgets].some((number) => reachBefore.roles.has(number))
  return isOld || takenNames.has(field.name) ? undefined : field
}

function findingOf(field: NewSignatureField): Finding {
  const object = field.number
  const added = { field: field.name, visible: field.isVisible, page: field.page ?? null }
  switch (field.kind) {
    case 'document-timestamp':
      return {
        level: field.isVisible ? 'FORM_FILLING' : 'LTA_UPDATES',
        object,
        ...changeFact('document-timestamp-added', added),
      }
    case 'signature':
      return {
        level: 'FORM_FILLING',
        object,
        ...changeFact('signature-added', added),
      }
    case 'empty':
      return emptyField(field, changeFact('empty-signature-field-added', added))
  }
}

/** What an unsigned field shows is covered by no signature. */
const emptyField = ({ number, isVisible }: NewSignatureField, fact: ChangeFact): Finding =>
  isVisible
    ? knownAs('overlay-by-annotation', other(number, fact))
    : { level: 'FORM_FILLING', object: number, ...fact }
