import { formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isName, isRef } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { type ChangeFact, changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Attack } from '#server/domain/verification/report.ts'
import type { Comparison } from './comparison.ts'
import { openValues } from './filled-appearance.ts'
import { type Finding, knownAs, other } from './finding.ts'
import { pagesOfObjects } from './page-of-object.ts'

/** What can be said about changed objects that no rule allows. */
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
    const finding = other(number, factAbout(comparison, number, page, names.get(number)), page)
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
      } else if (isArray(value)) for (const item of value.items) waiting.push(item)
      // A field that is signed leads to its signature, which leads nowhere else.
      else for (const [key, item] of entriesOf(value)) if (key !== 'Data') waiting.push(item)
    }
  }
  return found
}

function factAbout(
  comparison: Comparison,
  number: number,
  page: number | undefined,
  field: string | undefined,
): ChangeFact {
  const { before, after, reachBefore } = comparison
  const roles = reachBefore.roles.get(number) ?? new Set()
  const type = typeOf(comparison, number)
  const onPage = { page: page ?? null }
  const object = { object: number, ...onPage }
  if (field !== undefined) return changeFact('field-changed', { field })
  if (roles.has('Contents') && page !== undefined)
    return changeFact('page-content-replaced', { page })
  if (type === 'Pages')
    return hasSameKids(comparison, number)
      ? changeFact('shared-page-data-changed')
      : changeFact(changeOfPages(comparison))
  if (type === 'Font' || type === 'FontDescriptor' || isFontFile(roles))
    return changeFact('font-changed', onPage)
  if (type === 'Annot') return changeFact('annotation-changed', onPage)
  if (type === 'XObject' || roles.has('XObject')) return changeFact('picture-changed', onPage)
  if (type === 'Sig' || entriesOf(before.object(number)?.value).has('ByteRange'))
    return changeFact('earlier-signature-changed')
  if (roles.has('Info') || roles.has('Metadata')) return changeFact('metadata-changed')
  if (!after.object(number)) return changeFact('object-removed', object)
  if (!before.object(number)) return changeFact('object-defined', object)
  return changeFact('object-changed', object)
}

/** What became of the pages, whatever the tree says about them. */
function changeOfPages({ before, after }: Comparison) {
  const [old, now] = [before, after].map((document) =>
    pagesOf(document).map(({ ref }) => ref?.number ?? 0),
  ) as [number[], number[]]
  const isAdded = now.some((page) => !old.includes(page)) || now.length > old.length
  const isRemoved = old.some((page) => !now.includes(page)) || now.length < old.length
  if (isAdded) return isRemoved ? 'pages-exchanged' : 'pages-added'
  if (isRemoved) return 'pages-removed'
  return now.every((page, at) => page === old[at]) ? 'page-tree-changed' : 'pages-reordered'
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
