import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isRef } from '#server/domain/pdf/object.ts'
import { type ChangeFact, changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Comparison } from './comparison.ts'
import { exclusiveObjects } from './exclusive-objects.ts'
import { type Finding, type Judgement, knownAs, other } from './finding.ts'
import { numberOf } from './places.ts'
import { catalogNumber } from './trailer-rule.ts'

/** Judged elsewhere, or without any effect on what is seen. */
const OPEN_KEYS = new Set([
  'AcroForm',
  'DSS',
  'Extensions',
  'Metadata',
  'StructTreeRoot',
  'Version',
])

const CODES: Record<string, ChangeFact> = {
  Pages: changeFact('page-tree-replaced'),
  OpenAction: changeFact('open-action-changed'),
  AA: changeFact('document-actions-changed'),
  OCProperties: changeFact('layers-changed'),
  Names: changeFact('names-changed'),
  Perms: changeFact('permissions-changed'),
}

/**
 * The catalog may gain validation data (/DSS), developer extensions and a certification; its form, metadata and
 * structure are judged by their own rules, its other entries must stay.
 *
 * @see ETSI EN 319 142-1 V1.2.1, clause 5.4.2 and 5.6
 */
export function judgeCatalog(comparison: Comparison): Judgement {
  const { before, after, changed, isSame } = comparison
  const number = catalogNumber(comparison)
  const keys = new Set([...before.catalog.entries.keys(), ...after.catalog.entries.keys()])
  const findings: Finding[] = [...keys]
    .filter((key) => !OPEN_KEYS.has(key))
    .filter((key) => !isSame(before.catalog.entries.get(key), after.catalog.entries.get(key)))
    .filter((key) => !(key === 'Perms' && isOnlyCertified(comparison)))
    .map((key) => catalogChanged(number, key))
  const validationData = judgeValidationData(comparison)
  const extensions = after.catalog.entries.get('Extensions')
  const judged = new Set([number, ...validationData.judged])
  if (
    isRef(extensions) &&
    changed.has(extensions.number) &&
    !comparison.isShared(extensions.number)
  )
    judged.add(extensions.number)
  return { findings: [...findings, ...validationData.findings], judged }
}

/**
 * Some programs certify a document that has signatures, against the standard. It restricts what comes after the new
 * signature, which is judged with its field.
 *
 * @see ISO 32000-2:2020, 12.8.2.2.1 and table 263
 */
function isOnlyCertified({ before, after, reachBefore }: Comparison): boolean {
  const permissions = entriesOf(after.resolve(after.catalog.entries.get('Perms')))
  const certification = permissions.get('DocMDP')
  return (
    !before.catalog.entries.has('Perms') &&
    permissions.size === 1 &&
    isRef(certification) &&
    !reachBefore.roles.has(certification.number) &&
    formFields(after).some(({ value }) => numberOf(value) === certification.number)
  )
}

function catalogChanged(number: number, key: string): Finding {
  const known = Object.hasOwn(CODES, key) ? CODES[key] : undefined
  const finding = other(number, known ?? changeFact('catalog-entry-changed', { key }))
  return key === 'Pages' ? knownAs('trailer-or-catalog-swap', finding) : finding
}

function judgeValidationData(comparison: Comparison): Judgement {
  const { before, after, changed, isSame } = comparison
  const store = after.catalog.entries.get('DSS')
  const inside = exclusiveObjects(comparison, (document) => [document.catalog.entries.get('DSS')])
  const judged = new Set([...inside].filter((number) => changed.has(number)))
  if (judged.size === 0 && isSame(before.catalog.entries.get('DSS'), store))
    return { findings: [], judged }
  const object = isRef(store) ? store.number : catalogNumber(comparison)
  const isRemoved = entriesOf(after.resolve(store)).size === 0
  const fact = changeFact(isRemoved ? 'validation-data-removed' : 'validation-data-added')
  return { findings: [{ level: 'LTA_UPDATES', object, ...fact }], judged }
}
