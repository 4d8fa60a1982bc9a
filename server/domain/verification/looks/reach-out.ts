import {
  type ContentOperation,
  contentOperations,
  MAX_OPERATIONS_OF_SEAL,
} from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isDictionary,
  isName,
  isNamed,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { isPlainlyCoded, MAX_CONTENT } from './content-coding.ts'
import { endsOfImages, hasPlainEnd } from './inline-images.ts'
import { fontNamed, namesAlike } from './named-fonts.ts'
import { hasItsOperands, isOperator } from './operands.ts'
import { namesOfPages } from './page-names.ts'

/** Whether readers draw a look nowhere but in its place: `doubtful` where some may find other instructions in it. */
export type ReachOut = 'none' | 'doubtful' | 'sure'

type Resources = ReadonlyMap<string, PdfObject>
type Content = { stream: PdfStream; around: readonly Resources[] }

/** Of one annotation, those counted anew that have other resources each time. */
const MOST_STREAMS = 64

/**
 * Looks through all instructions that a look is made of. A state that is restored and was not saved is that of the page
 * in pdf.js: what follows is drawn anywhere. PDFium does not keep letters made by instructions in their place.
 */
export const reachOutOf = (document: PdfDocument, look: PdfStream): ReachOut =>
  document.once(reachOfLooks)(look)

/** Of several looks, of which readers draw one or another. */
export function reachOutOfAny(document: PdfDocument, looks: readonly PdfStream[]): ReachOut {
  const [first] = looks
  return first && looks.length === 1 ? reachOutOf(document, first) : reachOfAll(document, looks)
}

/** Two rules ask for the reach of a note's look, and many signatures may have one look. For `once`. */
function reachOfLooks(document: PdfDocument): (look: PdfStream) => ReachOut {
  const known = new WeakMap<PdfStream, ReachOut>()
  return (look) => {
    const reach = known.get(look) ?? reachOfAll(document, [look])
    known.set(look, reach)
    return reach
  }
}

function reachOfAll(document: PdfDocument, looks: readonly PdfStream[]): ReachOut {
  const waiting: Content[] = looks.map((stream) => ({ stream, around: [] }))
  const seen = new Set<PdfStream>()
  let [reach, read]: [ReachOut, number] = ['none', 0]
  for (let content = waiting.pop(); content; content = waiting.pop()) {
    if (seen.has(content.stream)) continue
    if (read++ === MOST_STREAMS) return 'doubtful'
    const { found, inside } = instructionsOf(document, content)
    if (found === 'sure') return 'sure'
    if (found === 'doubtful') reach = 'doubtful'
    if (hasResources(document, content.stream)) seen.add(content.stream)
    for (const one of inside) waiting.push(one)
  }
  return reach
}

/** Names mean the same wherever it is drawn; without resources of its own, what they mean around it. */
const hasResources = (document: PdfDocument, { dictionary }: PdfStream) =>
  isDictionary(document.resolve(dictionary.entries.get('Resources')))

function instructionsOf(
  document: PdfDocument,
  { stream, around }: Content,
): { found: ReachOut; inside: Content[] } {
  const own = entriesOf(document.resolve(stream.dictionary.entries.get('Resources')))
  const resources = [own, ...around]
  const drawn = new Set<PdfStream>()
  let found: ReachOut
  try {
    const data = document.decoded(stream, MAX_CONTENT)
    found = reachOfInstructions({ document, resources, data, drawn })
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    found = 'doubtful'
  }
  if (found === 'none' && !isPlainlyCoded(document, stream)) found = 'doubtful'
  return { found, inside: [...drawn].map((one) => ({ stream: one, around: resources })) }
}

/** The instructions of one stream. */
type Instructions = {
  readonly document: PdfDocument
  readonly resources: readonly Resources[]
  readonly data: Uint8Array
  /** Forms, patterns and masks that they draw. */
  readonly drawn: Set<PdfStream>
}

/** Readers do not agree about where the data of an inline image ends. */
function reachOfInstructions(instructions: Instructions): ReachOut {
  const { reach, image } = reachFrom(instructions, { start: 0, saved: 0 })
  if (reach === 'sure' || !image) return reach
  return isBoundBehind(instructions, image) ? reach : 'doubtful'
}

/** A place in the data, and how many states are saved there. */
type Place = { readonly start: number; readonly saved: number }

/** The instructions up to the next inline image, if there is one. */
function reachFrom(
  { document, resources, data, drawn }: Instructions,
  { start, saved }: Place,
): { reach: ReachOut; image?: Place } {
  let [reach, left]: [ReachOut, number] = ['none', saved]
  for (const operation of contentOperations(data, start, MAX_OPERATIONS_OF_SEAL)) {
    const { operator, operands, end } = operation
    if (operator === 'BI') return { reach, image: { start: end, saved: left } }
    if (operator === 'q') left++
    if (operator === 'Q' && left-- === 0) return { reach: 'sure' }
    if (!isOperator(operator) || !hasItsOperands(operation)) reach = 'doubtful'
    if (operator === 'Tf' && isDrawnFont(document, resources, operands[0])) reach = 'doubtful'
    if (operator === 'gs' && setsFont(document, resources, operands[0])) reach = 'doubtful'
    if (isOfPage(document, resources, operation)) reach = 'doubtful'
    for (const one of streamsOf(document, resources, operator, operands)) drawn.add(one)
  }
  return { reach }
}

/** Of each byte: to read instructions takes longer than to look for a word. */
const COST_OF_INSTRUCTIONS = 2

/** Whether nothing behind an inline image is drawn elsewhere, wherever a reader takes its data to end. */
function isBoundBehind(instructions: Instructions, first: Place): boolean {
  const { document, data } = instructions
  const images = [first]
  let isEnded = false
  for (const start of endsOfImages(data).filter((end) => end > first.start)) {
    document.meter.spend(COST_OF_INSTRUCTIONS * (data.length - start))
    // Of the images that may end here, the one with the fewest states.
    const open = images.filter((image) => image.start < start)
    const saved = Math.min(...open.map((image) => image.saved))
    const { reach, image } = reachFrom(instructions, { start, saved })
    if (reach !== 'none') return false
    if (image) images.push(image)
    isEnded = true
  }
  return isEnded && images.every(({ start }) => hasPlainEnd(data, start))
}

function isDrawnFont(document: PdfDocument, resources: readonly Resources[], name?: PdfObject) {
  return resources.some((own) => {
    const font = entriesOf(document.resolve(fontNamed(document, own, name)))
    return isNamed(document.resolve(font.get('Subtype')), 'Type3')
  })
}

/** Whether parameters choose a font: readers differ in how they find it. @see ISO 32000-2:2020, table 57, entry "Font" */
const setsFont = (document: PdfDocument, resources: readonly Resources[], name?: PdfObject) =>
  isName(name) &&
  resources.some((own) => {
    const states = entriesOf(document.resolve(own.get('ExtGState')))
    const parameters = entriesOf(document.resolve(states.get(name.value)))
    return document.resolve(parameters.get('Font')) !== null
  })

/** Whether some readers take what an instruction names from the page, because the look has nothing of this name. */
function isOfPage(
  document: PdfDocument,
  resources: readonly Resources[],
  { operator, operands }: ContentOperation,
): boolean {
  const kind = kindOf(operator)
  const name = operands.find(isName)
  if (!kind || !name) return false
  const isOwn = resources.some((own) => entriesOf(document.resolve(own.get(kind))).has(name.value))
  if (isOwn || !document.once(namesOfPages)(kind, name.value)) return false
  // All readers find the fonts of the form.
  return kind !== 'Font' || !document.once(namesAlike)(name)
}

/** Forms, patterns and masks that an instruction draws. */
function streamsOf(
  document: PdfDocument,
  resources: readonly Resources[],
  operator: string,
  operands: readonly PdfObject[],
): PdfStream[] {
  const kind = kindOf(operator)
  const last = operands.at(-1)
  // The last operand of Tf is a number.
  if (!kind || !isName(last)) return []
  return resources.flatMap((own) => {
    const object = document.resolve(entriesOf(document.resolve(own.get(kind))).get(last.value))
    if (kind !== 'ExtGState') return isStream(object) && !isImage(document, object) ? [object] : []
    const mask = entriesOf(document.resolve(entriesOf(object).get('SMask')))
    const group = document.resolve(mask.get('G'))
    return isStream(group) ? [group] : []
  })
}

const kindOf = (operator: string) => (Object.hasOwn(KINDS, operator) ? KINDS[operator] : undefined)

const KINDS: Record<string, string> = {
  Tf: 'Font',
  Do: 'XObject',
  scn: 'Pattern',
  SCN: 'Pattern',
  gs: 'ExtGState',
}

const isImage = (document: PdfDocument, { dictionary: { entries } }: PdfStream) =>
  isNamed(document.resolve(entries.get('Subtype')), 'Image')
