import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isName, isRef } from '#server/domain/pdf/object.ts'
import type { Attack } from '#server/domain/verification/report.ts'
import type { Comparison } from './comparison.ts'
import { openValues } from './filled-appearance.ts'
import { type Finding, knownAs, other } from './finding.ts'
import { pagesOfObjects } from './page-of-object.ts'

/** What can be said, es-MX, about changed objects that no rule allows. */
export function describeChanges(comparison: Comparison, numbers: readonly number[]): Finding[] {
  if (numbers.length === 0) return []
  const wanted = new Set(numbers)
  const pages = pagesOfObjects(comparison.before, wanted)
  const names = new Map(
    formFields(comparison.before).flatMap((field) =>
      [field.ref, ...field.widgets].map((ref) => [ref?.number ?? 0, field.name] as const),
    ),
  )
  const inFields = objectsOfFields(comparison)
  return numbers.map((number) => {
    const page = pages.get(number)
    const finding = other(number, sentenceFor(comparison, number, page, names.get(number)), page)
    const attack = attackOf(comparison, number, inFields)
    return attack ? knownAs(attack, finding) : finding
  })
}

/** Undefined where only the whole of the changes says which attack it is. */
function attackOf(
  comparison: Comparison,
  number: number,
  inFields: ReadonlySet<number>,
): Attack | undefined {
  const { after, reachBefore, isShared } = comparison
  const roles = reachBefore.roles.get(number) ?? new Set()
  const type = typeOf(comparison, number)
  if (inFields.has(number) && isShared(number)) return 'sneaky-sharing'
  if (type === 'Font' || type === 'FontDescriptor' || isFontFile(roles)) return 'shadow-replace'
  const isGone = (after.object(number)?.value ?? null) === null
  const isSeen = type === 'XObject' || type === 'Annot' || isSeenAs(roles)
  return isGone && isSeen ? 'shadow-hide' : undefined
}

const isSeenAs = (roles: ReadonlySet<string>) =>
  ['XObject', 'Annots', 'Contents'].some((key) => roles.has(key))

/** What the values and appearances of fields lead to, then or now. */
function objectsOfFields({ before, after, spend }: Comparison): Set<number> {
  const found = new Set<number>()
  for (const document of [before, after]) {
    const seen = new Set<number>()
    const waiting = formFields(document).flatMap((field) => openValues(document, field))
    for (let value = waiting.pop(); waiting.length > 0 || value; value = waiting.pop()) {
      spend(1)
      if (isRef(value)) {
        if (seen.has(value.number)) continue
        seen.add(value.number)
        found.add(value.number)
        waiting.push(document.resolve(value))
      } else if (isArray(value)) waiting.push(...value.items)
      // A field that is signed leads to its signature, which leads nowhere else.
      else for (const [key, item] of entriesOf(value)) if (key !== 'Data') waiting.push(item)
    }
  }
  return found
}

function sentenceFor(
  comparison: Comparison,
  number: number,
  page: number | undefined,
  field: string | undefined,
): string {
  const { before, after, reachBefore } = comparison
  const roles = reachBefore.roles.get(number) ?? new Set()
  const type = typeOf(comparison, number)
  const where = page === undefined ? '' : ` de la página ${page}`
  if (field !== undefined) return `Se cambió el campo «${field}» del formulario.`
  if (roles.has('Contents') && page !== undefined) return `Se cambió el contenido${where}.`
  if (type === 'Pages')
    return hasSameKids(comparison, number)
      ? 'Se cambiaron datos que comparten varias páginas.'
      : 'Se agregaron, quitaron o reordenaron páginas.'
  if (type === 'Font' || type === 'FontDescriptor' || isFontFile(roles))
    return `Se cambió una fuente que usa el texto${where || ' del documento'}.`
  if (type === 'Annot') return `Se cambió una anotación${where}.`
  if (type === 'XObject' || roles.has('XObject'))
    return `Se cambió una imagen o figura${where || ' del documento'}.`
  if (type === 'Sig' || entriesOf(before.object(number)?.value).has('ByteRange'))
    return 'Se cambió una firma anterior.'
  if (roles.has('Info') || roles.has('Metadata')) return 'Se cambiaron los metadatos del documento.'
  if (!after.object(number)) return `Se quitó el objeto ${number}${where}, que la firma cubre.`
  if (!before.object(number))
    return `Se definió el objeto ${number}${where}, que la firma dejó sin definir.`
  return `Se cambió el objeto ${number}${where}, que la firma cubre.`
}

function hasSameKids({ before, after, isSame }: Comparison, number: number): boolean {
  const [old, now] = [before, after].map((document) => entriesOf(document.object(number)?.value))
  return ['Kids', 'Count'].every((key) => isSame(old?.get(key), now?.get(key)))
}

const isFontFile = (roles: ReadonlySet<string>) =>
  ['FontFile', 'FontFile2', 'FontFile3', 'ToUnicode', 'Encoding'].some((key) => roles.has(key))

function typeOf({ before, after }: Comparison, number: number): string {
  const type = before.resolve(
    entriesOf(before.object(number)?.value ?? after.object(number)?.value).get('Type'),
  )
  return isName(type) ? type.value : ''
}
