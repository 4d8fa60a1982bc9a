import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isName } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, other } from './finding.ts'
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
  return numbers.map((number) => {
    const page = pages.get(number)
    return other(number, sentenceFor(comparison, number, page, names.get(number)), page)
  })
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
  if (type === 'Pages') return 'Se agregaron, quitaron o reordenaron páginas.'
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

const isFontFile = (roles: ReadonlySet<string>) =>
  ['FontFile', 'FontFile2', 'FontFile3', 'ToUnicode', 'Encoding'].some((key) => roles.has(key))

function typeOf({ before, after }: Comparison, number: number): string {
  const type = before.resolve(
    entriesOf(before.object(number)?.value ?? after.object(number)?.value).get('Type'),
  )
  return isName(type) ? type.value : ''
}
