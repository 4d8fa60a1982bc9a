import { latin1 } from '#server/domain/pdf/characters.ts'
import { contentOperations } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isNamed,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { isPlainlyCoded, MAX_CONTENT } from './content-coding.ts'
import { fontNamed } from './named-fonts.ts'
import { hasItsOperands, isOperator } from './operands.ts'

/** Whether readers draw a look nowhere but in its place: `doubtful` where some may find other instructions in it. */
export type ReachOut = 'none' | 'doubtful' | 'sure'

type Resources = ReadonlyMap<string, PdfObject>
type Content = { stream: PdfStream; around: readonly Resources[] }

/** The streams of one look. */
const MOST_STREAMS = 64

/**
 * Looks through all instructions that a look is made of. A state that is restored and was not saved is that of the page
 * in pdf.js: what follows is drawn anywhere. PDFium does not keep letters made by instructions in their place.
 */
export function reachOutOf(document: PdfDocument, look: PdfStream): ReachOut {
  const waiting: Content[] = [{ stream: look, around: [] }]
  const seen = new Set<PdfStream>([look])
  let reach: ReachOut = 'none'
  for (let content = waiting.pop(); content; content = waiting.pop()) {
    const { found, inside } = instructionsOf(document, content)
    if (found === 'sure' || seen.size > MOST_STREAMS) return 'sure'
    if (found === 'doubtful') reach = 'doubtful'
    for (const one of inside)
      if (!seen.has(one.stream)) {
        seen.add(one.stream)
        waiting.push(one)
      }
  }
  return reach
}

function instructionsOf(
  document: PdfDocument,
  { stream, around }: Content,
): { found: ReachOut; inside: Content[] } {
  const own = entriesOf(document.resolve(stream.dictionary.entries.get('Resources')))
  const resources = [own, ...around]
  const inside: Content[] = []
  let found: ReachOut = isPlainlyCoded(document, stream) ? 'none' : 'doubtful'
  let saved = 0
  try {
    const data = document.decoded(stream, MAX_CONTENT)
    for (const operation of contentOperations(data)) {
      const { operator, operands } = operation
      if (operator === 'q') saved++
      if (operator === 'Q' && saved-- === 0) return { found: 'sure', inside: [] }
      if (operator === 'BI') {
        if (!endsWithImage(latin1(data), saved)) found = 'doubtful'
      } else if (!isOperator(operator) || !hasItsOperands(operation)) found = 'doubtful'
      if (operator === 'Tf' && isDrawnFont(document, resources, operands[0])) found = 'doubtful'
      for (const one of streamsOf(document, resources, operator, operands))
        inside.push({ stream: one, around: resources })
    }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    found = 'doubtful'
  }
  return { found, inside }
}

function isDrawnFont(document: PdfDocument, resources: readonly Resources[], name?: PdfObject) {
  return resources.some((own) => {
    const font = entriesOf(document.resolve(fontNamed(document, own, name)))
    return isNamed(document.resolve(font.get('Subtype')), 'Type3')
  })
}

/** Forms, patterns and masks that an instruction draws. */
function streamsOf(
  document: PdfDocument,
  resources: readonly Resources[],
  operator: string,
  operands: readonly PdfObject[],
): PdfStream[] {
  const kind = Object.hasOwn(KINDS, operator) ? KINDS[operator] : undefined
  const last = operands.at(-1)
  if (!kind || typeof last !== 'object' || last?.kind !== 'name') return []
  return resources.flatMap((own) => {
    const object = document.resolve(entriesOf(document.resolve(own.get(kind))).get(last.value))
    if (kind !== 'ExtGState') return isStream(object) && !isImage(document, object) ? [object] : []
    const mask = entriesOf(document.resolve(entriesOf(object).get('SMask')))
    const group = document.resolve(mask.get('G'))
    return isStream(group) ? [group] : []
  })
}

const KINDS: Record<string, string> = {
  Do: 'XObject',
  scn: 'Pattern',
  SCN: 'Pattern',
  gs: 'ExtGState',
}

const isImage = (document: PdfDocument, { dictionary: { entries } }: PdfStream) =>
  isNamed(document.resolve(entries.get('Subtype')), 'Image')

/**
 * Whether no more states are restored behind an inline image than are saved, wherever a reader takes its data to end:
 * `EI` may be anywhere, and instructions need no space between them.
 */
function endsWithImage(content: string, saved: number): boolean {
  const begin = content.search(/(?:^|[\s\]>)])BI[\s/]/)
  const image = content.slice(begin)
  const [head = ''] = /^[\s\S]*?ID\s/.exec(image) ?? []
  // Readers look for the end of such data in another way.
  if (/A85|AHx|DCT|ASCII/.test(head)) return false
  const end = image.search(/EI[\s]/)
  if (head === '' || end < 0) return false
  let left = saved
  for (const letter of image.slice(end + 2)) {
    if (letter === 'q') left++
    if (letter === 'Q' && left-- === 0) return false
  }
  return true
}
