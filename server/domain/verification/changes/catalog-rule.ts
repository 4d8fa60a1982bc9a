import { entriesOf, isRef } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { exclusiveObjects } from './exclusive-objects.ts'
import { type Finding, type Judgement, knownAs, other } from './finding.ts'
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

const SENTENCES: Record<string, string> = {
  Pages: 'Se sustituyeron las páginas del documento.',
  OpenAction: 'Se cambió lo que el documento hace al abrirse.',
  AA: 'Se cambió lo que el documento hace por sí mismo.',
  OCProperties: 'Se cambiaron las capas que el documento muestra u oculta.',
  Names: 'Se cambiaron los nombres, archivos adjuntos o programas del documento.',
  Perms: 'Se cambiaron los permisos del documento.',
}

/**
 * The catalog may gain validation data (/DSS) and developer extensions; its form, metadata and
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

function catalogChanged(number: number, key: string): Finding {
  const sentence = SENTENCES[key] ?? `Se cambió la entrada «${key}» del catálogo del documento.`
  const finding = other(number, sentence)
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
  const sentence =
    entriesOf(after.resolve(store)).size === 0
      ? 'Se quitaron datos de validación (DSS).'
      : 'Se agregaron datos de validación (DSS).'
  return { findings: [{ level: 'LTA_UPDATES', object, sentence }], judged }
}
