import { contentOperations } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { type FontText, fontTextOf } from '#server/domain/pdf/font-text.ts'
import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isArray,
  isName,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'

const MAX_APPEARANCE = 1 << 20
/** Appearances are put into each other: text around a border around a background. */
const MAX_DEPTH = 5

/**
 * The text that an appearance shows, in the order in which it is drawn; undefined when some of it cannot
 * be told: a picture, a font without a key.
 */
export function shownText(document: PdfDocument, appearance: PdfStream): string | undefined {
  try {
    return textOf(document, appearance, 0)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

function textOf(document: PdfDocument, form: PdfStream, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  const resources = entriesOf(document.resolve(form.dictionary.entries.get('Resources')))
  const fonts = new Map<string, FontText>()
  let read: FontText | undefined
  let shown = ''
  for (const { operator, operands } of contentOperations(document.decoded(form, MAX_APPEARANCE))) {
    if (operator === 'BI') return undefined
    const [name] = operands
    if (operator === 'Tf' && isName(name)) {
      read = fonts.get(name.value) ?? fontTextOf(document, fontNamed(document, resources, name))
      fonts.set(name.value, read)
    }
    const more =
      operator === 'Do'
        ? drawnText(document, resources, operands[0], depth)
        : stringsOf(operator, operands).reduce<string | undefined>((text, bytes) => {
            const own = read?.(bytes)
            return text === undefined || own === undefined ? undefined : text + own
          }, '')
    if (more === undefined) return undefined
    shown += more
  }
  return shown
}

function stringsOf(operator: string, operands: readonly PdfObject[]): Uint8Array[] {
  if (!['Tj', 'TJ', "'", '"'].includes(operator)) return []
  const last = operands.at(-1)
  return (isArray(last) ? last.items : [last]).filter(isString).map(({ bytes }) => bytes)
}

/** The font that an instruction of an appearance names: its own, else that of the form. */
export function fontNamed(
  document: PdfDocument,
  resources: ReadonlyMap<string, PdfObject>,
  name: PdfObject | undefined,
): PdfObject | undefined {
  if (!isName(name)) return undefined
  const own = entriesOf(document.resolve(resources.get('Font'))).get(name.value)
  if (own !== undefined) return own
  const shared = entriesOf(document.resolve(acroFormOf(document)?.entries.get('DR')))
  return entriesOf(document.resolve(shared.get('Font'))).get(name.value)
}

/** Lines are broken where they must, and letters drawn one by one: texts are compared without their spaces. */
export const plain = (text: string) => text.normalize('NFKC').replace(/[\s\u200b\u00ad]+/gu, '')

function drawnText(
  document: PdfDocument,
  resources: ReadonlyMap<string, PdfObject>,
  name: PdfObject | undefined,
  depth: number,
): string | undefined {
  const objects = entriesOf(document.resolve(resources.get('XObject')))
  const drawn = document.resolve(isName(name) ? objects.get(name.value) : null)
  if (drawn === null) return ''
  const isForm = isStream(drawn) && isNamed(drawn.dictionary.entries.get('Subtype'), 'Form')
  return isForm ? textOf(document, drawn, depth + 1) : undefined
}
