import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, isArray, isNamed, isStream, type PdfObject } from '#server/domain/pdf/object.ts'

/** What a file that claims PDF/A asks of everything that is added to it. */
export type ArchivalNeeds = {
  /** PDF/A-1 asks for more than its successors: a list of the glyphs of each subset, and a look for each field. */
  readonly isFirstPart: boolean
  /** Which device colours the file gives a meaning; `none` if all of its colours are independent of devices. */
  readonly colours: 'rgb' | 'grey' | 'none'
}

/** Longest metadata that are read, in bytes; those of producers have a few thousand. */
const LONGEST_METADATA = 4 << 20

/**
 * Undefined for a file that claims no conformance to PDF/A. For `once`.
 *
 * @see ISO 19005-1:2005, 6.2.2, 6.3.5 and 6.7.11; ISO 19005-2:2011, 6.2.3 and 6.6.4
 */
export function archivalNeedsOf(document: PdfDocument): ArchivalNeeds | undefined {
  try {
    const part = claimedPart(document)
    if (part === undefined) return undefined
    return { isFirstPart: part === '1', colours: coloursOf(document) }
  } catch (error) {
    // What cannot be read claims nothing; it is no reason to refuse a signature.
    if (error instanceof PdfError) return undefined
    throw error
  }
}

/** Written as an attribute or as an element. */
const PART = /pdfaid:part\s*(?:=\s*["']|>)\s*(\d)/

function claimedPart(document: PdfDocument): string | undefined {
  const metadata = document.resolve(document.catalog.entries.get('Metadata'))
  if (!isStream(metadata)) return undefined
  const text = Buffer.from(document.decoded(metadata, LONGEST_METADATA)).toString('latin1')
  return PART.exec(text)?.[1]
}

/** Grey may be used with a profile of any kind. */
function coloursOf(document: PdfDocument): ArchivalNeeds['colours'] {
  const intents = document.resolve(document.catalog.entries.get('OutputIntents'))
  const own = (isArray(intents) ? intents.items : [])
    .map((item) => entriesOf(document.resolve(item)))
    .filter((entries) => isNamed(document.resolve(entries.get('S')), 'GTS_PDFA1'))
  if (own.length === 0) return 'none'
  return own.some((entries) => isRgb(document, entries.get('DestOutputProfile'))) ? 'rgb' : 'grey'
}

function isRgb(document: PdfDocument, value: PdfObject | undefined): boolean {
  const profile = document.resolve(value)
  return isStream(profile) && document.resolve(profile.dictionary.entries.get('N')) === 3
}
